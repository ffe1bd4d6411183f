"""Positions and moves in one line each, for tests that set up a table by hand."""

from collections.abc import Mapping
from typing import Any

import pytest

from games.rules import engine
from games.rules.cards import to_cards
from games.rules.errors import Refusal
from games.rules.events import Event
from games.rules.moves import Move
from games.rules.notation import read_position
from games.rules.rulesets.registry import ruleset
from games.rules.state import State

TAKE = Move("take")
PASS = Move("pass")
SHOW = Move("show_trump", cards=("6S",))
EXCHANGE = Move("exchange_trump")
CALL = Move("call", cards=("6S",))

Turn = tuple[int, Move]


def cards(text: str) -> tuple[str, ...]:
    """The cards of a line such as ``"6S 7H"``."""
    return tuple(text.split())


def attack(text: str) -> Move:
    """Lead these cards."""
    return Move("attack", cards=cards(text))


def beat(target: str, text: str) -> Move:
    """Beat `target` with a card."""
    return Move("beat", target=target, cards=cards(text))


def throw_in(text: str) -> Move:
    """Throw these cards in."""
    return Move("throw_in", cards=cards(text))


def transfer(text: str) -> Move:
    """Transfer with these cards."""
    return Move("transfer", cards=cards(text))


def position(
    *hands: str, trump: str | None = "H", talon: str = "", attacker: int = 0, **more: Any
) -> dict[str, Any]:
    """A position as the referee reads it."""
    return {
        "hands": [list(cards(hand)) for hand in hands],
        "trump": trump,
        "talon": list(cards(talon)),
        "attacker": attacker,
        **more,
    }


def table(
    *hands: str, ruleset_id: str = "throw_in", options: Mapping[str, Any] | None = None, **more: Any
) -> State:
    """The state of a position under a ruleset with options."""
    rules = ruleset(ruleset_id, options, players=len(hands)).rules
    state, _ = read_position(rules, position(*hands, **more))
    return state


def told(state: State, *turns: Turn) -> tuple[State, tuple[Event, ...]]:
    """The state after these moves, and the events of the last one."""
    events: tuple[Event, ...] = ()
    for seat, move in turns:
        events = engine.decide(state, seat, move)
        state = engine.fold(state, events)
    return state, events


def play(state: State, *turns: Turn) -> State:
    """The state after these moves, all of which must be accepted."""
    return told(state, *turns)[0]


def refusal(state: State, seat: int, move: Move) -> str:
    """The reason for which a move must be refused, without its ``move.``."""
    with pytest.raises(Refusal) as refused:
        engine.decide(state, seat, move)
    return refused.value.code.removeprefix("move.")


def hand(state: State, seat: int) -> str:
    """A hand in one line, lowest card first."""
    return " ".join(to_cards(state.hands[seat]))


def counts(state: State) -> tuple[int, ...]:
    """How many cards each seat holds."""
    return tuple(cards.bit_count() for cards in state.hands)


def on_table(state: State) -> str:
    """The table in one line: ``"6S/7S 6C"``."""
    return " ".join("/".join(card for card in pair if card) for pair in state.table)


def offered(state: State, seat: int) -> set[str]:
    """The types of move that a seat is offered."""
    return {pattern.type for pattern in engine.legal_moves(state, seat)}
