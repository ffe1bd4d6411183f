"""The brains that search: `flat`, `ismcts` in four sizes, and `max`."""

import random
import time
from typing import ClassVar, Final, Literal

from bots.brains.greedy import greedy_answer
from bots.brains.registry import Answer, History, Thought, View, brain
from bots.brains.search.choices import offers
from bots.brains.search.claims import is_claimed, rules_of

# Levels are told in iterations at this budget; another one scales them.
STANDARD: Final = 400
# Seconds after which a move has to be made, well inside the cap that ends the thinking by force.
WALL: Final = 1.0
_FAMILIES: Final = ("bout", "shedding")


class Searching:
    """Searches `level` iterations; through the rules themselves only `broad`, for they are slow.

    Both are at a budget of 400 and grow with it. The simulator stands in for the rules wherever it
    is their equal. Without the events of the game there is nothing to search: then it is greedy.
    """

    level: ClassVar[int]
    broad: ClassVar[int]
    way: ClassVar[Literal["flat", "tree"]]

    def choose(self, view: View, history: History, rng: random.Random, budget: int) -> Answer:
        """The best move found, after a second at the latest."""
        return self.think(view, history, rng, budget, time.monotonic() + WALL).move

    def think(
        self,
        view: View,
        history: History,
        rng: random.Random,
        budget: int,
        until: float | None = None,
        iterations: int | None = None,
    ) -> Thought:
        """The best move found, and what was found of the others."""
        if not history:
            return Thought(greedy_answer(view))
        bits = is_claimed(rules_of(history))
        level = self.level if bits else self.broad
        wanted = iterations or max(1, level * budget // STANDARD)
        from bots.brains.search.thinking import WAYS

        thought = WAYS[self.way if bits else "broad"](view, history, rng, wanted, until)
        if offers(view["you"]["legal_moves"], thought.move):
            return thought
        return Thought(greedy_answer(view))


@brain(
    "flat",
    version=2,
    title={"en": "Flat: deals and plays out", "ru": "Плоский: раздаёт и доигрывает"},
    families=_FAMILIES,
    reads_history=True,
    pace="deep",
)
class Flat(Searching):
    """Plays every move out on the same sampled deals, and makes the one that saves most."""

    level, broad, way = 400, 100, "flat"


@brain(
    "ismcts",
    version=2,
    title={"en": "Tree search", "ru": "Поиск по дереву"},
    families=_FAMILIES,
    reads_history=True,
    pace="deep",
)
class Tree(Searching):
    """Information-set tree search; endgames of two are solved."""

    level, broad, way = 400, 100, "tree"


@brain(
    "ismcts-100",
    version=2,
    title={"en": "Tree search, hasty", "ru": "Поиск по дереву, торопливый"},
    families=_FAMILIES,
    reads_history=True,
    pace="deep",
)
class HastyTree(Tree):
    """A quarter of the iterations."""

    level, broad = 100, 40


@brain(
    "ismcts-1600",
    version=2,
    title={"en": "Tree search, thorough", "ru": "Поиск по дереву, обстоятельный"},
    families=_FAMILIES,
    reads_history=True,
    pace="deep",
)
class ThoroughTree(Tree):
    """Four times the iterations."""

    level, broad = 1600, 150


@brain(
    "ismcts-6400",
    version=2,
    title={"en": "Tree search, relentless", "ru": "Поиск по дереву, въедливый"},
    families=_FAMILIES,
    reads_history=True,
    pace="deep",
)
class RelentlessTree(Tree):
    """Sixteen times the iterations."""

    level, broad = 6400, 200


@brain(
    "max",
    version=2,
    title={"en": "Max: as deep as time allows", "ru": "Максимум: насколько хватит времени"},
    families=_FAMILIES,
    reads_history=True,
    pace="deep",
)
class Max(Tree):
    """As many iterations as a third of a second holds."""

    level, broad = 16_000, 250
