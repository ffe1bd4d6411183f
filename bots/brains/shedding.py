"""How greedy plays games in which cards are shed: the dear ones first, suits kept together."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

import msgspec

from bots.brains.patterns import Pattern, move_of, smallest
from bots.brains.registry import Answer, View
from games.rules.cards import CARDS, RANK, Card
from games.rules.rulesets.registry import ruleset
from games.rules.rulesets.schema import Effect, SheddingRules

_COURT: Final = {"J": 2, "Q": 3, "K": 4, "A": 11}
_HARMLESS: Final[Effect] = {"draw": 0, "skip": 0}
T = TypeVar("T")
_FIELDS: Final = frozenset({"type", "cards", "first", "min", "max", "suits", "suit_required"})
# From so few cards in the next hand on, a card that makes it draw or wait goes first.
_DANGER: Final = 2


class Prices(NamedTuple):
    """What a ruleset makes of each card: what it costs who is left with it, whether it strikes."""

    costs: dict[Card, int]
    striking: frozenset[Card]


def prices(view: View) -> Prices:
    """The prices of the game's own rules; of mau-mau where the view does not tell which."""
    options = msgspec.json.encode(view.get("options") or {}, order="sorted")
    return _prices(view.get("ruleset") or "mau_mau", options, len(view["seats"]))


@lru_cache(maxsize=64)
def _prices(name: str, options: bytes, seats: int) -> Prices:
    rules = ruleset(name, msgspec.json.decode(options), seats).rules
    if not isinstance(rules, SheddingRules):
        raise TypeError(f"{name} is no shedding game")
    points = {**_COURT, **(rules.points or {})}
    costs = {card: _named(points, card, RANK[card] + 2) for card in CARDS}
    effects = {card: _named(rules.effects, card, _HARMLESS) for card in CARDS}
    strikes = (card for card, effect in effects.items() if effect["draw"] or effect["skip"])
    return Prices(costs, frozenset(strikes))


def _named(table: Mapping[str, T], card: Card, otherwise: T) -> T:
    """What a table says of a card, else of its rank."""
    return table.get(card, table.get(card[0], otherwise))


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
    own = prices(view)
    strikes = card in own.striking and _next_hand(view) <= _DANGER
    follows = sum(other[1] == card[1] or other[0] == card[0] for other in hand) - 1
    return strikes, own.costs[card] + 2 * follows, RANK[card]


def _next_hand(view: View) -> int:
    """How many cards the next seat that is still playing holds."""
    seats, me = view.get("seats", ()), view["you"].get("seat", 0)
    for step in range(1, len(seats)):
        count: int = seats[(me + step) % len(seats)]["hand_count"]
        if count:
            return count
    return _DANGER + 1
