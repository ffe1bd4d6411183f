"""Cards as single bits, laid out for search.

Plain cards come first, by rank and then by suit; the trumps follow, by rank. So the cheapest card
of a set `m` is ``m & -m``, whichever suit is trump.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from games.rules.cards import RANKS, SUITS, Card

Bits = int
_CHUNK: Final = 13
_LOW: Final = (1 << _CHUNK) - 1


class Deck:
    """The bits of one pack under one trump: `bit` and `card` translate, `all` holds every card.

    `beat` gives for a card the set that beats it, `rank` the set of its rank, `plain` and `trumps`
    split the pack. Make decks with `deck_of`: they are shared.
    """

    __slots__ = ("all", "beat", "bit", "card", "plain", "rank", "trumps")

    def __init__(self, size: int, trump: str | None, self_only: str | None) -> None:
        ranks = RANKS[-(size // 4) :]
        suits = [suit for suit in SUITS if suit != trump]
        cards = [rank + suit for rank in ranks for suit in suits]
        cards += [rank + trump for rank in ranks] if trump else []
        self.bit: dict[Card, Bits] = {card: 1 << place for place, card in enumerate(cards)}
        self.card: dict[Bits, Card] = {bit: card for card, bit in self.bit.items()}
        self.all = (1 << size) - 1
        self.trumps = self.of(card for card in cards if card[1] == trump)
        self.plain = self.all & ~self.trumps
        self.rank: dict[Bits, Bits] = {
            bit: self.of(card for card in cards if card[0] == name[0])
            for name, bit in self.bit.items()
        }
        self.beat: dict[Bits, Bits] = {
            bit: self.of(other for other in cards if _beats(other, name, trump, self_only))
            for name, bit in self.bit.items()
        }

    def of(self, cards: Iterable[Card]) -> Bits:
        """The set of the given cards."""
        found = 0
        for card in cards:
            found |= self.bit[card]
        return found

    def cards(self, bits: Bits) -> list[Card]:
        """The cards of a set, cheapest first."""
        return [self.card[bit] for bit in split(bits)]


@lru_cache(maxsize=64)
def deck_of(size: int, trump: str | None, self_only: str | None = None) -> Deck:
    """The deck of `size` cards where `trump` is trump and only its own suit beats `self_only`."""
    return Deck(size, trump, None if self_only == trump else self_only)


def _beats(one: Card, other: Card, trump: str | None, self_only: str | None) -> bool:
    if one[1] == other[1]:
        return RANKS.index(one[0]) > RANKS.index(other[0])
    return one[1] == trump and other[1] != self_only


def split(bits: Bits) -> tuple[Bits, ...]:
    """The single cards of a set, cheapest first.

    >>> split(0b10110)
    (2, 4, 16)
    """
    high = bits >> 26
    low = _FIRST[bits & _LOW] + _SECOND[bits >> _CHUNK & _LOW]
    return low + _THIRD[high & _LOW] + _FOURTH[high >> _CHUNK] if high else low


def _chunk(number: int) -> tuple[tuple[Bits, ...], ...]:
    """For every set of 13 neighbouring cards its single cards."""
    base = [1 << place for place in range(number * _CHUNK, (number + 1) * _CHUNK)]
    found: list[tuple[Bits, ...]] = [()]
    for bit in base:
        found += [(*shorter, bit) for shorter in found]
    return tuple(found)


_FIRST, _SECOND, _THIRD, _FOURTH = (_chunk(number) for number in range(4))
