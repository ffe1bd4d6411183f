"""The engine and the reference side by side, in one game."""

import random
from itertools import combinations
from typing import Any

import msgspec

from games.rules import engine
from games.rules.cards import CARDS
from games.rules.events import Event
from games.rules.moves import Move
from games.rules.notation import read_position
from games.rules.rulesets.registry import Ruleset
from games.rules.shuffle import Entropy
from games.rules.state import State
from tests.reference.moves import cards_of
from tests.reference.refusals import why_not
from tests.reference.sides import Json, Sides, written
from tests.reference.table import Table

MoveKey = tuple[str, str | None, tuple[str, ...]]
# Where a game has ended nobody asks who would have attacked whom.
RUNNING_ONLY = ("attacker", "defender", "passed", "emptied", "shown", "plays", "barred")


class Duel(Sides[State, Table]):
    """A game of the bout family in two readings."""

    def __init__(self, chosen: Ruleset, state: State, entropy: Entropy) -> None:
        table = Table(written(state), msgspec.structs.asdict(chosen.rules))
        super().__init__(chosen, state, entropy, table)

    @classmethod
    def dealt(cls, chosen: Ruleset, players: int, rng: random.Random) -> "Duel":
        """A game from its deal on."""
        entropy = Entropy(rng.randbytes(32), "duel", (b"",) * players)
        blank = State(rules=chosen.rules, seats=players)
        events = engine.start(chosen.rules, players, entropy)
        return cls(chosen, engine.fold(blank, events), entropy)

    @classmethod
    def placed(cls, chosen: Ruleset, position: Json, rng: random.Random) -> "Duel":
        """A game from a position on."""
        state, _ = read_position(chosen.rules, position)
        return cls(chosen, state, Entropy(rng.randbytes(32), "duel", (b"",) * state.seats))

    def play(self, seat: int, move: Json) -> None:
        """Make a move in both readings, which must accept it and agree on what becomes of it."""
        self.made(seat, move, self.decide(seat, move))

    def decide(self, seat: int, move: Json) -> tuple[Event, ...]:
        """The engine's answer to a move with cards by face."""
        cards = tuple(cards_of(move))
        named = {"slots": self.slots(seat, cards)} if self.state.slots else {"cards": cards}
        wanted = Move(move["type"], target=move.get("target"), **named)
        return engine.decide(self.state, seat, wanted, self.entropy)

    def refused(self, seat: int, move: Json) -> str | None:
        """The reference's reason to refuse a move."""
        return why_not(self.table, seat, move)

    def counts(self, name: str) -> bool:
        """Whether a field of the position means anything now."""
        return self.state.result is None or name not in RUNNING_ONLY

    def seen(self) -> tuple[Json, Json]:
        """The game as the engine and as the reference see it."""
        return seen(self.position(), self.state), self.table.snapshot()

    def comparable(self, name: str, position: Json) -> Any:
        """A field without regard to an order that means nothing."""
        return comparable(name, position)

    def compare_moves(self, seat: int, most: int) -> list[Json]:
        """The moves of a seat, of at most `most` cards, on which both agree."""
        moves = self.table.all_moves(seat, most)
        expected = {key_of(move) for move in moves}
        expected |= {("call", None, (card,)) for card in self.table.callable_cards(seat)}
        self.compare_sets(seat, self.offered(seat, most), expected)
        return moves

    def offered(self, seat: int, most: int) -> set[MoveKey]:
        """The engine's patterns, written out."""
        moves = set()
        for pattern in engine.legal_moves(self.state, seat):
            cards = pattern.cards or ()
            if pattern.slots is not None:
                cards = self.faces(seat, pattern.slots)
            for count in range(pattern.min or 0, min(pattern.max or 0, most) + 1):
                for some in combinations(cards, count):
                    moves.add((pattern.type, pattern.target, tuple(sorted(some))))
        return moves

    def faces(self, seat: int, slots: tuple[int, ...]) -> tuple[str, ...]:
        """The cards in these slots of a hand that is held face out."""
        base = self.state.slot_base[seat]
        return tuple(self.state.slots[seat][slot - base] or "??" for slot in slots)

    def slots(self, seat: int, cards: tuple[str, ...]) -> tuple[int, ...]:
        """The slots of these cards; of cards that are elsewhere a number that no slot has."""
        places, base = self.state.slots[seat], self.state.slot_base[seat]
        return tuple(
            base + places.index(card) if card in places else 10_000 + CARDS.index(card)
            for card in cards
        )


def seen(position: Json, state: State) -> Json:
    """A position with the parts of the result that it leaves out."""
    result = state.result
    durak = position["durak"]
    return position | {
        "durak": list(durak) if isinstance(durak, tuple) else durak,
        "reason": result.reason if result else None,
        "places": [sorted(place) for place in result.places] if result else [],
        "epaulettes": getattr(result, "epaulettes", 0) or 0,
    }


def comparable(name: str, position: Json) -> Any:
    """A field without regard to an order that means nothing."""
    value = position[name]
    if name == "hands":
        return [sorted(hand) for hand in value]
    if name in ("to_act", "passed", "shown", "barred"):
        return sorted(value)
    if name == "plays":
        return sorted(value, key=lambda play: play["card"])
    if name == "emptied":
        return value if position["table"] else []
    return value


def key_of(move: Json) -> MoveKey:
    """A move that can stand in a set."""
    return move["type"], move.get("target"), tuple(sorted(cards_of(move)))
