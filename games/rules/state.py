"""The state of one game of cards: everything the rules know, in one immutable value."""

from functools import lru_cache
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


# Pairs are values and few: each is made once.
pair_of = lru_cache(maxsize=None)(Pair)


class Play(NamedTuple):
    """A beat (of `target`) or a throw-in that may be called, and whether it was wrong (3.7, 11)."""

    seat: Seat
    card: Card
    target: Card | None
    wrong: bool


class State(msgspec.Struct, frozen=True, omit_defaults=True, tag="bout"):
    """One game from the deal on. Build it by folding events, never by hand.

    `hands` are sets, one a seat; `talon` lists what will be drawn, its last card is the turn-up.
    `limit` bounds the attack cards of the bout that lies on the table. `emptied` names the seats
    that shed their last card, in that order, `shed` the cards they did it with, `out` those that
    left the game, `places` what place each of them was told. `moves` counts the decisions so far,
    the one now due included. `seen` holds the positions at the start of each bout since the talon
    ran out (for the draw by repetition).
    `exposed` cards were shown to everybody, until they leave the hand for the table (W12); `shown`
    trumps passed this bout on. `plays` are this bout's beats and throw-ins that can be called,
    `barred` seats were caught.
    With hands face out `slots` lists each hand in the order of its slots, played ones as None, and
    `slot_base` the number of each first slot.
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
    shed: tuple[tuple[Card, ...], ...] = ()
    out: tuple[Seat, ...] = ()
    places: tuple[tuple[Seat, int], ...] = ()
    lowest_trump_owner: Seat | None = None
    exposed: CardSet = 0
    shown: tuple[Card, ...] = ()
    plays: tuple[Play, ...] = ()
    barred: tuple[Seat, ...] = ()
    slots: tuple[tuple[Card | None, ...], ...] = ()
    slot_base: tuple[int, ...] = ()
    seen: tuple[tuple[int, ...], ...] = ()
    result: Result | None = None
