"""Events: facts of one game, in the past tense, in the order in which they happened.

Events say which cards moved where, so that a log can be folded without asking the rules again.
The last event of each move carries `next`: the phase and the seats that may act now.
"""

from datetime import datetime
from typing import Final

import msgspec

from games.rules.cards import Card, Suit

Seat = int


class Next(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What follows a move: the phase, who may act, and who attacks whom."""

    phase: str
    to_act: tuple[Seat, ...] = ()
    attacker: Seat | None = None
    defender: Seat | None = None


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game ended. `places` lists the seats of the first place, of the second, and so on.

    `epaulettes` is there only where they are counted: with how many sixes the durak was finished.
    `match_losers` are seats that lose the match at once, whatever the points, if any do.
    """

    durak: Seat | tuple[Seat, ...] | None
    draw: bool
    winner: Seat | None
    places: tuple[tuple[Seat, ...], ...]
    reason: str
    points: dict[str, int] | None = None
    epaulettes: int | msgspec.UnsetType = msgspec.UNSET
    match_losers: tuple[Seat, ...] | msgspec.UnsetType = msgspec.UNSET


class Previous(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the next game of a match needs to know of the last one."""

    dealer: Seat
    durak: Seat | None
    winner: Seat | None
    draw: bool


class Event(
    msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True, forbid_unknown_fields=True
):
    """Any event. A fact that is not declared is an error: no log is read by halves."""

    next: Next | None = None


class GameCreated(Event, frozen=True):
    """A table was opened. Everything that decides the game is fixed here but the seeds.

    `rules` is the complete ruleset and `ruleset_sha256` its hash; `commitment` and
    `chain_commitment` are the hex digests of the secrets of deal and log. `series_length` and
    `match_target` say when the match ends; `previous` is the game before this one in it. `reserved`
    are the accounts that alone may take the seats, until `reserved_until`.
    """

    ruleset: str
    options: dict[str, object]
    rules: dict[str, object]
    ruleset_sha256: str
    seats: int
    creator: str
    rated: bool
    visibility: str
    auto_start: bool
    match: str
    game_number: int
    commitment: str
    chain_commitment: str
    series_length: int | None = None
    match_target: int | None = None
    previous: Previous | None = None
    reserved: tuple[str | None, ...] = ()
    reserved_until: datetime | None = None


class PlayerJoined(Event, frozen=True):
    """A player took a seat; `brain` names what plays it if it is a bot's, `seed` is in hex."""

    seat: Seat
    player: str
    kind: str
    brain: str | None = None
    client_seed: str = ""


class PlayerLeft(Event, frozen=True):
    """A player gave his seat back before the start."""

    seat: Seat
    player: str


class GameStarted(Event, frozen=True):
    """All seats are taken and the cards are about to be dealt."""

    dealer: Seat


class Slots(msgspec.Struct, frozen=True):
    """A hand face out in the order of its fresh slots; the first slot has the number `base`."""

    base: int
    cards: tuple[Card, ...]


class CardsDealt(Event, frozen=True):
    """Hands by seat, and the talon in the order in which it will be drawn (U01)."""

    hands: tuple[tuple[Card, ...], ...]
    talon: tuple[Card, ...]
    slots: tuple[Slots, ...] = ()


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


class SeatPassed(Event, frozen=True):
    """A seat has nothing to add to the bout, or nothing to play."""

    seat: Seat


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


class SeatWentOut(Event, frozen=True):
    """A seat has no cards and none are left to draw; `place` counts from 1."""

    seat: Seat
    place: int


class SeatResigned(Event, frozen=True):
    """A player gave the game up."""

    seat: Seat


class SeatReplaced(Event, frozen=True):
    """A bot plays a seat from now on."""

    seat: Seat
    brain: str
    reason: str


class SeatReturned(Event, frozen=True):
    """A player took his seat back from the bot."""

    seat: Seat


class GameFinished(Event, frozen=True):
    """The end."""

    result: Result


class GameVoided(Event, frozen=True):
    """The game was called off before its deal."""

    result: Result


CARD_EVENTS: Final[dict[str, type[Event]]] = {
    "game_started": GameStarted,
    "cards_dealt": CardsDealt,
    "trump_turned": TrumpTurned,
    "cards_redealt": CardsRedealt,
    "attacker_named": AttackerNamed,
    "bout_opened": BoutOpened,
    "card_beaten": CardBeaten,
    "cards_thrown_in": CardsThrownIn,
    "bout_transferred": BoutTransferred,
    "trump_shown": TrumpShown,
    "trump_exchanged": TrumpExchanged,
    "wrong_play_punished": WrongPlayPunished,
    "wrong_play_called": WrongPlayCalled,
    "take_declared": TakeDeclared,
    "seat_passed": SeatPassed,
    "bout_taken": BoutTaken,
    "bout_discarded": BoutDiscarded,
    "hand_replenished": HandReplenished,
    "first_player_named": FirstPlayerNamed,
    "starter_opened": StarterOpened,
    "cards_played": CardsPlayed,
    "cards_drawn": CardsDrawn,
    "discard_recycled": DiscardRecycled,
    "suit_named": SuitNamed,
    "seat_skipped": SeatSkipped,
    "ace_right_passed": AceRightPassed,
    "seat_went_out": SeatWentOut,
    "game_finished": GameFinished,
}
TABLE_EVENTS: Final[dict[str, type[Event]]] = {
    "game_created": GameCreated,
    "player_joined": PlayerJoined,
    "player_left": PlayerLeft,
    "seat_resigned": SeatResigned,
    "seat_replaced": SeatReplaced,
    "seat_returned": SeatReturned,
    "game_voided": GameVoided,
}
EVENTS: Final = TABLE_EVENTS | CARD_EVENTS
TYPE_OF: Final[dict[type[Event], str]] = {cls: name for name, cls in EVENTS.items()}
