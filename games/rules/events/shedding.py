"""Events of games of getting rid of cards."""

from typing import Final

import msgspec

from games.rules.cards import Card, Suit
from games.rules.events.base import Event, Seat


class FirstPlayerNamed(Event, frozen=True):
    """Who plays first in a shedding game, and why."""

    seat: Seat
    reason: str


class Penalty(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the next seat has to take or to pass on: cards to draw, turns missed from it on."""

    draw: int
    skip: int


class StarterOpened(Event, frozen=True):
    """The first card of the pile: the last one of `seat`, the dealer, or else the talon's top."""

    card: Card
    seat: Seat | None = None
    pending: Penalty | None = None


class CardsPlayed(Event, frozen=True):
    """A seat laid `cards` on the pile, the last one on top, and named `suit` if it did.

    `pending` is what the next seat may pass on, where that is agreed.
    """

    seat: Seat
    cards: tuple[Card, ...]
    suit: Suit | None = None
    pending: Penalty | None = None


class CardsDrawn(Event, frozen=True):
    """A seat drew from the talon: in its turn, or because it was told to (`penalty`)."""

    seat: Seat
    cards: tuple[Card, ...]
    penalty: bool = False


class DiscardRecycled(Event, frozen=True):
    """The pile under its top card became the talon, `cards` in drawing order, as `seat` draws."""

    seat: Seat
    cards: tuple[Card, ...]


class SuitNamed(Event, frozen=True):
    """The dealer named a suit for the card that he opened."""

    seat: Seat
    suit: Suit


class SeatSkipped(Event, frozen=True):
    """A seat missed its turn."""

    seat: Seat


class AceRightPassed(Event, frozen=True):
    """The right to name a suit over an ace fell to `seat`, for its next turn only (C5-V4c)."""

    seat: Seat


SHEDDING_EVENTS: Final[dict[str, type[Event]]] = {
    "first_player_named": FirstPlayerNamed,
    "starter_opened": StarterOpened,
    "cards_played": CardsPlayed,
    "cards_drawn": CardsDrawn,
    "discard_recycled": DiscardRecycled,
    "suit_named": SuitNamed,
    "seat_skipped": SeatSkipped,
    "ace_right_passed": AceRightPassed,
}
