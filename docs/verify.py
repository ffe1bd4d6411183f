#!/usr/bin/env python3
"""Verify a finished game of Durak: the deal, every other choice of chance, and the whole log.

    python3 verify.py https://example.org/api/v1/games/ID/replay
    python3 verify.py replay.json --commitment HEX --head HEX
    curl -s https://example.org/api/v1/games.ndjson | python3 verify.py -
    python3 verify.py --vectors vectors/durak-v1.json

Only the standard library of Python 3.8 or newer is used, and nothing of the server. `--commitment`
and `--head` are what you wrote down while you played: the commitment of the deal, and the hash of
any event. Exit status 0: all is as promised. 1: it is not, and the first wrong event is named.
"""

import argparse
import hashlib
import hmac
import json
import sys
from pathlib import Path
from urllib.request import urlopen

DEAL, LOG, NONCE, CHAIN = b"durak-deal-v1", b"durak-log-v1", b"durak-nonce-v1", b"durak-chain-v1"
RANKS, SUITS = "23456789TJQKA", "SHDC"
CARDS = [rank + suit for rank in RANKS for suit in SUITS]
BESIDE = {"seat_resigned", "seat_replaced", "seat_returned", "seat_timed_out", "deadline_extended"}


class Wrong(Exception):
    """Something is not as promised."""


def sha256(*parts):
    return hashlib.sha256(b"".join(parts)).digest()


def canonical(value):
    """The one JSON text of a value: names sorted, no spaces, UTF-8."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


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
        facts, version = event["stored"]["facts"], event["stored"]["schema_version"]
    return canonical([event["type"], version, event["at"]]) + canonical(facts)


def check_chain(game, kept):
    """Every hash follows from the events before it; `kept` is one that was written down."""
    key, secret = game["id"].encode(), bytes.fromhex(game["chain_secret"])
    if game["events"][0]["data"]["chain_commitment"] != sha256(CHAIN, key, secret).hex():
        raise Wrong("event 1: the secret of the chain is not the one committed to")
    previous, seen = bytes(32), set()
    for place, event in enumerate(game["events"], 1):
        number = place.to_bytes(8, "big")
        nonce = hmac.new(secret, NONCE + number, hashlib.sha256).digest()
        previous = sha256(LOG, key, number, previous, nonce, content(event))
        if event["seq"] != place or event["hash"] != previous.hex():
            raise Wrong(f"event {place}: its hash is not of this content in this place")
        seen.add(event["hash"])
    if game["head"] != previous.hex():
        raise Wrong(f"event {len(game['events'])}: the head is another one")
    if kept and kept not in seen:
        raise Wrong("the hash that you kept is not in this log")


def check_seeds(game, kept):
    """The server's seed is the one committed to; the log has the players' seeds."""
    created = game["events"][0]["data"]
    seed = bytes.fromhex(game["server_seed"])
    promised = sha256(DEAL, game["id"].encode(), seed).hex()
    if created["commitment"] != promised or (kept and kept != promised):
        raise Wrong("event 1: the server's seed is not the one committed to")
    seeds = [""] * created["seats"]
    for event in game["events"]:
        if event["type"] in ("player_joined", "client_seed_set"):
            seeds[event["seat"]] = event["data"].get("client_seed", "")
        if event["type"] == "player_left":
            seeds[event["seat"]] = ""
    if seeds != game["client_seeds"]:
        raise Wrong("the players' seeds are not those of the log")
    return Chance(seed, game["id"], [bytes.fromhex(text) for text in seeds])


def check_chance(game, chance):
    """Every event that chance decides follows from the seeds; how many there were."""
    table, found = Table(game, chance), 0
    for event in game["events"]:
        check = getattr(table, "on_" + event["type"], None)
        if check and not check(event["data"], event["seat"]):
            raise Wrong(f"event {event['seq']}: by the seeds {event['type']} is another")
        found += check is not None
        table.told(event)
    return found


class Table:
    """What must be remembered of a game to follow its chance."""

    def __init__(self, game, chance):
        created = game["events"][0]["data"]
        self.chance, self.rules, self.seats = chance, created["rules"], created["seats"]
        self.previous = created.get("previous")
        self.pack = CARDS[52 - self.rules["deck_size"] :]
        self.deals, self.dealer, self.pile = 0, 0, []
        self.moves = self.place = 0

    def told(self, event):
        """Count moves, and events within a move, as the labels of streams do."""
        if event["type"] in BESIDE or event["seq"] == 1:
            return
        self.place += event["type"] not in ("player_joined", "player_left", "client_seed_set")
        if "next" in event:
            self.moves, self.place = self.moves + 1, 0

    def label(self, name):
        return f"{name}.{self.deals - 1}" if self.deals > 1 else name

    def on_game_started(self, data, _seat):
        self.dealer = data["dealer"]
        if self.previous is not None:
            return True  # by the rules, from the last game of the match
        if self.rules["first_dealer"] == "last_seat":
            return self.dealer == self.seats - 1
        return self.dealer == self.chance.number(self.seats, "dealer")

    def on_attacker_named(self, data, seat):
        wanted = data["reason"] != "random" or self.chance.number(self.seats, "attacker")
        return wanted is True or seat == wanted

    def on_first_player_named(self, data, seat):
        wanted = data["reason"] != "random" or self.chance.number(self.seats, "first_player")
        return wanted is True or seat == wanted

    def on_cards_dealt(self, data, _seat):
        self.deals += 1
        order, size = self.chance.shuffled(self.pack, self.label("deal")), self.hand_size()
        dealt = min(len(order), size * self.seats) if size else len(order)
        hands = [order[(s - self.dealer - 1) % self.seats : dealt : self.seats] for s in self.all()]
        talon = self.turned_up(order[dealt:])
        slots = [
            self.chance.shuffled(hand, self.label(f"hand.{seat}"))
            for seat, hand in enumerate(hands)
            if self.rules.get("face_out")
        ]
        given = [slot["cards"] for slot in data.get("slots", [])]
        return (data["hands"], data["talon"], given) == (hands, talon, slots)

    def all(self):
        return range(self.seats)

    def hand_size(self):
        if self.rules.get("deal_mode") == "full":
            return 0
        return self.rules.get("hand_size") or self.rules["deal"]

    def turned_up(self, rest):
        """The talon once the trump has been turned up; cards before it went back."""
        source = self.rules.get("trump_source", "none")
        if source not in ("turn_up", "draw_until_suit") or not rest:
            return rest
        fitting = [place for place, card in enumerate(rest) if self.may_be_trump(card)]
        if not fitting and source == "draw_until_suit":
            return self.chance.shuffled(rest, self.label("talon"))
        first = fitting[0] if fitting else 0
        others = rest[:first] + rest[first + 1 :]
        if first:
            others = self.chance.shuffled(others, self.label("talon"))
        return [*others, rest[first]]

    def may_be_trump(self, card):
        if self.rules["trump_source"] == "draw_until_suit":
            return card[1] == self.rules["trump_suit"]
        off = self.rules["self_only_suit_is_trump"] == "rule_off"
        return card[1] != self.rules["self_only_suit"] or off

    def fresh_slots(self, data, _seat):
        """Hands held face out are shuffled anew whenever they gain cards."""
        if not data.get("slots"):
            return True
        cards = data["slots"]["cards"]
        label = f"slots.{self.moves}.{self.place}"
        return cards == self.chance.shuffled(sorted(cards, key=CARDS.index), label)

    on_hand_replenished = on_bout_taken = fresh_slots

    def on_starter_opened(self, data, _seat):
        self.pile = [data["card"]]
        return True

    def on_cards_played(self, data, _seat):
        self.pile += data["cards"]
        return True

    def on_discard_recycled(self, data, _seat):
        cards, self.pile = self.pile[:-1], self.pile[-1:]
        if self.rules["recycle"] == "shuffle":
            cards = self.chance.shuffled(cards, f"recycle.{self.moves}.{self.place}")
        return data["cards"] == cards


def verify(game, commitment=None, head=None):
    """Check a game and say what was checked. Raises Wrong."""
    try:
        if game["algorithm"] != DEAL.decode() or game["schema_version"] != 1:
            raise Wrong("this script knows durak-deal-v1 and exports of version 1")
        check_chain(game, head)
        found = check_chance(game, check_seeds(game, commitment))
    except (KeyError, IndexError, TypeError, ValueError, AttributeError) as error:
        raise Wrong(f"this is not the export of a game: {error!r}") from error
    return f"game {game['id']}: {len(game['events'])} events in one chain, {found} follow the seeds"


def check_vectors(path):
    """Check this script itself against the published vectors."""
    vectors = json.loads(Path(path).read_text(encoding="utf-8"))
    for vector in vectors["deal"]:
        seed = bytes.fromhex(vector["server_seed"])
        seeds = [bytes.fromhex(text) for text in vector["client_seeds"]]
        chance = Chance(seed, vector["game_id"], seeds)
        order = chance.shuffled(CARDS[52 - vector["pack"] :], vector["label"])
        if sha256(DEAL, vector["game_id"].encode(), seed).hex() != vector["commitment"]:
            raise Wrong("a commitment of the vectors is another")
        if " ".join(order) != vector["order"]:
            raise Wrong("an order of the vectors is another")
    for game in vectors["games"]:
        verify(game)
    return f"{len(vectors['deal'])} deals and {len(vectors['games'])} games as published"


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
        return [json.loads(line) for line in text.splitlines() if line.strip()]


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
        for game in games_of(given.source) if given.source else []:
            print(verify(game, given.commitment, given.head))
    except Wrong as wrong:
        print(f"WRONG: {wrong}")
        return 1
    except (OSError, ValueError) as error:
        print(f"WRONG: cannot be read: {error}")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
