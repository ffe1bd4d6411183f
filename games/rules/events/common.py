"""Events of the cards in either family."""

from typing import Final

import msgspec

from games.rules.cards import Card
from games.rules.events.base import Event, Result, Seat


class GameStarted(Event, frozen=True):
    """All seats are taken and the cards are about to be dealt."""

    dealer: Seat


class Slots(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A hand face out in the order of its fresh slots; the first slot has the number `base`."""

    base: int
    cards: tuple[Card, ...]


class CardsDealt(Event, frozen=True):
    """Hands by seat, and the talon in the order in which it will be drawn (U01)."""

    hands: tuple[tuple[Card, ...], ...]
    talon: tuple[Card, ...]
    slots: tuple[Slots, ...] = ()


class SeatPassed(Event, frozen=True):
    """A seat does nothing now: adds no card, keeps what it drew, declines what it might do."""

    seat: Seat


class SeatWentOut(Event, frozen=True):
    """A seat has left without cards (of a bout: with the talon gone); `place` counts from 1."""

    seat: Seat
    place: int


class GameFinished(Event, frozen=True):
    """The end."""

    result: Result


COMMON_EVENTS: Final[dict[str, type[Event]]] = {
    "game_started": GameStarted,
    "cards_dealt": CardsDealt,
    "seat_passed": SeatPassed,
    "seat_went_out": SeatWentOut,
    "game_finished": GameFinished,
}
