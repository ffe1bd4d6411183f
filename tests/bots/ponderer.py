"""A brain that searches, as far as anybody can tell from outside: it takes long and counts."""

import random
import time
from collections import Counter

from bots.brains import brain
from bots.brains.patterns import smallest
from bots.brains.registry import Answer, History, Score, Thought, View

# Later in a game it hardly thinks, so that games come to an end.
EARLY = 10
BRIEF = 3


def moves_of(view: View) -> list[Answer]:
    """The moves that it knows of."""
    return [smallest(pattern) for pattern in view["you"]["legal_moves"]]


@brain("ponderer", pace="deep", reads_history=True, families=("bout", "shedding"))
class Ponderer:
    """Draws a move so many times, a tenth of a millisecond each, and plays the last one."""

    def choose(self, view: View, history: History, rng: random.Random, budget: int) -> Answer:
        return self.think(view, history, rng, budget).move

    def think(
        self,
        view: View,
        history: History,
        rng: random.Random,
        budget: int,
        until: float | None = None,
        iterations: int | None = None,
    ) -> Thought:
        moves = moves_of(view)
        goal = iterations or (budget if view["version"] < EARLY else BRIEF)
        drawn: Counter[int] = Counter()
        last = 0
        for _ in range(goal):
            if until is not None and time.monotonic() > until:
                break
            sum(range(5_000))
            last = rng.randrange(len(moves))
            drawn[last] += 1
        scores = tuple(Score(moves[n], tries, 0.5) for n, tries in drawn.most_common())
        return Thought(moves[last], drawn.total(), scores)
