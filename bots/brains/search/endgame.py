"""Exact play at the end: two players are left, the talon is empty, all cards are known.

A position is worth 1 to who wins it, 0 if both lay their last cards in one bout, -1 to who loses.
Games in which bouts are passed on are left out: there a position can come back, here it cannot.
"""

from typing import Final

import numpy as np

from bots.brains.search.compiled import endgames
from bots.brains.search.compiled import layout as at
from bots.brains.search.simulator import Sim

NODES: Final = 100_000


class TooDeepError(Exception):
    """The position is not solved within the nodes and the depth that there are."""


def is_solvable(sim: Sim) -> bool:
    """Whether the endgame solver knows this kind of position."""
    rules, numbers = sim.plan.numbers, sim.numbers
    usual = not rules[[at.NEVER, at.ON_TAKE, at.LEAD_RANKS, at.TRANSFER]].any()
    settled = rules[at.FIRST] == rules[at.MOST] or numbers[[at.BOUTS, at.DISCARDED]].all()
    # The limit of moves is a draw that depends on how a position was reached.
    patient = numbers[at.MOVES] + endgames.DEPTH_MOST <= rules[at.MAX_MOVES]
    certain = not numbers[at.LEFT] and len(sim.alive) == 2
    return bool(usual and settled and patient and certain)


class Solver:
    """Solves positions of one game; what was found is kept. `nodes` counts what was looked at."""

    def __init__(self, most: int = NODES) -> None:
        self._most = most
        self._stack = np.zeros((endgames.DEPTH_MOST, endgames.STACKED), np.int64)
        self._left = np.array([most], np.int64)
        rows = 1 << (2 * most).bit_length()
        self._memo = np.zeros((rows, endgames.COLUMNS), np.int64)

    @property
    def nodes(self) -> int:
        """How many positions were looked at."""
        return self._most - self._left.item(0)

    def values(self, sim: Sim) -> dict[int, int]:
        """The value of every action for whoever is to act. Raises TooDeepError."""
        found = {}
        for action in sim.choices():
            after = sim.clone()
            after.step(action)
            found[action] = self.value(after, sim.actor)
        return found

    def value(self, sim: Sim, seat: int) -> int:
        """The value for a seat, the game being over or not. Raises TooDeepError."""
        over = endgames.result(sim.numbers, seat)
        if over != endgames.UNKNOWN:
            return over
        self._stack[0, : at.POSITION] = sim.numbers
        # Lines that are followed are too short for the rules to end them.
        self._stack[0, at.MOVES] = 0
        value = endgames.value(sim.plan.numbers, self._stack, 0, self._memo, self._left)
        if value == endgames.UNKNOWN:
            raise TooDeepError
        return value if sim.actor == seat else -value
