"""The state of one shedding game: everything the rules know, in one immutable value."""

from typing import Final

import msgspec

from games.rules.cards import Card, CardSet, Suit
from games.rules.events import Penalty, Result, Seat
from games.rules.rulesets.schema import SheddingRules

PLAY: Final = "play"
DRAWN: Final = "drawn"
NAME_SUIT: Final = "name_suit"
ACE_CHAIN: Final = "ace_chain"


class SheddingState(msgspec.Struct, frozen=True, omit_defaults=True, tag="shedding"):
    """One game from the deal on. Build it by folding events, never by hand.

    `hands` are sets, one a seat; `talon` lists what will be drawn, `pile` what was played, its last
    card on top. `drawn` is the card drawn last by the seat to act, in this turn. `pending` is a
    penalty that may still be passed on, `ace_right` the seat that inherited the right of an ace.
    `passed` names who passed since the last play or draw. `out` are those that left the game,
    `last_cards` the cards they did it with, `places` what place each was told. `moves` counts the
    decisions so far, the one now due included.
    """

    rules: SheddingRules
    seats: int
    hands: tuple[CardSet, ...] = ()
    talon: tuple[Card, ...] = ()
    pile: tuple[Card, ...] = ()
    named_suit: Suit | None = None
    dealer: Seat = 0
    first_player: Seat | None = None
    phase: str = PLAY
    to_act: tuple[Seat, ...] = ()
    passed: tuple[Seat, ...] = ()
    drawn: Card | None = None
    pending: Penalty | None = None
    ace_right: Seat | None = None
    moves: int = 0
    out: tuple[Seat, ...] = ()
    last_cards: tuple[Card | None, ...] = ()
    places: tuple[tuple[Seat, int], ...] = ()
    result: Result | None = None
