#!/usr/bin/env python3
"""Verify a finished game of Durak: the deal, every other choice of chance, and the whole log.

    python3 verify.py https://example.org/api/v1/games/ID/replay
    python3 verify.py replay.json --commitment HEX --head HEX
    curl -s https://example.org/api/v1/games.ndjson | python3 verify.py -
    python3 verify.py --vectors vectors/durak-v1.json

Only the standard library of Python 3.8 or newer is used, and nothing of the server. `--commitment`
and `--head` are what you wrote down while you played: the commitment of the deal, and the hash of
any event. Exit status 0: all is as promised. 1: it is not, and the first wrong event
of each game is named.
"""

import argparse
import hashlib
import hmac
import json
import re
import sys
from pathlib import Path
from urllib.request import urlopen

DEAL, LOG, NONCE, CHAIN = b"durak-deal-v1", b"durak-log-v1", b"durak-nonce-v1", b"durak-chain-v1"
RANKS, SUITS = "23456789TJQKA", "SHDC"
CARDS = [rank + suit for rank in RANKS for suit in SUITS]
SEATING = ("player_joined", "player_left", "client_seed_set")
BESIDE = ("seat_resigned", "seat_replaced", "seat_returned", "seat_timed_out", "deadline_extended")
OPENING = ("game_started", "cards_dealt", "cards_redealt", "trump_turned", "attacker_named")
OPENING += ("first_player_named", "starter_opened")
MOST_DEALS = 50  # the last of them stands, whatever it is
NOT_CHECKED = "Not checked: whether the moves are legal (POST /api/v1/replays says that)."


class Wrong(Exception):
    """Something is not as promised."""


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def unhex(text):
    if not re.fullmatch("([0-9a-f]{2})*", text):
        raise Wrong(f"not hex: {text}")
    return bytes.fromhex(text)


def canonical(value):
    """The one JSON text of a value: names sorted, no spaces, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def same(one, other):
    return canonical(one) == canonical(other)


class Chance:
    """The streams of chance of one game."""

    def __init__(self, server_seed, game, client_seeds):
        self.seed, self.game = server_seed, game
        self.seeds = b"".join(len(seed).to_bytes(4, "big") + seed for seed in client_seeds)

    def words(self, label):
        told, counter = DEAL + self.game.encode() + label.encode() + self.seeds, 0
        while True:
            message = told + counter.to_bytes(8, "big")
            block = hmac.new(self.seed, message, hashlib.sha256).digest()
            for at in range(0, 32, 8):
                yield int.from_bytes(block[at : at + 8], "big")
            counter += 1

    @staticmethod
    def below(limit, words):
        while True:
            word = next(words)
            if word < 2**64 - 2**64 % limit:
                return word % limit

    def number(self, limit, label):
        return self.below(limit, self.words(label))

    def shuffled(self, items, label):
        words, order = self.words(label), list(items)
        for place in range(len(order) - 1, 0, -1):
            other = self.below(place + 1, words)
            order[place], order[other] = order[other], order[place]
        return order


def content(event):
    """What the hash of an event is made of: its head and its facts."""
    facts, version = dict(event["data"]), event["schema_version"]
    if event["seat"] is not None:
        facts["seat"] = event["seat"]
    if "next" in event:
        facts["next"] = event["next"]
    if "stored" in event:  # written by an older release, and hashed as it was written
        facts, newer = event["stored"]["facts"], version
        version = event["stored"]["schema_version"]
        if not version < newer:
            raise Wrong(f"event {event['seq']}: `stored` is for events of older releases")
    return canonical([event["type"], version, event["at"]]) + canonical(facts)


def check_chain(game, kept):
    """Every hash follows from the events before it; `kept` is one that was written down."""
    key, secret = game["id"].encode(), unhex(game["chain_secret"])
    if game["events"][0]["type"] != "game_created":
        raise Wrong("event 1: a log begins with game_created")
    if game["events"][0]["data"]["chain_commitment"] != sha256(CHAIN, key, secret).hex():
        raise Wrong("event 1: the secret of the chain is not the one committed to")
    previous, seen = bytes(32), set()
    for place, event in enumerate(game["events"], 1):
        number = place.to_bytes(8, "big")
        nonce = hmac.new(secret, NONCE + number, hashlib.sha256).digest()
        previous = sha256(LOG, key, number, previous, nonce, content(event))
        if not same(event["seq"], place) or event["hash"] != previous.hex():
            raise Wrong(f"event {place}: its hash is not of this content in this place")
        seen.add(event["hash"])
    if game["head"] != previous.hex():
        raise Wrong(f"event {len(game['events'])}: the head is another one")
    if kept and kept.lower() not in seen:
        raise Wrong("the hash that you kept is not in this log")


def check_fields(game):
    """What the export says beside its log is what the log says; the log has its end."""
    created, last = game["events"][0]["data"], game["events"][-1]
    if last["type"] not in ("game_finished", "game_voided"):
        raise Wrong(f"event {last['seq']}: the log stops before the end of the game")
    told = {name: created[name] for name in ("ruleset", "options", "ruleset_sha256")}
    told["result"] = last["data"]["result"]
    told["initial_pack"] = CARDS[52 - created["rules"]["deck_size"] :]
    told["rules"] = {**game["rules"], **created["rules"]}
    for name, value in told.items():
        if not same(game[name], value):
            raise Wrong(f"{name} is not what the log says")
    if len(game["seats"]) != created["seats"]:
        raise Wrong("seats is not what the log says")


def check_seeds(game, kept):
    """The server's seed is the one committed to; the log has the players' seeds."""
    created = game["events"][0]["data"]
    seed = unhex(game["server_seed"])
    promised = sha256(DEAL, game["id"].encode(), seed).hex()
    if created["commitment"] != promised or (kept and kept.lower() != promised):
        raise Wrong("event 1: the server's seed is not the one committed to")
    seeds, late = [""] * created["seats"], set()
    for event in game["events"]:
        if event["type"] in SEATING:
            seat, text = event["seat"], event["data"].get("client_seed", "")
            seeds[seat] = "" if event["type"] == "player_left" else text
            late.discard(seat)
            if seeds[seat] and event["at"] != game["events"][0]["at"]:
                late.add(seat)
    if seeds != game["client_seeds"]:
        raise Wrong("the players' seeds are not those of the log")
    return Chance(seed, game["id"], [unhex(text) for text in seeds]), len(late)


class Opening:
    """The events from the start to the first turn, as the rules and the seeds make them."""

    def __init__(self, created, chance):
        self.chance, self.rules, self.seats = chance, created["rules"], created["seats"]
        self.previous = created.get("previous")
        self.pack = CARDS[52 - self.rules["deck_size"] :]
        self.face_out = self.rules.get("face_out", False)
        self.shedding = "deal" in self.rules
        self.dealer = self.first_dealer()

    def events(self):
        """Type, seat and facts of each; facts that are None are left out of an event."""
        yield "game_started", None, {"dealer": self.dealer}
        if self.shedding:
            yield from self.shedding_events()
            return
        for attempt in range(MOST_DEALS):
            last = attempt == MOST_DEALS - 1
            hands, talon, trump, slots = self.deal(attempt)
            yield "cards_dealt", None, {"hands": hands, "talon": talon, "slots": slots}
            if self.is_bad(hands) and not last:
                yield "cards_redealt", None, {"reason": "five_of_suit"}
                continue
            if trump["suit"] is not None:
                yield "trump_turned", trump.pop("seat"), trump
            named = self.first_attacker(hands, trump["suit"])
            if named is None and not last:
                yield "cards_redealt", None, {"reason": "no_trump"}
                continue
            seat, reason, card = named or self.by_rule("dealer_left", "attacker")
            shown = None if self.face_out else card
            yield "attacker_named", seat, {"reason": reason, "card": shown}
            return

    def shedding_events(self):
        order, talon = self.chance.shuffled(self.pack, "deal"), []
        dealt = self.seats * self.rules["deal"]
        talon = order[dealt:]
        yield "cards_dealt", None, {"hands": self.hands(order, dealt), "talon": talon}
        seat, reason, _ = self.first_player()
        yield "first_player_named", seat, {"reason": reason}
        if self.rules["starter"] == "dealer_last_card":
            yield "starter_opened", self.dealer, {"card": order[dealt - 1]}
        elif self.rules["starter"] != "none":
            yield "starter_opened", None, {"card": talon[0]}

    def first_dealer(self):
        if self.previous is None:
            by_lot = self.rules["first_dealer"] != "last_seat"
            return self.chance.number(self.seats, "dealer") if by_lot else self.seats - 1
        named, rule = None, self.rules["next_dealer"]
        if rule == "loser" or (rule == "winner" and self.shedding):
            named = self.previous.get("durak" if rule == "loser" else "winner")
        return (self.previous["dealer"] + 1) % self.seats if named is None else named

    def hands(self, order, dealt):
        seats = range(self.seats)
        return [order[(s - self.dealer - 1) % self.seats : dealt : self.seats] for s in seats]

    def deal(self, attempt):
        def label(name):
            return f"{name}.{attempt}" if attempt else name

        order = self.chance.shuffled(self.pack, label("deal"))
        full = self.rules["deal_mode"] == "full"
        dealt = len(order) if full else min(len(order), self.rules["hand_size"] * self.seats)
        hands = self.hands(order, dealt)
        talon, trump = self.trump(hands, order[dealt:], order[dealt - 1], label("talon"))
        slots = [
            {"base": 0, "cards": self.chance.shuffled(hand, label(f"hand.{seat}"))}
            for seat, hand in enumerate(hands)
        ]
        return hands, talon, trump, slots if self.face_out else None

    def trump(self, hands, talon, last, label):
        """The talon and the trump once that is known; cards turned up before it went back."""
        source = self.rules["trump_source"]
        trump = {"suit": None, "card": None, "seat": None, "drawn": None}
        if source in ("none", "fixed_suit"):
            return talon, {**trump, "suit": None if source == "none" else self.rules["trump_suit"]}
        if source == "last_dealt" or not talon:
            holder = next(seat for seat, hand in enumerate(hands) if last in hand)
            return talon, {**trump, "suit": last[1], "card": last, "seat": holder}
        fitting = [place for place, card in enumerate(talon) if self.may_be_trump(card)]
        if not fitting and source == "draw_until_suit":
            back = self.chance.shuffled(talon, label)
            return back, {**trump, "suit": self.rules["trump_suit"], "drawn": talon}
        first = fitting[0] if fitting else 0
        drawn, card, rest = talon[:first], talon[first], talon[:first] + talon[first + 1 :]
        if drawn:
            rest = self.chance.shuffled(rest, label)
        return [*rest, card], {**trump, "suit": card[1], "card": card, "drawn": drawn or None}

    def may_be_trump(self, card):
        if self.rules["trump_source"] == "draw_until_suit":
            return card[1] == self.rules["trump_suit"]
        off = self.rules["self_only_suit_is_trump"] == "rule_off"
        return card[1] != self.rules["self_only_suit"] or off

    def is_bad(self, hands):
        most = max(sum(card[1] == suit for card in hand) for hand in hands for suit in SUITS)
        return self.rules["redeal_on_bad_hand"] != "none" and most >= 5

    def first_attacker(self, hands, trump):
        """Seat, reason and card, or None if the deal is void without a trump in a hand."""
        named = self.by_last_game()
        if named is not None:
            return named
        if self.previous is None and self.rules["first_attacker"] != "lowest_trump":
            return self.by_rule(self.rules["first_attacker"], "attacker")
        held = [(CARDS.index(c), s) for s, hand in enumerate(hands) for c in hand if c[1] == trump]
        if held:
            place, seat = min(held)
            return seat, "lowest_trump", CARDS[place]
        rule = self.rules["no_trump_first"]
        return None if rule == "redeal" else self.by_rule(rule, "attacker")

    def by_rule(self, rule, label):
        if rule == "random":
            return self.chance.number(self.seats, label), "random", None
        return (self.dealer + 1) % self.seats, "dealer_left", None

    def by_last_game(self):
        last, rule = self.previous or {}, self.rules["next_first_attacker"]
        winner, durak = last.get("winner"), last.get("durak")
        if rule == "previous_winner" and winner is not None and not last.get("draw"):
            return winner, rule, None
        if rule in ("attack_the_fool", "from_under_fool") and durak is not None:
            step = -1 if rule == "attack_the_fool" else 1
            return (durak + step) % self.seats, rule, None
        return None

    def first_player(self):
        rule = self.rules["first_player"]
        if self.previous is not None:
            winner = self.previous.get("winner")
            if self.rules["next_first"] == "dealer_left":
                rule = "dealer_left"
            elif winner is not None:
                return winner, "previous_winner", None
        return self.by_rule(rule, "first_player")


class Table:
    """Follows a log: what chance has made of the game so far, and what it must make next."""

    def __init__(self, game, chance):
        created = game["events"][0]["data"]
        self.chance, self.rules = chance, created["rules"]
        self.due = list(Opening(created, chance).events())
        self.opening, self.begun = len(self.due), False
        self.talon, self.pile, self.slots = [], [], []
        self.moves = self.place = self.draws = self.shuffles = 0

    def hear(self, event):
        """Whether chance may have made this event here."""
        kind = event["type"]
        if kind == "game_voided" and "reason" in event["data"]:
            return self.begun  # a referee's verdict
        if kind in SEATING or kind in ("game_created", "game_voided"):
            return not self.begun
        self.begun = True
        check = getattr(self, "on_" + kind, None)
        fits = self.opens(event) if self.due or kind in OPENING else True
        fits = fits and (check is None or check(event["data"], event["seat"]))
        if kind not in BESIDE:
            self.place += 1
            if "next" in event:
                self.moves, self.place = self.moves + 1, 0
        return fits

    def opens(self, event):
        """Whether this is the event of the opening that is due."""
        if not self.due or event["type"] != self.due[0][0]:
            return False
        _, seat, facts = self.due.pop(0)
        told = all(same(event["data"].get(name), fact) for name, fact in facts.items())
        return told and same(event["seat"], seat)

    def on_cards_dealt(self, data, _seat):
        self.talon = data["talon"]
        self.slots = [(slots["base"], len(slots["cards"])) for slots in data.get("slots", [])]
        return True

    def drawn(self, cards):
        """Cards are drawn from the front of the talon."""
        self.draws += 1
        front, self.talon = self.talon[: len(cards)], self.talon[len(cards) :]
        return len(cards) > 0 and same(cards, front)

    def on_hand_replenished(self, data, seat):
        return self.drawn(data["cards"]) and self.on_bout_taken(data, seat)

    def on_cards_drawn(self, data, _seat):
        return self.drawn(data["cards"])

    def on_trump_exchanged(self, data, _seat):
        fits = self.talon[-1:] == [data["open_card"]]
        self.talon = [*self.talon[:-1], data["card"]]
        return fits

    def on_bout_taken(self, data, seat):
        """Hands held face out are shuffled anew whenever they gain cards."""
        given = data.get("slots")
        if not self.slots or given is None:
            return not self.slots and given is None
        self.shuffles += 1
        order = sorted(given["cards"], key=CARDS.index)
        order = self.chance.shuffled(order, f"slots.{self.moves}.{self.place}")
        base, self.slots[seat] = sum(self.slots[seat]), (given["base"], len(order))
        gained = set(data["cards"]) <= set(order)
        return gained and same(given, {"base": base, "cards": order})

    def on_starter_opened(self, data, seat):
        self.pile = [data["card"]]
        self.talon = self.talon[1:] if seat is None else self.talon
        return True

    def on_cards_played(self, data, _seat):
        self.pile = self.pile + data["cards"]
        return True

    def on_discard_recycled(self, data, _seat):
        cards, empty = self.pile[:-1], not self.talon
        if self.rules["recycle"] == "shuffle":
            self.shuffles += 1
            cards = self.chance.shuffled(cards, f"recycle.{self.moves}.{self.place}")
        self.pile, self.talon = self.pile[-1:], cards
        return empty and same(data["cards"], cards)


def check_chance(game, chance):
    """Every event that chance decides follows from the seeds; in words, what there was."""
    table = Table(game, chance)
    for event in game["events"]:
        if not table.hear(event):
            raise Wrong(f"event {event['seq']}: by the seeds {event['type']} is another")
    if table.begun and table.due:
        raise Wrong(f"event {len(game['events'])}: {table.due[0][0]} is missing")
    opening = table.opening if table.begun else 0
    return (
        f"by the seeds are the {opening} events of the opening, {table.draws} draws"
        f" and {table.shuffles} later shuffles"
    )


def verify(game, commitment=None, head=None):
    """Check a game; what was checked, in a sentence. Raises Wrong."""
    try:
        if game["algorithm"] != DEAL.decode() or not same(game["schema_version"], 1):
            raise Wrong("this script knows durak-deal-v1 and exports of version 1")
        check_chain(game, head)
        check_fields(game)
        chance, late = check_seeds(game, commitment)
        found = check_chance(game, chance)
    except Wrong as wrong:
        raise Wrong(f"game {game['id']}: {wrong}") from wrong
    except (KeyError, IndexError, TypeError, ValueError, AttributeError, StopIteration) as error:
        raise Wrong(f"this is not the export of a game: {error!r}") from error
    older = sum("stored" in event for event in game["events"])
    said = f"; {older} events of an older release count as `stored`, not as `data`" if older else ""
    return (
        f"game {game['id']}: seed and secret as committed; {len(game['events'])} events in one"
        f" chain; {found}; {late} of {len(game['seats'])} seats gave a seed after the commitment"
        f"{said}"
    )


def check_vectors(path):
    """Check this script itself against the published vectors."""
    vectors = json.loads(Path(path).read_text(encoding="utf-8"))
    for vector in vectors["deal"]:
        seed = unhex(vector["server_seed"])
        seeds = [unhex(text) for text in vector["client_seeds"]]
        chance = Chance(seed, vector["game_id"], seeds)
        order = chance.shuffled(CARDS[52 - vector["pack"] :], vector["label"])
        if sha256(DEAL, vector["game_id"].encode(), seed).hex() != vector["commitment"]:
            raise Wrong("a commitment of the vectors is another")
        if " ".join(order) != vector["order"]:
            raise Wrong("an order of the vectors is another")
        for limit, number in vector["below"].items():
            if chance.number(int(limit), vector["label"]) != number:
                raise Wrong("a number of the vectors is another")
    check_links(vectors["chain"])
    for game in vectors["games"]:
        verify(game)
    counts = [f"{len(vectors[name])} {name}" for name in ("deal", "chain", "games")]
    return f"as published: {', '.join(counts)}"


def check_links(links):
    """Check nonces and hashes of the vectors, one event each."""
    for link in links:
        key, number = link["game_id"].encode(), link["event"]["seq"].to_bytes(8, "big")
        secret, told = unhex(link["chain_secret"]), content(link["event"])
        nonce = hmac.new(secret, NONCE + number, hashlib.sha256).digest()
        found = sha256(LOG, key, number, unhex(link["previous"]), nonce, told)
        texts = (sha256(CHAIN, key, secret).hex(), nonce.hex(), told.decode(), found.hex())
        wanted = (link["commitment"], link["nonce"], link["content"], link["event"]["hash"])
        if texts != wanted:
            raise Wrong("a link of the vectors is another")


def games_of(source):
    """The games of a file, an address or the standard input: one export, or one a line."""
    if source == "-":
        text = sys.stdin.read()
    elif source.startswith(("http://", "https://")):
        with urlopen(source) as answer:
            text = answer.read().decode()
    else:
        text = Path(source).read_text(encoding="utf-8")
    try:
        return [json.loads(text)]
    except ValueError:
        games = [json.loads(line) for line in text.split("\n") if line.strip()]
    if not games:
        raise Wrong("there is no game in it")
    return games


def main():
    """Read the command line, check, print, and end with 1 if something is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", nargs="?", help="a file, an address, or - for standard input")
    parser.add_argument("--commitment", help="the deal's commitment as you wrote it down")
    parser.add_argument("--head", help="the hash of an event as you wrote it down")
    parser.add_argument("--vectors", help="check this script against published vectors")
    given = parser.parse_args()
    if not (given.source or given.vectors):
        parser.error("name a game or --vectors")
    try:
        if given.vectors:
            print(check_vectors(given.vectors))
        games = games_of(given.source) if given.source else []
    except Wrong as wrong:
        print(f"WRONG: {wrong}")
        return 1
    except (OSError, ValueError, RecursionError) as error:
        print(f"WRONG: cannot be read: {error}")
        return 1
    right = [told(game, given) for game in games]
    if games:
        print(NOT_CHECKED)
    return 0 if all(right) else 1


def told(game, given):
    """Print what there is to say of a game; whether it is as promised."""
    try:
        print(verify(game, given.commitment, given.head))
    except Wrong as wrong:
        print(f"WRONG: {wrong}")
        return False
    return True


if __name__ == "__main__":
    sys.exit(main())
