#!/usr/bin/env node
// Verify a finished game of Durak: the deal, every other choice of chance, and the whole log.
//
//     node verify.mjs https://example.org/api/v1/games/ID/replay
//     node verify.mjs replay.json --commitment HEX --head HEX
//     curl -s https://example.org/api/v1/games.ndjson | node verify.mjs -
//     node verify.mjs --vectors vectors/durak-v1.json
//
// Only what comes with Node 18 or newer is used, and nothing of the server. `--commitment` and
// `--head` are what you wrote down while you played. Exit status 0: all is as promised. 1: it is
// not, and the first wrong event of each game is named.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";

const [DEAL, LOG, NONCE, CHAIN] = [
  "durak-deal-v1",
  "durak-log-v1",
  "durak-nonce-v1",
  "durak-chain-v1",
].map((name) => Buffer.from(name));
const CARDS = [..."23456789TJQKA"].flatMap((rank) => [..."SHDC"].map((suit) => rank + suit));
const SEATING = new Set(["player_joined", "player_left", "client_seed_set"]);
const BESIDE = new Set(
  ["resigned", "replaced", "returned", "timed_out"].map((what) => `seat_${what}`),
).add("deadline_extended");
const OPENING = new Set(["game_started", "cards_dealt", "cards_redealt", "trump_turned"])
  .add("attacker_named")
  .add("first_player_named")
  .add("starter_opened");
const MOST_DEALS = 50; // the last of them stands, whatever it is
const NOT_CHECKED =
  "Not checked: whether the moves are legal (POST /api/v1/replays says that).";
const WORD = 1n << 64n;

class Wrong extends Error {}

const hex = (text) => {
  if (!/^([0-9a-f]{2})*$/.test(text)) throw new Wrong(`not hex: ${text}`);
  return Buffer.from(text, "hex");
};
const sha256 = (...parts) => createHash("sha256").update(Buffer.concat(parts)).digest();
const hmac = (key, ...parts) => createHmac("sha256", key).update(Buffer.concat(parts)).digest();
const same = (one, other) => canonical(one) === canonical(other);

function u64(number) {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(number));
  return bytes;
}

// The one JSON text of a value: names sorted, no spaces.
function canonical(value) {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(",")}}`;
}

// The streams of chance of one game.
class Chance {
  constructor(serverSeed, game, clientSeeds) {
    const seeds = clientSeeds.flatMap((seed) => {
      const length = Buffer.alloc(4);
      length.writeUInt32BE(seed.length);
      return [length, seed];
    });
    Object.assign(this, { seed: serverSeed, game, seeds: Buffer.concat(seeds) });
  }

  *words(label) {
    const told = Buffer.concat([DEAL, Buffer.from(this.game + label), this.seeds]);
    for (let counter = 0n; ; counter += 1n) {
      const block = hmac(this.seed, told, u64(counter));
      for (let at = 0; at < 32; at += 8) yield block.readBigUInt64BE(at);
    }
  }

  static below(limit, words) {
    const many = BigInt(limit);
    for (;;) {
      const word = words.next().value;
      if (word < WORD - (WORD % many)) return Number(word % many);
    }
  }

  number(limit, label) {
    return Chance.below(limit, this.words(label));
  }

  shuffled(items, label) {
    const words = this.words(label);
    const order = [...items];
    for (let place = order.length - 1; place > 0; place -= 1) {
      const other = Chance.below(place + 1, words);
      [order[place], order[other]] = [order[other], order[place]];
    }
    return order;
  }
}

// What the hash of an event is made of: its head and its facts.
function content(event) {
  let [facts, version] = [{ ...event.data }, event.schema_version];
  if (event.seat !== null) facts.seat = event.seat;
  if (event.next !== undefined) facts.next = event.next;
  if (event.stored !== undefined) {
    // Written by an older release, and hashed as it was written.
    [facts, version] = [event.stored.facts, event.stored.schema_version];
    if (!(version < event.schema_version))
      throw new Wrong(`event ${event.seq}: \`stored\` is for events of older releases`);
  }
  return Buffer.from(canonical([event.type, version, event.at]) + canonical(facts));
}

// Every hash follows from the events before it; `kept` is one that was written down.
function checkChain(game, kept) {
  const [key, secret] = [Buffer.from(game.id), hex(game.chain_secret)];
  if (game.events[0].type !== "game_created")
    throw new Wrong("event 1: a log begins with game_created");
  if (game.events[0].data.chain_commitment !== sha256(CHAIN, key, secret).toString("hex"))
    throw new Wrong("event 1: the secret of the chain is not the one committed to");
  let previous = Buffer.alloc(32);
  const seen = new Set();
  game.events.forEach((event, index) => {
    const number = u64(index + 1);
    previous = sha256(LOG, key, number, previous, hmac(secret, NONCE, number), content(event));
    if (event.seq !== index + 1 || event.hash !== previous.toString("hex"))
      throw new Wrong(`event ${index + 1}: its hash is not of this content in this place`);
    seen.add(event.hash);
  });
  if (game.head !== previous.toString("hex"))
    throw new Wrong(`event ${game.events.length}: the head is another one`);
  if (kept && !seen.has(kept.toLowerCase()))
    throw new Wrong("the hash that you kept is not in this log");
}

// What the export says beside its log is what the log says; the log has its end.
function checkFields(game) {
  const [created, last] = [game.events[0].data, game.events.at(-1)];
  if (!["game_finished", "game_voided"].includes(last.type))
    throw new Wrong(`event ${last.seq}: the log stops before the end of the game`);
  const told = {
    ruleset: created.ruleset,
    options: created.options,
    ruleset_sha256: created.ruleset_sha256,
    result: last.data.result,
    initial_pack: CARDS.slice(52 - created.rules.deck_size),
    rules: { ...game.rules, ...created.rules },
  };
  for (const [name, value] of Object.entries(told))
    if (!same(game[name], value)) throw new Wrong(`${name} is not what the log says`);
  if (game.seats.length !== created.seats) throw new Wrong("seats is not what the log says");
}

// The server's seed is the one committed to; the log has the players' seeds.
function checkSeeds(game, kept) {
  const created = game.events[0].data;
  const seed = hex(game.server_seed);
  const promised = sha256(DEAL, Buffer.from(game.id), seed).toString("hex");
  if (created.commitment !== promised || (kept && kept.toLowerCase() !== promised))
    throw new Wrong("event 1: the server's seed is not the one committed to");
  const seeds = Array(created.seats).fill("");
  const late = new Set();
  for (const { type, seat, data, at } of game.events) {
    if (!SEATING.has(type)) continue;
    seeds[seat] = type === "player_left" ? "" : (data.client_seed ?? "");
    late.delete(seat);
    if (seeds[seat] !== "" && at !== game.events[0].at) late.add(seat);
  }
  if (!same(seeds, game.client_seeds))
    throw new Wrong("the players' seeds are not those of the log");
  return [new Chance(seed, game.id, seeds.map(hex)), late.size];
}

// The events from the start to the first turn, as the rules and the seeds make them.
class Opening {
  constructor(created, chance) {
    Object.assign(this, { chance, rules: created.rules, seats: created.seats });
    this.previous = created.previous ?? null;
    this.pack = CARDS.slice(52 - this.rules.deck_size);
    this.faceOut = this.rules.face_out ?? false;
    this.shedding = this.rules.deal !== undefined;
    this.dealer = this.firstDealer();
  }

  // Type, seat and facts of each; facts that are null are left out of an event.
  *events() {
    yield ["game_started", null, { dealer: this.dealer }];
    if (this.shedding) {
      yield* this.sheddingEvents();
      return;
    }
    for (let attempt = 0; attempt < MOST_DEALS; attempt += 1) {
      const last = attempt === MOST_DEALS - 1;
      const [hands, talon, { seat: holder, ...trump }, slots] = this.deal(attempt);
      yield ["cards_dealt", null, { hands, talon, slots }];
      if (this.isBad(hands) && !last) {
        yield ["cards_redealt", null, { reason: "five_of_suit" }];
        continue;
      }
      if (trump.suit !== null) yield ["trump_turned", holder, trump];
      const named = this.firstAttacker(hands, trump.suit);
      if (named === null && !last) {
        yield ["cards_redealt", null, { reason: "no_trump" }];
        continue;
      }
      const [seat, reason, card] = named ?? this.byRule("dealer_left", "attacker");
      yield ["attacker_named", seat, { reason, card: this.faceOut ? null : card }];
      return;
    }
  }

  *sheddingEvents() {
    const order = this.chance.shuffled(this.pack, "deal");
    const dealt = this.seats * this.rules.deal;
    const talon = order.slice(dealt);
    yield ["cards_dealt", null, { hands: this.hands(order, dealt), talon }];
    const [seat, reason] = this.firstPlayer();
    yield ["first_player_named", seat, { reason }];
    if (this.rules.starter === "dealer_last_card")
      yield ["starter_opened", this.dealer, { card: order[dealt - 1] }];
    else if (this.rules.starter !== "none") yield ["starter_opened", null, { card: talon[0] }];
  }

  firstDealer() {
    const rule = this.rules.next_dealer;
    if (this.previous === null) {
      const byLot = this.rules.first_dealer !== "last_seat";
      return byLot ? this.chance.number(this.seats, "dealer") : this.seats - 1;
    }
    let named = null;
    if (rule === "loser") named = this.previous.durak ?? null;
    else if (rule === "winner" && this.shedding) named = this.previous.winner ?? null;
    return named ?? (this.previous.dealer + 1) % this.seats;
  }

  hands(order, dealt) {
    return Array.from({ length: this.seats }, (_, seat) => {
      const first = (seat - this.dealer - 1 + 2 * this.seats) % this.seats;
      return order.slice(0, dealt).filter((_card, place) => place % this.seats === first);
    });
  }

  deal(attempt) {
    const label = (name) => (attempt ? `${name}.${attempt}` : name);
    const order = this.chance.shuffled(this.pack, label("deal"));
    const full = this.rules.deal_mode === "full";
    const dealt = full ? order.length : Math.min(order.length, this.rules.hand_size * this.seats);
    const hands = this.hands(order, dealt);
    const [talon, trump] = this.trump(
      hands,
      order.slice(dealt),
      order[dealt - 1],
      label("talon"),
    );
    const slots = hands.map((hand, seat) => ({
      base: 0,
      cards: this.chance.shuffled(hand, label(`hand.${seat}`)),
    }));
    return [hands, talon, trump, this.faceOut ? slots : null];
  }

  // The talon and the trump once that is known; cards turned up before it went back.
  trump(hands, talon, last, label) {
    const [source, constant] = [this.rules.trump_source, this.rules.trump_suit];
    const trump = { suit: null, card: null, seat: null, drawn: null };
    if (source === "none") return [talon, trump];
    if (source === "fixed_suit") return [talon, { ...trump, suit: constant }];
    if (source === "last_dealt" || talon.length === 0) {
      const seat = hands.findIndex((hand) => hand.includes(last));
      return [talon, { ...trump, suit: last[1], card: last, seat }];
    }
    const found = talon.findIndex((card) => this.mayBeTrump(card));
    if (found < 0 && source === "draw_until_suit")
      return [this.chance.shuffled(talon, label), { ...trump, suit: constant, drawn: talon }];
    const first = Math.max(found, 0);
    const [drawn, card] = [talon.slice(0, first), talon[first]];
    let rest = [...drawn, ...talon.slice(first + 1)];
    if (first > 0) rest = this.chance.shuffled(rest, label);
    const shown = { ...trump, suit: card[1], card, drawn: first > 0 ? drawn : null };
    return [[...rest, card], shown];
  }

  mayBeTrump(card) {
    if (this.rules.trump_source === "draw_until_suit") return card[1] === this.rules.trump_suit;
    const off = this.rules.self_only_suit_is_trump === "rule_off";
    return card[1] !== this.rules.self_only_suit || off;
  }

  isBad(hands) {
    const many = (hand) => [..."SHDC"].some((s) => hand.filter((card) => card[1] === s).length > 4);
    return this.rules.redeal_on_bad_hand !== "none" && hands.some(many);
  }

  // Seat, reason and card, or null if the deal is void without a trump in a hand.
  firstAttacker(hands, trump) {
    const named = this.byLastGame();
    if (named !== null) return named;
    if (this.previous === null && this.rules.first_attacker !== "lowest_trump")
      return this.byRule(this.rules.first_attacker, "attacker");
    const card = CARDS.find((one) => one[1] === trump && hands.some((hand) => hand.includes(one)));
    if (card !== undefined)
      return [hands.findIndex((hand) => hand.includes(card)), "lowest_trump", card];
    const rule = this.rules.no_trump_first;
    return rule === "redeal" ? null : this.byRule(rule, "attacker");
  }

  byRule(rule, label) {
    if (rule === "random") return [this.chance.number(this.seats, label), "random", null];
    return [(this.dealer + 1) % this.seats, "dealer_left", null];
  }

  byLastGame() {
    const [last, rule] = [this.previous ?? {}, this.rules.next_first_attacker];
    const [winner, durak] = [last.winner ?? null, last.durak ?? null];
    if (rule === "previous_winner" && winner !== null && !last.draw) return [winner, rule, null];
    if (["attack_the_fool", "from_under_fool"].includes(rule) && durak !== null) {
      const step = rule === "attack_the_fool" ? this.seats - 1 : 1;
      return [(durak + step) % this.seats, rule, null];
    }
    return null;
  }

  firstPlayer() {
    let rule = this.rules.first_player;
    if (this.previous !== null) {
      const winner = this.previous.winner ?? null;
      if (this.rules.next_first === "dealer_left") rule = "dealer_left";
      else if (winner !== null) return [winner, "previous_winner", null];
    }
    return this.byRule(rule, "first_player");
  }
}

// Follows a log: what chance has made of the game so far, and what it must make next.
class Table {
  constructor(game, chance) {
    const created = game.events[0].data;
    this.due = [...new Opening(created, chance).events()];
    Object.assign(this, { chance, rules: created.rules, opening: this.due.length, begun: false });
    Object.assign(this, { talon: [], pile: [], slots: [] });
    Object.assign(this, { moves: 0, place: 0, draws: 0, shuffles: 0 });
    this.checks = {
      cards_dealt: (data) => this.dealt(data),
      hand_replenished: (data, seat) => this.drawn(data.cards) && this.gained(data, seat),
      bout_taken: (data, seat) => this.gained(data, seat),
      cards_drawn: (data) => this.drawn(data.cards),
      trump_exchanged: (data) => this.exchanged(data),
      starter_opened: (data, seat) => this.starterOpened(data, seat),
      cards_played: (data) => this.pile.push(...data.cards) > 0,
      discard_recycled: (data) => this.recycled(data),
    };
  }

  // Whether chance may have made this event here.
  hear({ type, seat, data, next }) {
    if (type === "game_voided" && "reason" in data) return this.begun; // a referee's verdict
    if (SEATING.has(type) || type === "game_created" || type === "game_voided") return !this.begun;
    this.begun = true;
    const check = this.checks[type];
    let fits = this.due.length > 0 || OPENING.has(type) ? this.opens(type, seat, data) : true;
    fits &&= check === undefined || check(data, seat);
    if (!BESIDE.has(type)) {
      this.place += 1;
      if (next !== undefined) [this.moves, this.place] = [this.moves + 1, 0];
    }
    return fits;
  }

  // Whether this is the event of the opening that is due.
  opens(type, seat, data) {
    if (this.due.length === 0 || type !== this.due[0][0]) return false;
    const [, wanted, facts] = this.due.shift();
    const told = Object.entries(facts).every(([name, fact]) => same(data[name] ?? null, fact));
    return told && same(seat, wanted);
  }

  dealt(data) {
    this.talon = data.talon;
    this.slots = (data.slots ?? []).map(({ base, cards }) => [base, cards.length]);
    return true;
  }

  // Cards are drawn from the front of the talon.
  drawn(cards) {
    this.draws += 1;
    const front = this.talon.slice(0, cards.length);
    this.talon = this.talon.slice(cards.length);
    return cards.length > 0 && same(cards, front);
  }

  exchanged(data) {
    const fits = this.talon.at(-1) === data.open_card;
    this.talon = [...this.talon.slice(0, -1), data.card];
    return fits;
  }

  // Hands held face out are shuffled anew whenever they gain cards.
  gained(data, seat) {
    const given = data.slots ?? null;
    if (this.slots.length === 0 || given === null)
      return this.slots.length === 0 && given === null;
    this.shuffles += 1;
    const hand = [...given.cards].sort((a, b) => CARDS.indexOf(a) - CARDS.indexOf(b));
    const cards = this.chance.shuffled(hand, `slots.${this.moves}.${this.place}`);
    const base = this.slots[seat][0] + this.slots[seat][1];
    this.slots[seat] = [given.base, cards.length];
    return data.cards.every((card) => hand.includes(card)) && same(given, { base, cards });
  }

  starterOpened(data, seat) {
    this.pile = [data.card];
    if (seat === null) this.talon = this.talon.slice(1);
    return true;
  }

  recycled(data) {
    const empty = this.talon.length === 0;
    let cards = this.pile.slice(0, -1);
    if (this.rules.recycle === "shuffle") {
      this.shuffles += 1;
      cards = this.chance.shuffled(cards, `recycle.${this.moves}.${this.place}`);
    }
    [this.pile, this.talon] = [this.pile.slice(-1), cards];
    return empty && same(data.cards, cards);
  }
}

// Every event that chance decides follows from the seeds; in words, what there was.
function checkChance(game, chance) {
  const table = new Table(game, chance);
  for (const event of game.events)
    if (!table.hear(event))
      throw new Wrong(`event ${event.seq}: by the seeds ${event.type} is another`);
  if (table.begun && table.due.length > 0)
    throw new Wrong(`event ${game.events.length}: ${table.due[0][0]} is missing`);
  const opening = table.begun ? table.opening : 0;
  return (
    `by the seeds are the ${opening} events of the opening, ${table.draws} draws` +
    ` and ${table.shuffles} later shuffles`
  );
}

function verified(game, commitment, head) {
  if (game.algorithm !== DEAL.toString() || game.schema_version !== 1)
    throw new Wrong("this script knows durak-deal-v1 and exports of version 1");
  checkChain(game, head);
  checkFields(game);
  const [chance, late] = checkSeeds(game, commitment);
  const found = checkChance(game, chance);
  const older = game.events.filter((event) => event.stored !== undefined).length;
  const said = `; ${older} events of an older release count as \`stored\`, not as \`data\``;
  return (
    `game ${game.id}: seed and secret as committed; ${game.events.length} events in one` +
    ` chain; ${found}; ${late} of ${game.seats.length} seats gave a seed after the commitment` +
    (older > 0 ? said : "")
  );
}

// Check a game; what was checked, in a sentence. Throws Wrong.
function verify(game, commitment, head) {
  try {
    return verified(game, commitment, head);
  } catch (error) {
    if (error instanceof Wrong) throw new Wrong(`game ${game.id}: ${error.message}`);
    throw new Wrong(`this is not the export of a game: ${error.message}`);
  }
}

// Check this script itself against the published vectors.
function checkVectors(path) {
  const vectors = JSON.parse(readFileSync(path, "utf8"));
  for (const vector of vectors.deal) {
    const seed = hex(vector.server_seed);
    const chance = new Chance(seed, vector.game_id, vector.client_seeds.map(hex));
    const order = chance.shuffled(CARDS.slice(52 - vector.pack), vector.label).join(" ");
    const promised = sha256(DEAL, Buffer.from(vector.game_id), seed).toString("hex");
    if (promised !== vector.commitment) throw new Wrong("a commitment of the vectors is another");
    if (order !== vector.order) throw new Wrong("an order of the vectors is another");
  }
  for (const { label, below, ...vector } of vectors.deal) {
    const seeds = vector.client_seeds.map(hex);
    const chance = new Chance(hex(vector.server_seed), vector.game_id, seeds);
    for (const [limit, number] of Object.entries(below))
      if (chance.number(Number(limit), label) !== number)
        throw new Wrong("a number of the vectors is another");
  }
  checkLinks(vectors.chain);
  vectors.games.forEach((game) => verify(game));
  const counts = ["deal", "chain", "games"].map((name) => `${vectors[name].length} ${name}`);
  return `as published: ${counts.join(", ")}`;
}

// Check nonces and hashes of the vectors, one event each.
function checkLinks(links) {
  for (const link of links) {
    const [key, number] = [Buffer.from(link.game_id), u64(link.event.seq)];
    const [secret, told] = [hex(link.chain_secret), content(link.event)];
    const nonce = hmac(secret, NONCE, number);
    const found = sha256(LOG, key, number, hex(link.previous), nonce, told);
    const texts = [sha256(CHAIN, key, secret), nonce, found].map((one) => one.toString("hex"));
    if (!same([...texts, told.toString()], [
      link.commitment,
      link.nonce,
      link.event.hash,
      link.content,
    ]))
      throw new Wrong("a link of the vectors is another");
  }
}

// The games of a file, an address or the standard input: one export, or one a line.
async function gamesOf(source) {
  const isAddress = /^https?:/.test(source);
  const text = isAddress
    ? await (await fetch(source)).text()
    : readFileSync(source === "-" ? 0 : source, "utf8");
  let games;
  try {
    return [JSON.parse(text)];
  } catch {
    games = text.split("\n").filter((line) => line.trim()).map((line) => JSON.parse(line));
  }
  if (games.length === 0) throw new Wrong("there is no game in it");
  return games;
}

// The command line: one source, and options with a value.
function asked(words) {
  const given = {};
  for (let at = 0; at < words.length; at += 1) {
    const [, name, value] = /^--(commitment|head|vectors)(?:=(.*))?$/s.exec(words[at]) ?? [];
    if (name !== undefined) given[name] = value ?? words[(at += 1)];
    else if (words[at].startsWith("--") || given.source !== undefined)
      throw new Wrong(`what is ${words[at]}?`);
    else given.source = words[at];
  }
  if (Object.values(given).includes(undefined)) throw new Wrong("an option lacks its value");
  if (!given.source && !given.vectors) throw new Wrong("name a game or --vectors");
  return given;
}

// Print what there is to say of a game.
function tell(game, given) {
  try {
    console.log(verify(game, given.commitment, given.head));
  } catch (error) {
    console.log(`WRONG: ${error.message}`);
    process.exitCode = 1;
  }
}

async function main() {
  const given = asked(process.argv.slice(2));
  if (given.vectors) console.log(checkVectors(given.vectors));
  if (!given.source) return;
  for (const game of await gamesOf(given.source)) tell(game, given);
  console.log(NOT_CHECKED);
}

main().catch((error) => {
  console.log(`WRONG: ${error instanceof Wrong ? "" : "cannot be read: "}${error.message}`);
  process.exitCode = 1;
});
