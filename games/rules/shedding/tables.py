"""What follows from the dials alone, worked out once for each ruleset."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from games.rules.cards import CARDS, RANK_MASK, RANKS, SUIT_MASK, Card, CardSet, to_set
from games.rules.events import Penalty
from games.rules.rulesets.schema import SheddingRules

_COURT: Final = {"J": 2, "Q": 3, "K": 4, "A": 11}
_NOTHING: Final = Penalty(0, 0)
T = TypeVar("T")


class Tables(NamedTuple):
    """Cards that name a suit, what fits which top card, effects, points and counts by rank.

    `blocked` are the top cards on which no suit-naming card may be laid.
    """

    wild: CardSet
    blocked: CardSet
    fits: dict[Card, CardSet]
    effects: dict[Card, Penalty]
    points: dict[Card, int]
    bonus: dict[Card, int]
    counts: dict[str, frozenset[int]]


def tables(rules: SheddingRules) -> Tables:
    """The tables of a ruleset. They are kept with the rules, and for rules of the same content."""
    kept: Tables | None = rules.__dict__.get("tables")
    if kept is None:
        kept = rules.__dict__["tables"] = _tables(rules)
    return kept


@lru_cache(maxsize=256)
def _tables(rules: SheddingRules) -> Tables:
    wild = to_set(card for card in CARDS if card[0] == rules.wild)
    return Tables(
        wild=wild,
        blocked=to_set(card for card in CARDS if card[0] in rules.wild_blocked_on),
        fits={card: _fitting(rules, card) for card in CARDS},
        effects={card: _effect(rules, card) for card in CARDS},
        points={card: _points(rules, card) for card in CARDS},
        bonus={card: _bonus(rules, card) for card in CARDS},
        counts={rank: frozenset(counts) for rank, counts in rules.multi_play.items() if counts},
    )


def _fitting(rules: SheddingRules, top: Card) -> CardSet:
    """What may be laid on `top` by suit, or by rank where that counts (A-08, C5-V6a)."""
    by_rank = rules.match == "suit_or_rank" or top[0] in rules.rank_match_only
    return SUIT_MASK[top[1]] | (RANK_MASK[top] if by_rank else 0)


def _effect(rules: SheddingRules, card: Card) -> Penalty:
    """What a card does to the next seat; an ace that takes a second card does nothing (G18)."""
    found = _named(rules.effects, card)
    if found is None or (rules.ace_chain == "english" and card[0] == "A"):
        return _NOTHING
    return Penalty(found["draw"], found["skip"])


def _points(rules: SheddingRules, card: Card) -> int:
    named = _named(rules.points or {}, card)
    if named is not None:
        return named
    return _COURT.get(card[0], RANKS.index(card[0]) + 2)


def _bonus(rules: SheddingRules, card: Card) -> int:
    """What is taken off for going out with this card (C5-V5a)."""
    if card[0] != rules.wild:
        return 0
    bonus = rules.finish_wild_bonus
    return bonus if isinstance(bonus, int) else _named(bonus, card) or 0


def _named(table: Mapping[str, T], card: Card) -> T | None:
    """The entry of a card, which goes before that of its rank."""
    return table[card] if card in table else table.get(card[0])
