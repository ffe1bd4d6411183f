"""Flat Monte-Carlo from one position."""

from collections.abc import Sequence

import numpy as np

from bots.brains.search.compiled import flats
from bots.brains.search.compiled.building import Chance
from bots.brains.search.compiled.deals import Unknown
from bots.brains.search.simulator import Plan
from bots.brains.search.tree import Ranked


class Flat:
    """A search that rolls every action out on the same deals, so that luck favours none."""

    def __init__(self, plan: Plan, chance: Chance, actions: Sequence[int]) -> None:
        self._plan = plan
        self._chance = chance
        self._actions = np.array(actions, np.int64)
        self._rewards = np.zeros(len(actions), np.int64)
        self._deals = 0

    def grow(self, unknown: Unknown, times: int) -> None:
        """So many deals."""
        rules = self._plan.numbers
        flats.compare(rules, unknown, self._actions, self._rewards, self._chance, times)
        self._deals += times

    def ranked(self) -> Ranked:
        """The actions, best first: action, roll-outs, mean reward."""
        done = max(1, self._deals)
        pairs = zip(self._actions.tolist(), self._rewards.tolist(), strict=True)
        found = [(action, self._deals, reward / (2 * done)) for action, reward in pairs]
        return sorted(found, key=lambda told: (-told[2], told[0]))
