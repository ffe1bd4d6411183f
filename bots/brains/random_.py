"""A brain that plays any legal move."""

import random
from typing import Any

from bots.brains.patterns import Pattern, entries_of, move_of
from bots.brains.registry import Answer, History, View, brain


@brain(
    "random",
    title={"en": "Random: any legal move", "ru": "Случайный: любой разрешённый ход"},
    families=("bout", "shedding"),
)
class Random:
    """Uniform over the patterns, then over the number of cards, then over the cards."""

    def choose(self, view: View, history: History, rng: random.Random, budget: int) -> Answer:
        """Any legal move."""
        pattern = rng.choice(view["you"]["legal_moves"])
        suits = pattern.get("suits")
        if suits and not pattern.get("suit_required"):
            suits = [None, *suits]
        return move_of(pattern, _chosen(pattern, rng), rng.choice(suits) if suits else None)


def _chosen(pattern: Pattern, rng: random.Random) -> list[Any]:
    _, entries = entries_of(pattern)
    count = rng.randint(pattern.get("min") or 0, pattern.get("max") or 0)
    first = pattern.get("first")
    if not first or not count:
        return rng.sample(list(entries), count)
    lead = rng.choice(first)
    return [lead, *rng.sample([entry for entry in entries if entry != lead], count - 1)]
