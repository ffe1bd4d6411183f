"""The engine and a reference side by side, in one game of either family."""

import json
from typing import Any, Generic, TypeVar

from games.rules import engine
from games.rules.cards import to_cards
from games.rules.errors import Refusal
from games.rules.events import Event
from games.rules.notation import write_position
from games.rules.rulesets.registry import Ruleset
from games.rules.shedding.state import SheddingState
from games.rules.shuffle import Entropy
from games.rules.state import State
from tests.reference.moves import Move

Json = dict[str, Any]
S = TypeVar("S", State, SheddingState)
T = TypeVar("T")


class Disagreement(AssertionError):
    """Engine and reference differ; the message is a call of the referee and what each says."""


class Sides(Generic[S, T]):
    """One game in two readings. Every method that compares raises Disagreement.

    A family says in `decide`, `refused`, `counts`, `seen` and `comparable` what is its own.
    """

    def __init__(self, chosen: Ruleset, state: S, entropy: Entropy, table: T) -> None:
        self.chosen = chosen
        self.entropy = entropy
        self.state = state
        self.table = table
        self.compare_positions(None)

    def decide(self, seat: int, move: Move) -> tuple[Event, ...]:
        """The engine's answer to a move."""
        raise NotImplementedError

    def refused(self, seat: int, move: Move) -> str | None:
        """The reference's reason to refuse a move."""
        raise NotImplementedError

    def counts(self, name: str) -> bool:
        """Whether a field of the position means anything now."""
        raise NotImplementedError

    def seen(self) -> tuple[Json, Json]:
        """The game as the engine and as the reference see it."""
        raise NotImplementedError

    def comparable(self, name: str, position: Json) -> Any:
        """A field without regard to an order that means nothing."""
        raise NotImplementedError

    def position(self) -> Json:
        """The engine's state as the referee writes it."""
        return written(self.state)

    def made(self, seat: int, move: Move, events: tuple[Event, ...]) -> None:
        """Let the events of a move, which the reference makes too, lead to the same position."""
        before = self.position()
        self.state = engine.fold(self.state, events)
        self.table.play(seat, move)
        self.compare_positions((seat, move), before)

    def compare_positions(self, turn: Any, before: Json | None = None) -> None:
        """Whether both see the same game."""
        engine_says, reference_says = self.seen()
        for name in [name for name in engine_says if name in reference_says and self.counts(name)]:
            ours = self.comparable(name, engine_says)
            theirs = self.comparable(name, reference_says)
            if ours != theirs:
                self.differ(f"{name} after the move", turn, ours, theirs, before)

    def compare_refusal(self, seat: int, move: Move) -> None:
        """Whether both refuse a move for the same reason, or both accept it."""
        try:
            self.decide(seat, move)
            code = None
        except Refusal as refusal:
            code = refusal.code
        expected = self.refused(seat, move)
        if code != expected:
            self.differ("the answer to the last move", (seat, move), code, expected)

    def compare_sets(self, seat: int, offered: set[Any], expected: set[Any]) -> None:
        """Whether both allow a seat the same moves."""
        if offered != expected:
            only = sorted(offered - expected, key=str), sorted(expected - offered, key=str)
            self.differ(f"legal moves of {seat} (only one has them)", None, *only)

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


def written(state: State | SheddingState) -> Json:
    """A state as the referee writes it."""
    return write_position(state, [to_cards(hand) for hand in state.hands])
