"""How greedy plays games in which cards are shed: the dear ones first, suits kept together."""

from collections.abc import Sequence
from typing import Final

from bots.brains.patterns import Pattern, move_of, smallest
from bots.brains.registry import Answer, View
from games.rules.cards import RANK

_FIELDS: Final = frozenset({"type", "cards", "first", "min", "max", "suits", "suit_required"})
_COSTS: Final = {"J": 2, "Q": 3, "K": 4, "A": 11}
# From so few cards in the next hand on, a card that makes it draw or wait goes first.
_DANGER: Final = 2
_STRIKING: Final = "67A"


def shed(view: View, patterns: Sequence[Pattern]) -> Answer:
    """Lay the dearest ordinary card, else one that names a suit, else draw, else pass."""
    plays = [p for p in patterns if p["type"] == "play" and p.keys() <= _FIELDS and p.get("cards")]
    plain = [p for p in plays if not p.get("suits")]
    if plain:
        return _lay(view, max(plain, key=lambda p: p["max"]))
    if plays:
        return _name(view, plays[0])
    for kind in ("draw", "pass", "name_suit"):
        for pattern in patterns:
            if pattern["type"] == kind:
                named = kind == "name_suit" and pattern.keys() <= _FIELDS
                return _name(view, pattern) if named else smallest(pattern)
    return smallest(patterns[0])


def _lay(view: View, pattern: Pattern) -> Answer:
    """As many as go at once; of single cards the one whose loss costs least control."""
    if pattern["max"] > 1:
        return move_of(pattern, pattern["cards"][: pattern["max"]])
    hand = view["you"]["hand"]
    return move_of(pattern, [max(pattern["cards"], key=lambda card: _worth(view, hand, card))])


def _name(view: View, pattern: Pattern) -> Answer:
    """Name the suit that is held most often besides the card that is laid."""
    laid = list((pattern.get("cards") or ())[: pattern.get("min") or 0])
    if not pattern.get("suits"):
        return smallest(pattern)
    rest = [card[1] for card in view["you"]["hand"] if card not in laid]
    return move_of(pattern, laid, max(pattern["suits"], key=rest.count))


def _worth(view: View, hand: Sequence[str], card: str) -> tuple[bool, int, int]:
    """How good it is to lay a card: it stops who is nearly out, it leads on, it costs much."""
    strikes = card[0] in _STRIKING and _next_hand(view) <= _DANGER
    follows = sum(other[1] == card[1] or other[0] == card[0] for other in hand) - 1
    return strikes, _COSTS.get(card[0], RANK[card] + 2) + 2 * follows, RANK[card]


def _next_hand(view: View) -> int:
    """How many cards the next seat that is still playing holds."""
    seats, me = view.get("seats", ()), view["you"].get("seat", 0)
    for step in range(1, len(seats)):
        count: int = seats[(me + step) % len(seats)]["hand_count"]
        if count:
            return count
    return _DANGER + 1
