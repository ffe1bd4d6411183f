"""Deciding bout moves: from a legal move to the events that it causes."""

from collections.abc import Callable
from typing import Final

from games.rules.bout.flow import Story, conclude
from games.rules.bout.judge import why_not
from games.rules.bout.seating import active_after, bout_limit
from games.rules.errors import MalformedMove, Refusal
from games.rules.events import (
    BoutOpened,
    BoutTransferred,
    CardBeaten,
    CardsThrownIn,
    Event,
    Seat,
    SeatPassed,
    TakeDeclared,
)
from games.rules.moves import Move
from games.rules.state import State


def decide(state: State, seat: Seat, move: Move) -> tuple[Event, ...]:
    """The events of a move; the last one says what follows. Raises Refusal and MalformedMove."""
    if move.slots:
        raise MalformedMove({"slots": "this ruleset names cards by face"})
    code = why_not(state, seat, move)
    if code is not None:
        raise Refusal(code)
    return conclude(Story(state, _EVENTS[move.type](state, seat, move)))


def _opened(state: State, seat: Seat, move: Move) -> Event:
    defender = state.defender or 0
    limit = bout_limit(state, defender)
    return BoutOpened(seat=seat, defender=defender, cards=move.cards, limit=limit)


def _beaten(state: State, seat: Seat, move: Move) -> Event:
    return CardBeaten(seat=seat, target=move.target or "", card=move.cards[0])


def _thrown_in(state: State, seat: Seat, move: Move) -> Event:
    return CardsThrownIn(seat=seat, cards=move.cards)


def _transferred(state: State, seat: Seat, move: Move) -> Event:
    target = active_after(state, seat)
    limit = bout_limit(state, target)
    return BoutTransferred(seat=seat, defender=target, cards=move.cards, limit=limit)


def _take(state: State, seat: Seat, move: Move) -> Event:
    return TakeDeclared(seat=seat)


def _passed(state: State, seat: Seat, move: Move) -> Event:
    return SeatPassed(seat=seat)


_EVENTS: Final[dict[str, Callable[[State, Seat, Move], Event]]] = {
    "attack": _opened,
    "beat": _beaten,
    "throw_in": _thrown_in,
    "transfer": _transferred,
    "take": _take,
    "pass": _passed,
}
