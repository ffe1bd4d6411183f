"""The engine and the reference side by side, in one game."""

import json
import random
from itertools import combinations
from typing import Any

import msgspec

from games.rules import engine
from games.rules.cards import CARDS, to_cards
from games.rules.errors import Refusal
from games.rules.moves import Move
from games.rules.notation import read_position, write_position
from games.rules.rulesets.registry import Ruleset
from games.rules.shuffle import Entropy
from games.rules.state import State
from tests.reference.refusals import cards_of, why_not
from tests.reference.table import Table

Json = dict[str, Any]
MoveKey = tuple[str, str | None, tuple[str, ...]]
# Where a game has ended nobody asks who would have attacked whom.
RUNNING_ONLY = ("attacker", "defender", "passed", "emptied", "shown", "plays", "barred")


class Disagreement(AssertionError):
    """Engine and reference differ; the message is a call of the referee and what each says."""


class Duel:
    """One game in two readings. Every method that compares raises Disagreement."""

    def __init__(self, chosen: Ruleset, state: State, entropy: Entropy) -> None:
        self.chosen = chosen
        self.entropy = entropy
        self.state = state
        self.table = Table(self.position(), msgspec.structs.asdict(chosen.rules))
        self.compare_positions(None)

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

    def position(self) -> Json:
        """The engine's state as the referee writes it."""
        return write_position(self.state, [to_cards(hand) for hand in self.state.hands])

    def play(self, seat: int, move: Json) -> None:
        """Make a move in both readings, which must accept it and agree on what becomes of it."""
        before = self.position()
        self.state = engine.fold(self.state, self.decide(seat, move))
        self.table.play(seat, move)
        self.compare_positions((seat, move), before)

    def decide(self, seat: int, move: Json) -> Any:
        """The engine's answer to a move with cards by face."""
        cards = tuple(cards_of(move))
        named = {"slots": self.slots(seat, cards)} if self.state.slots else {"cards": cards}
        wanted = Move(move["type"], target=move.get("target"), **named)
        return engine.decide(self.state, seat, wanted, self.entropy)

    def compare_positions(self, turn: Any, before: Json | None = None) -> None:
        """Whether both see the same game."""
        engine_says, reference_says = seen(self.position(), self.state), self.table.snapshot()
        names = [name for name in engine_says if name in reference_says]
        for name in names:
            if self.state.result is not None and name in RUNNING_ONLY:
                continue
            ours, theirs = comparable(name, engine_says), comparable(name, reference_says)
            if ours != theirs:
                self.differ(f"{name} after the move", turn, ours, theirs, before)

    def compare_moves(self, seat: int, most: int) -> list[Json]:
        """The moves of a seat, of at most `most` cards, on which both agree."""
        moves = self.table.all_moves(seat, most)
        expected = {key_of(move) for move in moves}
        expected |= {("call", None, (card,)) for card in self.table.callable_cards(seat)}
        offered = self.offered(seat, most)
        if offered != expected:
            only = sorted(offered - expected, key=str), sorted(expected - offered, key=str)
            self.differ(f"legal moves of {seat} (only one has them)", None, *only)
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

    def compare_refusal(self, seat: int, move: Json) -> None:
        """Whether both refuse a move for the same reason, or both accept it."""
        try:
            self.decide(seat, move)
            code = None
        except Refusal as refusal:
            code = refusal.code
        expected = why_not(self.table, seat, move)
        if code != expected:
            self.differ("the answer to the last move", (seat, move), code, expected)

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

    def differ(
        self, what: str, turn: Any, ours: Any, theirs: Any, before: Json | None = None
    ) -> None:
        """Report the position as a call of the referee."""
        call = {
            "ruleset": self.chosen.id,
            "options": self.chosen.options,
            "position": before or self.position(),
            "moves": [{"seat": turn[0], "move": turn[1]}] if turn else [],
        }
        message = f"{what}\n engine: {ours}\n reference: {theirs}\n{json.dumps(call)}"
        raise Disagreement(message)


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
