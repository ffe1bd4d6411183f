"""A tree search from one position, or from any that the same seat might hold possible."""

from collections.abc import Sequence

import numpy as np

from bots.brains.search.compiled import trees
from bots.brains.search.compiled.building import Chance
from bots.brains.search.compiled.deals import Unknown
from bots.brains.search.simulator import Plan, Sim

Ranked = list[tuple[int, int, float]]


class Tree:
    """A tree with room for `most` iterations; the first action of each is `among` the given."""

    def __init__(self, plan: Plan, chance: Chance, most: int, among: Sequence[int] = ()) -> None:
        self.rows = np.zeros((most + 1, trees.COLUMNS), np.int64)
        self._plan = plan
        self._chance = chance
        self._among = np.array(among, np.int64)

    def grow(self, unknown: Unknown, times: int) -> None:
        """So many iterations, each from a new deal."""
        rules = self._plan.numbers
        trees.grow(rules, unknown, self.rows, self._among, self._chance, times)

    def play(self, start: Sim, me: int) -> int:
        """One iteration from a certain position, for seat `me`; the durak of that game, or DRAW."""
        pos = start.numbers.copy()
        return trees.play(self._plan.numbers, pos, self.rows, me, self._among, self._chance)

    def ranked(self) -> Ranked:
        """The actions of the root, most visited first: action, visits, mean reward."""
        tried: Ranked = []
        child = self.rows.item(0, trees.CHILD)
        while child:
            row = self.rows[child].tolist()
            visits, reward = row[trees.VISITS], row[trees.REWARD]
            tried.append((row[trees.ACTION], visits, reward / (2 * visits)))
            child = row[trees.SIBLING]
        return sorted(tried, key=lambda told: (-told[1], -told[2], told[0]))
