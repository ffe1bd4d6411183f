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
// not, and the first wrong event is named.

import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";

const [DEAL, LOG, NONCE, CHAIN] = [
  "durak-deal-v1",
  "durak-log-v1",
  "durak-nonce-v1",
  "durak-chain-v1",
].map((name) => Buffer.from(name));
const CARDS = [..."23456789TJQKA"].flatMap((rank) => [..."SHDC"].map((suit) => rank + suit));
const BESIDE = new Set([
  "seat_resigned",
  "seat_replaced",
  "seat_returned",
  "seat_timed_out",
  "deadline_extended",
]);
const OF_THE_TABLE = new Set(["player_joined", "player_left", "client_seed_set"]);
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
  // Written by an older release, and hashed as it was written.
  if (event.stored) [facts, version] = [event.stored.facts, event.stored.schema_version];
  return Buffer.from(canonical([event.type, version, event.at]) + canonical(facts));
}

function checkChain(game, kept) {
  const [key, secret] = [Buffer.from(game.id), hex(game.chain_secret)];
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
  if (kept && !seen.has(kept)) throw new Wrong("the hash that you kept is not in this log");
}

function checkSeeds(game, kept) {
  const created = game.events[0].data;
  const seed = hex(game.server_seed);
  const promised = sha256(DEAL, Buffer.from(game.id), seed).toString("hex");
  if (created.commitment !== promised || (kept && kept !== promised))
    throw new Wrong("event 1: the server's seed is not the one committed to");
  const seeds = new Array(created.seats).fill("");
  for (const event of game.events) {
    if (event.type === "player_joined" || event.type === "client_seed_set")
      seeds[event.seat] = event.data.client_seed ?? "";
    if (event.type === "player_left") seeds[event.seat] = "";
  }
  if (!same(seeds, game.client_seeds))
    throw new Wrong("the players' seeds are not those of the log");
  return new Chance(seed, game.id, seeds.map(hex));
}

function checkChance(game, chance) {
  const table = new Table(game, chance);
  let found = 0;
  for (const event of game.events) {
    const check = table.checks[event.type];
    if (check && !check(event.data, event.seat))
      throw new Wrong(`event ${event.seq}: by the seeds ${event.type} is another`);
    found += check ? 1 : 0;
    table.told(event);
  }
  return found;
}

// What must be remembered of a game to follow its chance.
class Table {
  constructor(game, chance) {
    const created = game.events[0].data;
    Object.assign(this, { chance, rules: created.rules, seats: created.seats });
    Object.assign(this, { previous: created.previous ?? null, deals: 0, dealer: 0, pile: [] });
    Object.assign(this, { moves: 0, place: 0, pack: CARDS.slice(52 - this.rules.deck_size) });
    const fresh = (data) => this.freshSlots(data);
    this.checks = {
      game_started: (data) => this.started(data),
      attacker_named: (data, seat) => this.named(data, seat, "attacker"),
      first_player_named: (data, seat) => this.named(data, seat, "first_player"),
      cards_dealt: (data) => this.dealt(data),
      hand_replenished: fresh,
      bout_taken: fresh,
      starter_opened: (data) => (this.pile = [data.card]).length > 0,
      cards_played: (data) => this.pile.push(...data.cards) > 0,
      discard_recycled: (data) => this.recycled(data),
    };
  }

  // Count moves, and events within a move, as the labels of streams do.
  told(event) {
    if (BESIDE.has(event.type) || event.seq === 1) return;
    if (!OF_THE_TABLE.has(event.type)) this.place += 1;
    if (event.next !== undefined) [this.moves, this.place] = [this.moves + 1, 0];
  }

  label(name) {
    return this.deals > 1 ? `${name}.${this.deals - 1}` : name;
  }

  started(data) {
    this.dealer = data.dealer;
    if (this.previous !== null) return true; // by the rules, from the last game of the match
    if (this.rules.first_dealer === "last_seat") return this.dealer === this.seats - 1;
    return this.dealer === this.chance.number(this.seats, "dealer");
  }

  named(data, seat, label) {
    return data.reason !== "random" || seat === this.chance.number(this.seats, label);
  }

  dealt(data) {
    this.deals += 1;
    const order = this.chance.shuffled(this.pack, this.label("deal"));
    const all = this.rules.deal_mode === "full";
    const size = this.rules.hand_size ?? this.rules.deal;
    const dealt = all ? order.length : Math.min(order.length, size * this.seats);
    const hands = Array.from({ length: this.seats }, (_, seat) => {
      const first = (seat - this.dealer - 1 + 2 * this.seats) % this.seats;
      return order.slice(0, dealt).filter((_card, place) => place % this.seats === first);
    });
    const talon = this.turnedUp(order.slice(dealt));
    const slots = this.rules.face_out
      ? hands.map((hand, seat) => this.chance.shuffled(hand, this.label(`hand.${seat}`)))
      : [];
    const given = (data.slots ?? []).map((slot) => slot.cards);
    return same([data.hands, data.talon, given], [hands, talon, slots]);
  }

  // The talon once the trump has been turned up; cards before it went back.
  turnedUp(rest) {
    const source = this.rules.trump_source ?? "none";
    if (!["turn_up", "draw_until_suit"].includes(source) || rest.length === 0) return rest;
    const found = rest.findIndex((card) => this.mayBeTrump(card));
    if (found < 0 && source === "draw_until_suit")
      return this.chance.shuffled(rest, this.label("talon"));
    const first = Math.max(found, 0);
    let others = [...rest.slice(0, first), ...rest.slice(first + 1)];
    if (first > 0) others = this.chance.shuffled(others, this.label("talon"));
    return [...others, rest[first]];
  }

  mayBeTrump(card) {
    if (this.rules.trump_source === "draw_until_suit") return card[1] === this.rules.trump_suit;
    const off = this.rules.self_only_suit_is_trump === "rule_off";
    return card[1] !== this.rules.self_only_suit || off;
  }

  // Hands held face out are shuffled anew whenever they gain cards.
  freshSlots(data) {
    if (!data.slots) return true;
    const hand = [...data.slots.cards].sort((a, b) => CARDS.indexOf(a) - CARDS.indexOf(b));
    const label = `slots.${this.moves}.${this.place}`;
    return same(data.slots.cards, this.chance.shuffled(hand, label));
  }

  recycled(data) {
    let cards = this.pile.slice(0, -1);
    this.pile = this.pile.slice(-1);
    if (this.rules.recycle === "shuffle")
      cards = this.chance.shuffled(cards, `recycle.${this.moves}.${this.place}`);
    return same(data.cards, cards);
  }
}

// Check a game and say what was checked. Throws Wrong.
function verify(game, commitment, head) {
  try {
    if (game.algorithm !== DEAL.toString() || game.schema_version !== 1)
      throw new Wrong("this script knows durak-deal-v1 and exports of version 1");
    checkChain(game, head);
    const found = checkChance(game, checkSeeds(game, commitment));
    return `game ${game.id}: ${game.events.length} events in one chain, ${found} follow the seeds`;
  } catch (error) {
    if (error instanceof Wrong) throw error;
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
  vectors.games.forEach((game) => verify(game));
  return `${vectors.deal.length} deals and ${vectors.games.length} games as published`;
}

// The games of a file, an address or the standard input: one export, or one a line.
async function gamesOf(source) {
  const isAddress = /^https?:/.test(source);
  const text = isAddress
    ? await (await fetch(source)).text()
    : readFileSync(source === "-" ? 0 : source, "utf8");
  try {
    return [JSON.parse(text)];
  } catch {
    const lines = text.split("\n").filter((line) => line.trim());
    return lines.map((line) => JSON.parse(line));
  }
}

async function main() {
  const text = { type: "string" };
  const options = { commitment: text, head: text, vectors: text };
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  if (positionals.length === 0 && !values.vectors) throw new Wrong("name a game or --vectors");
  if (values.vectors) console.log(checkVectors(values.vectors));
  for (const game of positionals.length ? await gamesOf(positionals[0]) : [])
    console.log(verify(game, values.commitment, values.head));
}

main().catch((error) => {
  console.log(`WRONG: ${error instanceof Wrong ? "" : "cannot be read: "}${error.message}`);
  process.exitCode = 1;
});
