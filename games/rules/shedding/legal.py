"""Legal shedding moves as patterns."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from games.rules.cards import BIT, RANK_MASK, RANKS, SUIT_MASK, SUITS, CardSet, Suit, to_cards
from games.rules.events import Seat
from games.rules.patterns import Pattern
from games.rules.shedding.fitting import plain_fit, wild_fit
from games.rules.shedding.judge import draw_fault, pass_fault
from games.rules.shedding.state import ACE_CHAIN, NAME_SUIT, SheddingState
from games.rules.shedding.tables import tables

DRAW_IT = Pattern("draw")
PASS_IT = Pattern("pass")
NAME_IT = Pattern("name_suit", suits=tuple(SUITS), suit_required=True)
_RANKS = {rank: RANK_MASK[rank + "S"] for rank in RANKS}


def legal_moves(state: SheddingState, seat: Seat) -> tuple[Pattern, ...]:
    """Every legal move of a seat. A move is accepted if and only if a pattern covers it."""
    if seat not in state.to_act:
        return ()
    if state.phase == NAME_SUIT:
        return (NAME_IT,)
    patterns = list(_plays(state, seat))
    if draw_fault(state, seat) is None:
        patterns.append(DRAW_IT)
    if pass_fault(state, seat) is None:
        patterns.append(PASS_IT)
    return tuple(patterns)


def _plays(state: SheddingState, seat: Seat) -> Iterator[Pattern]:
    plain, wild = plain_fit(state, seat), wild_fit(state, seat)
    if state.drawn is not None:
        plain, wild = plain & BIT[state.drawn], wild & BIT[state.drawn]
    if state.phase == ACE_CHAIN or state.ace_right == seat:
        yield from _over_an_ace(state, plain, wild)
        plain = 0 if state.phase == ACE_CHAIN else plain
    elif plain:
        yield _single(plain)
    if wild:
        yield _single(wild, tuple(SUITS), state.phase == ACE_CHAIN)
    if tables(state.rules).counts and state.phase != ACE_CHAIN:
        yield from _several(state, seat, plain | wild)


def _over_an_ace(state: SheddingState, plain: CardSet, wild: CardSet) -> Iterator[Pattern]:
    """The ordinary cards of the ace's suit, which name another one, and what else fits it."""
    suit = state.pile[-1][1]
    naming, rest = plain & SUIT_MASK[suit], plain & ~SUIT_MASK[suit]
    if naming:
        others = tuple(other for other in SUITS if other != suit)
        yield _single(naming, others, state.phase == ACE_CHAIN)
    if rest:
        yield _single(rest)


def _several(state: SheddingState, seat: Seat, first: CardSet) -> Iterator[Pattern]:
    """Several cards of a rank, one of those that fit first; a pattern for each range of counts."""
    found = tables(state.rules)
    for rank, counts in found.counts.items():
        lead, held = first & _RANKS[rank], state.hands[seat] & _RANKS[rank]
        if lead:
            suits = tuple(SUITS) if held & found.wild else None
            for low, high in _ranges(counts, held.bit_count()):
                yield _many(lead, held, low, high, suits)


def _ranges(counts: Iterable[int], most: int) -> Iterator[tuple[int, int]]:
    """The counts up to `most` in ranges without gaps."""
    rest = sorted(count for count in counts if count <= most)
    while rest:
        low = high = rest.pop(0)
        while rest and rest[0] == high + 1:
            high = rest.pop(0)
        yield low, high


@lru_cache(maxsize=16_384)
def _single(cards: CardSet, suits: tuple[Suit, ...] | None = None, must: bool = False) -> Pattern:
    required = must if suits else None
    return Pattern("play", cards=to_cards(cards), min=1, max=1, suits=suits, suit_required=required)


@lru_cache(maxsize=4096)
def _many(
    lead: CardSet, held: CardSet, low: int, high: int, suits: tuple[Suit, ...] | None
) -> Pattern:
    first, rest = to_cards(lead), to_cards(held & ~lead)
    required = False if suits else None
    return Pattern("play", None, (*first, *rest), None, first, low, high, suits, required)
