"""Patterns: what a seat may play, never one entry per combination."""

import msgspec

from games.rules.cards import Card, Suit


class Pattern(msgspec.Struct, frozen=True, omit_defaults=True):
    """A family of legal moves: from `min` to `max` of `cards` (or `slots`), the rest as it stands.

    `first` lists the cards one of which must come first; `suits` those that may be named.
    """

    type: str
    target: Card | None = None
    cards: tuple[Card, ...] | None = None
    slots: tuple[int, ...] | None = None
    first: tuple[Card, ...] | None = None
    min: int | None = None
    max: int | None = None
    suits: tuple[Suit, ...] | None = None
    suit_required: bool | None = None
