"""Events of games of attack and defence."""

from typing import Final

from games.rules.cards import Card, Suit
from games.rules.events.base import Event, Seat
from games.rules.events.common import Slots


class TrumpTurned(Event, frozen=True):
    """The trump is known. `seat` holds its card if that was dealt (G2); a constant suit has none.

    `drawn` were turned up before it and went back into the talon, which was shuffled then (C4-09,
    U17): the order in `cards_dealt` is the one after that.
    """

    suit: Suit
    card: Card | None = None
    seat: Seat | None = None
    drawn: tuple[Card, ...] = ()


class TrumpShown(Event, frozen=True):
    """The defender showed a trump of the rank and `defender` must now answer for the bout."""

    seat: Seat
    card: Card
    defender: Seat
    limit: int


class TrumpExchanged(Event, frozen=True):
    """A seat laid its lowest trump under the talon and took the open card."""

    seat: Seat
    card: Card
    open_card: Card


class CardsRedealt(Event, frozen=True):
    """The deal is void and another follows (G1)."""

    reason: str


class AttackerNamed(Event, frozen=True):
    """Who attacks first, and why; `card` is the lowest trump that decided it (U02)."""

    seat: Seat
    reason: str
    card: Card | None = None


class BoutOpened(Event, frozen=True):
    """The attacker led `cards`; at most `limit` attack cards may lie in this bout.

    Cards that were held face out left `from_slots`; only their owner is told (likewise below).
    """

    seat: Seat
    defender: Seat
    cards: tuple[Card, ...]
    limit: int
    from_slots: tuple[int, ...] = ()


class CardBeaten(Event, frozen=True):
    """The defender beat `target` with `card`; `wrong` if it does not, which somebody may call."""

    seat: Seat
    target: Card
    card: Card
    wrong: bool = False
    from_slots: tuple[int, ...] = ()


class CardsThrownIn(Event, frozen=True):
    """A seat added attack cards; `wrong` are those whose rank was not on the table."""

    seat: Seat
    cards: tuple[Card, ...]
    wrong: tuple[Card, ...] = ()
    from_slots: tuple[int, ...] = ()


class BoutTransferred(Event, frozen=True):
    """The defender added cards of the rank and `defender` must now answer for all."""

    seat: Seat
    defender: Seat
    cards: tuple[Card, ...]
    limit: int
    from_slots: tuple[int, ...] = ()


class TakeDeclared(Event, frozen=True):
    """The defender will take; the others may still add cards."""

    seat: Seat


class WrongPlayPunished(Event, frozen=True):
    """Cards that do not fit, played unseen: everybody saw them, they stay with their owner (B-32).

    `move` is the type of the move, `target` what it should have beaten.
    """

    seat: Seat
    move: str
    cards: tuple[Card, ...]
    target: Card | None = None


class WrongPlayCalled(Event, frozen=True):
    """`seat` called a wrong card of `offender`, who got it back; `target` is what it had beaten.

    A called throw-in that was beaten already gives its beater back as well: `returned`.
    """

    seat: Seat
    offender: Seat
    card: Card
    target: Card | None = None
    returned: Card | None = None


class BoutTaken(Event, frozen=True):
    """A seat picked up everything on the table: the defender, or who threw in wrongly (G5)."""

    seat: Seat
    cards: tuple[Card, ...]
    slots: Slots | None = None


class BoutDiscarded(Event, frozen=True):
    """Everything was beaten and went to the discard pile."""

    cards: tuple[Card, ...]


class HandReplenished(Event, frozen=True):
    """A seat drew from the talon; `open_card` is the turn-up if it was among the cards (W02)."""

    seat: Seat
    cards: tuple[Card, ...]
    open_card: Card | None = None
    slots: Slots | None = None


BOUT_EVENTS: Final[dict[str, type[Event]]] = {
    "trump_turned": TrumpTurned,
    "trump_shown": TrumpShown,
    "trump_exchanged": TrumpExchanged,
    "cards_redealt": CardsRedealt,
    "attacker_named": AttackerNamed,
    "bout_opened": BoutOpened,
    "card_beaten": CardBeaten,
    "cards_thrown_in": CardsThrownIn,
    "bout_transferred": BoutTransferred,
    "take_declared": TakeDeclared,
    "wrong_play_punished": WrongPlayPunished,
    "wrong_play_called": WrongPlayCalled,
    "bout_taken": BoutTaken,
    "bout_discarded": BoutDiscarded,
    "hand_replenished": HandReplenished,
}
