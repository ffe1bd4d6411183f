"""Cards by name: what they are, and what the dials say of them."""

from typing import Any

from tests.reference.cards import LOWEST_RANK, RANKS, SUITS, rank


def pack(deck_size: int) -> list[str]:
    """Every card of a pack."""
    lowest = RANKS.index(LOWEST_RANK[deck_size])
    return [name + colour for name in RANKS[lowest:] for colour in SUITS]


def is_wild(card: str, options: dict[str, Any]) -> bool:
    """C5-14, C5-V3b: the queen, or the jack, or none."""
    return bool(rank(card) == options["wild"])


def worth(table: dict[str, Any], card: str, otherwise: Any) -> Any:
    """What a map of cards and ranks says of a card: its own entry goes before that of its rank."""
    if card in table:
        return table[card]
    return table.get(rank(card), otherwise)
