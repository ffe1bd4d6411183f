"""Cards, packs and sets of cards.

A card is its name, rank then suit: ``"6S"``, ``"TH"``, ``"AD"``. A set of cards is an integer with
one bit a card, so that a hand is compared, split and counted in single operations. Bits ascend by
rank first: the lowest bit of a set is one of its lowest cards.
"""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

Card = str
CardSet = int
Suit = str

HIDDEN: Final = "??"
RANKS: Final = "23456789TJQKA"
SUITS: Final = "SHDC"
CARDS: Final[tuple[Card, ...]] = tuple(rank + suit for rank in RANKS for suit in SUITS)

BIT: Final[dict[Card, CardSet]] = {card: 1 << index for index, card in enumerate(CARDS)}
RANK: Final[dict[Card, int]] = {card: index // 4 for index, card in enumerate(CARDS)}
RANK_MASK: Final[dict[Card, CardSet]] = {card: 0b1111 << 4 * RANK[card] for card in CARDS}
_RANK_OF_BIT: Final = {BIT[card]: RANK_MASK[card] for card in CARDS}
SUIT_MASK: Final[dict[Suit, CardSet]] = {
    suit: sum(BIT[card] for card in CARDS if card[1] == suit) for suit in SUITS
}
_ALIASES: Final = {"10" + suit: "T" + suit for suit in SUITS}


def parse_card(text: str) -> Card:
    """The card that `text` names; lower case and ``10D`` are read too. Raises ValueError."""
    name = text.upper()
    name = _ALIASES.get(name, name)
    if name not in BIT or not text.isascii():
        raise ValueError(f"not a card: {text[:20]!r}")
    return name


def pack(size: int) -> tuple[Card, ...]:
    """A pack of `size` cards in its initial order: ascending ranks, S H D C within a rank."""
    return CARDS[52 - size :]


def to_set(cards: Iterable[Card]) -> CardSet:
    """The set of the given cards."""
    found = 0
    for card in cards:
        found |= BIT[card]
    return found


@lru_cache(maxsize=16_384)
def to_cards(cards: CardSet) -> tuple[Card, ...]:
    """The members of a set, lowest first."""
    found = []
    while cards:
        low = cards & -cards
        found.append(CARDS[low.bit_length() - 1])
        cards ^= low
    return tuple(found)


def by_rank(cards: CardSet) -> list[CardSet]:
    """The set cut into its ranks, lowest first."""
    found = []
    while cards:
        rank = cards & _RANK_OF_BIT[cards & -cards]
        found.append(rank)
        cards ^= rank
    return found


def ranks_of(cards: Iterable[Card]) -> CardSet:
    """Every card that shares a rank with one of `cards`."""
    found = 0
    for card in cards:
        found |= RANK_MASK[card]
    return found


def lowest(cards: CardSet) -> Card:
    """The lowest card of a set that is not empty."""
    return CARDS[(cards & -cards).bit_length() - 1]


@lru_cache
def beaters(
    trump: Suit | None, self_only: Suit | None, ace_killer: Card | None = None
) -> dict[Card, CardSet]:
    """For each card the set that beats it: higher ones of its suit, and trumps (C1-14).

    `self_only` is the suit that only its own higher cards beat (C4-14); `ace_killer` a lowest
    trump that beats the trump ace.
    """
    table = {card: _beaters_of(card, trump, self_only) for card in CARDS}
    if trump is not None and ace_killer is not None:
        table["A" + trump] |= BIT[ace_killer]
    return table


def _beaters_of(card: Card, trump: Suit | None, self_only: Suit | None) -> CardSet:
    suit = card[1]
    higher = SUIT_MASK[suit] & -(BIT[card] << 1)
    if trump is None or suit in (trump, self_only):
        return higher
    return higher | SUIT_MASK[trump]


@lru_cache
def lowest_of_suit(size: int, suit: Suit) -> Card:
    """The lowest card of a suit in a pack of `size` cards."""
    return RANKS[13 - size // 4] + suit
