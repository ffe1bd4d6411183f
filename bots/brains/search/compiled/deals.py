"""Dealing what a seat cannot see."""

from typing import NamedTuple

from bots.brains.search.compiled import layout as at
from bots.brains.search.compiled.bits import below
from bots.brains.search.compiled.building import Chance, Numbers, compiled


class Unknown(NamedTuple):
    """A position with what is not known of it.

    `hidden` tells how many of the `cards` each seat holds besides those it has in `start`; the
    others lie in the talon, on the card `bottom` if that is not 0. Cards that are `late` are in
    `able` places alone, which are numbers among the cards once these are shuffled.
    """

    start: Numbers
    hidden: Numbers
    cards: Numbers
    able: Numbers
    bottom: int
    late: int


@compiled
def deal(unknown: Unknown, chance: Chance) -> Numbers:
    """A position drawn from all that are possible, each as likely as another."""
    pos, cards = unknown.start.copy(), unknown.cards
    _shuffle(cards, chance)
    if unknown.late:
        _shuffle(unknown.able, chance)
        _arrange(cards, unknown.late, unknown.able)
    used = 0
    for seat in range(at.SEATS_MOST):
        for _ in range(unknown.hidden[seat]):
            pos[at.HANDS + seat] |= cards[used]
            used += 1
    pos[at.TALON] = unknown.bottom
    left = 1 if unknown.bottom else 0
    for card in cards[used:]:
        pos[at.TALON + left] = card
        left += 1
    pos[at.LEFT] = left
    return pos


@compiled
def _shuffle(cards: Numbers, chance: Chance) -> None:
    """Every order as likely as another (Fisher and Yates)."""
    for last in range(len(cards) - 1, 0, -1):
        other = below(chance, last + 1)
        cards[last], cards[other] = cards[other], cards[last]


@compiled
def _arrange(cards: Numbers, late: int, able: Numbers) -> None:
    """Late cards go to the first of the able places, the others fill the rest in their order."""
    ordered = cards.copy()
    taken = used = spot = 0
    for card in ordered:
        if card & late:
            cards[able[used]] = card
            taken |= 1 << able[used]
            used += 1
    for card in ordered:
        if not card & late:
            while taken >> spot & 1:
                spot += 1
            cards[spot] = card
            spot += 1
