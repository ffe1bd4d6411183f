"""From a pattern of legal moves to one move."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from bots.brains.registry import Answer, View
from games.rules.cards import RANK, RANKS

Pattern = Mapping[str, Any]

_BOUNDS: Final = frozenset({"first", "min", "max", "suits", "suit_required"})
_RESTING: Final = ("take", "pass", "draw")


def entries_of(pattern: Pattern) -> tuple[str | None, Sequence[Any]]:
    """The field that lists what may be chosen, ``cards`` or ``slots``, and the list itself."""
    for field in ("cards", "slots"):
        if pattern.get(field) is not None:
            return field, pattern[field]
    return None, ()


def move_of(pattern: Pattern, chosen: Sequence[Any] = (), suit: str | None = None) -> Answer:
    """The move that plays `chosen` of the pattern's entries and names `suit`.

    >>> move_of({"type": "beat", "target": "6C", "cards": ["9C", "7H"], "min": 1, "max": 1}, ["9C"])
    {'type': 'beat', 'target': '6C', 'cards': ['9C']}
    """
    field, _ = entries_of(pattern)
    move = {name: value for name, value in pattern.items() if name not in _BOUNDS}
    if field is not None:
        move[field] = list(chosen)
    if suit is not None:
        move["suit"] = suit
    return move


def smallest(pattern: Pattern) -> Answer:
    """The move of the first `min` entries and the first suit: legal for every pattern."""
    _, entries = entries_of(pattern)
    suits = pattern.get("suits") or (None,)
    return move_of(pattern, entries[: pattern.get("min") or 0], suits[0])


def bounded(pattern: Pattern, wish: Sequence[str]) -> Answer:
    """The move of as many of the wished cards as the pattern takes; its smallest if too few."""
    if pattern.get("first") or len(wish) < (pattern.get("min") or 0):
        return smallest(pattern)
    return move_of(pattern, wish[: pattern["max"]])


def card_cost(card: str, trump: str | None) -> int:
    """How dear a card is: its rank, and any trump above every plain card.

    >>> card_cost("6S", "H") < card_cost("AS", "H") < card_cost("6H", "H")
    True
    """
    return RANK[card] + (len(RANKS) if card[1] == trump else 0)


def cheapest(cards: Sequence[str], trump: str | None) -> list[str]:
    """The cards, cheapest first."""
    return sorted(cards, key=lambda card: card_cost(card, trump))


def safe_move(view: View) -> Answer:
    """A legal move without thinking: take, pass, draw, or lead the lowest plain card (X01).

    Raises ValueError if the seat has no move at all.
    """
    patterns: Sequence[Pattern] = view["you"]["legal_moves"]
    if not patterns:
        raise ValueError("no move is legal for this seat")
    for kind in _RESTING:
        for pattern in patterns:
            if pattern["type"] == kind:
                return smallest(pattern)
    return _lowest(patterns, view.get("trump"))


def _lowest(patterns: Sequence[Pattern], trump: str | None) -> Answer:
    singles = [p for p in patterns if p.get("cards") and p.get("min") == 1 and not p.get("suits")]
    if not singles:
        return smallest(patterns[0])
    pattern = min(singles, key=lambda p: card_cost(cheapest(p["cards"], trump)[0], trump))
    return bounded(pattern, cheapest(pattern["cards"], trump)[:1])
