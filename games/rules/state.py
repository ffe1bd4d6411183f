"""The state of one game of cards: everything the rules know, in one immutable value."""

from typing import Final, NamedTuple

import msgspec

from games.rules.cards import Card, CardSet, Suit
from games.rules.events import Result, Seat
from games.rules.rulesets.schema import BoutRules

ATTACK: Final = "attack"
DEFEND: Final = "defend"
THROW_IN: Final = "throw_in"
TAKE: Final = "take"
FINISHED: Final = "finished"


class Pair(NamedTuple):
    """An attack card and what beat it, if anything did."""

    attack: Card
    beat: Card | None = None


class State(msgspec.Struct, frozen=True, omit_defaults=True):
    """One game from the deal on. Build it by folding events, never by hand.

    `hands` are sets, one a seat; `talon` lists what will be drawn, its last card is the turn-up.
    `limit` bounds the attack cards of the bout that lies on the table. `emptied` names the seats
    that shed their last card, in that order, `out` those that left the game, `places` what place
    each of them was told. `moves` counts the decisions so far, the one now due included. `seen`
    holds the positions at the start of each bout since the talon ran out (for the draw by
    repetition).
    """

    rules: BoutRules
    seats: int
    hands: tuple[CardSet, ...] = ()
    talon: tuple[Card, ...] = ()
    discard: CardSet = 0
    discard_count: int = 0
    table: tuple[Pair, ...] = ()
    trump: Suit | None = None
    turn_up: Card | None = None
    dealer: Seat = 0
    attacker: Seat | None = None
    defender: Seat | None = None
    phase: str = ATTACK
    to_act: tuple[Seat, ...] = ()
    passed: tuple[Seat, ...] = ()
    limit: int = 0
    bouts: int = 0
    moves: int = 0
    emptied: tuple[Seat, ...] = ()
    out: tuple[Seat, ...] = ()
    places: tuple[tuple[Seat, int], ...] = ()
    lowest_trump_owner: Seat | None = None
    seen: tuple[tuple[int, ...], ...] = ()
    result: Result | None = None
