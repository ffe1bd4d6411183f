"""How greedy plays games in which cards are shed: the dear ones first, suits kept together.

What a card does and costs is asked of the game's own ruleset, so that no variant is played by the
effects of another.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import msgspec

from bots.brains.patterns import Pattern, move_of, smallest
from bots.brains.registry import Answer, View
from games.rules.cards import BIT, RANK, Card
from games.rules.errors import InvalidOptions, UnknownRuleset
from games.rules.rulesets.registry import ruleset
from games.rules.rulesets.schema import SheddingRules
from games.rules.shedding.tables import tables

_FIELDS: Final = frozenset({"type", "cards", "first", "min", "max", "suits", "suit_required"})
# From so few cards in the next hand on, a card that makes it draw or wait goes first.
_DANGER: Final = 2


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


def rules_of(view: View) -> SheddingRules:
    """The rules of the game in view; those of mau-mau where this version does not know them."""
    return _rules(view.get("ruleset", ""), msgspec.json.encode(view.get("options") or {}))


@lru_cache(maxsize=256)
def _rules(ruleset_id: str, options: bytes) -> SheddingRules:
    try:
        rules = ruleset(ruleset_id, msgspec.json.decode(options)).rules
    except (UnknownRuleset, InvalidOptions):
        return SheddingRules()
    return rules if isinstance(rules, SheddingRules) else SheddingRules()


def _lay(view: View, pattern: Pattern) -> Answer:
    """As many as go at once; of single cards the one whose loss costs least control."""
    if pattern["max"] > 1:
        return move_of(pattern, pattern["cards"][: pattern["max"]])
    begun = pattern.get("first") or pattern["cards"]
    return move_of(pattern, [max(begun, key=lambda card: _worth(view, card))])


def _name(view: View, pattern: Pattern) -> Answer:
    """Name the suit that is held most often besides the card that is laid."""
    laid = list((pattern.get("cards") or ())[: pattern.get("min") or 0])
    if not pattern.get("suits"):
        return smallest(pattern)
    rest = [card[1] for card in view["you"]["hand"] if card not in laid]
    return move_of(pattern, laid, max(pattern["suits"], key=rest.count))


def _worth(view: View, card: Card) -> tuple[bool, int, int]:
    """How good it is to lay a card: it stops who is nearly out, it leads on, it costs much."""
    rules, hand = rules_of(view), view["you"]["hand"]
    hurt = harm(rules, card)
    follows = sum(1 for other in hand if BIT[other] & tables(rules).fits[card]) - 1
    worth = cost(rules, card) + 2 * follows + 2 * hurt
    return hurt > 0 and _next_hand(view) <= _DANGER, worth, RANK[card]


def harm(rules: SheddingRules, card: Card) -> int:
    """What a card does to the next player: how many cards he draws and turns he misses."""
    effect = tables(rules).effects[card]
    return effect.draw + effect.skip


def cost(rules: SheddingRules, card: Card) -> int:
    """The points that a card costs whoever is left with it; none where nobody counts."""
    return 0 if rules.points is None else tables(rules).points[card]


def _next_hand(view: View) -> int:
    """How many cards the next seat that is still playing holds."""
    seats, me = view.get("seats", ()), view["you"].get("seat", 0)
    for step in range(1, len(seats)):
        count: int = seats[(me + step) % len(seats)]["hand_count"]
        if count:
            return count
    return _DANGER + 1
