"""Which cards of a hand may be laid now."""

from typing import Final

from games.rules.cards import BIT, CARDS, RANK_MASK, SUIT_MASK, CardSet
from games.rules.events import Seat
from games.rules.shedding.state import ACE_CHAIN, SheddingState
from games.rules.shedding.tables import tables

_EVERY_CARD: Final[CardSet] = (1 << len(CARDS)) - 1


def fitting(state: SheddingState) -> CardSet:
    """Every card that follows what lies on top, suit-naming ones as if they were ordinary.

    On an empty pile any card does (3.7, 20); a named suit must be followed in suit (3.7, 18), a
    penalty is passed on by its rank, and to an ace a card of its suit is added (C5-V4a).
    """
    if not state.pile:
        return _EVERY_CARD
    top = state.pile[-1]
    if state.phase == ACE_CHAIN:
        return SUIT_MASK[top[1]]
    if state.pending is not None:
        return RANK_MASK[top]
    if state.named_suit is not None:
        return SUIT_MASK[state.named_suit]
    return tables(state.rules).fits[top]


def plain_fit(state: SheddingState, seat: Seat) -> CardSet:
    """The ordinary cards of a hand that fit: without any its owner is stuck (3.7, 15)."""
    return fitting(state) & state.hands[seat] & ~tables(state.rules).wild


def wild_fit(state: SheddingState, seat: Seat) -> CardSet:
    """The suit-naming cards of a hand that may be laid (A-17, A-18, C5-15, G15)."""
    found = tables(state.rules)
    held = state.hands[seat] & found.wild
    if not held or not state.pile:
        return held
    if state.phase == ACE_CHAIN or state.pending is not None:
        return held & fitting(state)
    if BIT[state.pile[-1]] & found.blocked:
        return 0
    if state.rules.wild_condition == "always" or not plain_fit(state, seat):
        return held
    return held & fitting(state)


def stops(state: SheddingState) -> CardSet:
    """Cards at which drawing until a playable one ends, a suit-naming one among them (3.7, 17)."""
    wild = tables(state.rules).wild
    if BIT[state.pile[-1]] & tables(state.rules).blocked:
        return fitting(state) & ~wild
    return fitting(state) | wild


def may_draw_more(state: SheddingState) -> bool:
    """Whether there is anything to draw, the pile turned over if need be (G14)."""
    return bool(state.talon) or len(state.pile) > 1
