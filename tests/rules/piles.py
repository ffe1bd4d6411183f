"""Shedding positions and moves in one line each, for tests that set up a table by hand."""

from collections.abc import Mapping
from typing import Any

from games.rules import engine
from games.rules.cards import pack
from games.rules.events import Event
from games.rules.moves import Move
from games.rules.notation import read_position
from games.rules.rulesets.registry import ruleset
from games.rules.shedding.state import SheddingState
from tests.rules.tables import PASS, Turn, cards

DRAW = Move("draw")
__all__ = ["DRAW", "PASS", "Turn", "gone_through", "lay", "name", "points", "table", "told"]


def lay(text: str, suit: str | None = None) -> Move:
    """Play these cards, and name a suit."""
    return Move("play", cards=cards(text), suit=suit)


def name(suit: str | None) -> Move:
    """Name a suit for the card that was opened."""
    return Move("name_suit", suit=suit)


def table(
    *hands: str,
    pile: str = "KD",
    talon: str | None = None,
    to_act: int = 0,
    ruleset_id: str = "mau_mau",
    options: Mapping[str, Any] | None = None,
    **more: Any,
) -> SheddingState:
    """The state of a position under a ruleset with options; some cards are left to be drawn."""
    rules = ruleset(ruleset_id, options, players=len(hands)).rules
    named = " ".join((*hands, pile)).split()
    left = [card for card in reversed(pack(rules.deck_size)) if card not in named]
    body = {
        "hands": [list(cards(hand)) for hand in hands],
        "discard_pile": list(cards(pile)),
        "talon": left[:3] if talon is None else list(cards(talon)),
        "to_act": to_act,
        **more,
    }
    state, _ = read_position(rules, body)
    assert isinstance(state, SheddingState)
    return state


def told(state: SheddingState, *turns: Turn) -> tuple[SheddingState, tuple[Event, ...]]:
    """The state after these moves, and the events of the last one."""
    events: tuple[Event, ...] = ()
    for seat, move in turns:
        events = engine.decide(state, seat, move)
        state = engine.fold(state, events)
    return state, events


def gone_through(state: SheddingState, *turns: Turn) -> list[str]:
    """The names of the events of the last of these moves."""
    return [type(event).__name__ for event in told(state, *turns)[1]]


def points(state: SheddingState) -> dict[str, int] | None:
    """The points of a finished game."""
    assert state.result is not None
    return state.result.points
