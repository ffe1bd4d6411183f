"""Playing a plan on several processes, with the same outcome as on one."""

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import contextmanager
from typing import TypeAlias

from bots.arena.deals import DealResult
from bots.arena.plan import Plan, Unit, entrants, games_of, play_unit, units
from bots.arena.state import State

Show = Callable[[int, int], None]
Found: TypeAlias = "Future[list[DealResult]]"
Begin = Callable[[Plan, Unit], Found]
Pending = deque[tuple[Unit, Found]]


def run(
    plan: Plan, *, jobs: int = 1, state: State | None = None, show: Show | None = None
) -> list[list[DealResult]]:
    """The deals of each meeting, in order; `show` hears of games done and games in all.

    Units are looked at in their own order, whoever played them first, so that a test stops at the
    same deal with any number of `jobs`. What was played beyond that is not counted.
    """
    kept = state or State(plan)
    progress = _Progress(plan)
    with _workers(jobs) as begin:
        try:
            for unit, results in _played(plan, begin, jobs, kept, progress):
                progress.add(unit, results)
                if show is not None:
                    show(progress.done, progress.total)
        finally:
            kept.save()
    return progress.deals


class _Progress:
    """The deals that count so far."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._ended: set[int] = set()
        self.deals: list[list[DealResult]] = [[] for _ in entrants(plan).meetings]
        self.done = 0
        self.total = sum(games_of(plan, unit) for unit in units(plan))

    def has_ended(self, unit: Unit) -> bool:
        """Whether the test of this unit's meeting has stopped it."""
        return unit.meeting in self._ended

    def add(self, unit: Unit, results: list[DealResult]) -> None:
        """Count a unit, and ask the test whether it was enough."""
        self.done += games_of(self._plan, unit)
        if self.has_ended(unit):
            return
        deals = self.deals[unit.meeting]
        deals += results
        test = self._plan.sprt
        if test is not None and test.verdict([deal.score for deal in deals]):
            self._ended.add(unit.meeting)


def _played(
    plan: Plan, begin: Begin, jobs: int, kept: State, progress: _Progress
) -> Iterator[tuple[Unit, list[DealResult]]]:
    """Units in their order; a few are under way at once."""
    under_way: Pending = deque()
    for unit in units(plan):
        known = [] if progress.has_ended(unit) else kept.get(unit)
        under_way.append((unit, begin(plan, unit) if known is None else _at_hand(known)))
        if len(under_way) >= 2 * jobs:
            yield _ended(under_way, kept)
    while under_way:
        yield _ended(under_way, kept)


def _ended(under_way: Pending, kept: State) -> tuple[Unit, list[DealResult]]:
    unit, found = under_way.popleft()
    results = found.result()
    if results:
        kept.put(unit, results)
    return unit, results


@contextmanager
def _workers(jobs: int) -> Iterator[Begin]:
    """What plays a unit: other processes, or this one for a single job."""
    if jobs == 1:
        yield lambda plan, unit: _at_hand(play_unit(plan, unit))
        return
    with ProcessPoolExecutor(jobs) as pool:
        yield lambda plan, unit: pool.submit(play_unit, plan, unit)


def _at_hand(results: list[DealResult]) -> Found:
    found: Found = Future()
    found.set_result(results)
    return found
