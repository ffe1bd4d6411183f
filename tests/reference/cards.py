"""Cards by name, and which beats which."""

from typing import Any

RANKS = "23456789TJQKA"
SUITS = "SHDC"
LOWEST_RANK = {24: "9", 32: "7", 36: "6", 52: "2"}


def rank(card: str) -> str:
    """The rank of a card."""
    return card[0]


def suit(card: str) -> str:
    """The suit of a card."""
    return card[1]


def lowest_trump(trump: str | None, options: dict[str, Any]) -> str | None:
    """The lowest trump of the pack, whoever holds it."""
    if trump is None:
        return None
    return LOWEST_RANK[options["deck_size"]] + trump


def beats(cover: str, attack: str, trump: str | None, options: dict[str, Any]) -> bool:
    """C1-14 a higher card of the suit or a trump; C4-14 some suits only by themselves."""
    if options["lowest_trump_beats_trump_ace"] and attack == f"A{trump}":
        return cover == lowest_trump(trump, options)
    if suit(cover) == suit(attack):
        return RANKS.index(rank(cover)) > RANKS.index(rank(attack))
    if suit(attack) == options["self_only_suit"]:
        return False
    return suit(cover) == trump


def can_beat_all(hand: list[str], attacks: list[str], trump: str | None, options: Any) -> bool:
    """Whether a hand has a card of its own for every attack card."""
    if not attacks:
        return True
    for cover in hand:
        if beats(cover, attacks[0], trump, options):
            rest = [card for card in hand if card != cover]
            if can_beat_all(rest, attacks[1:], trump, options):
                return True
    return False
