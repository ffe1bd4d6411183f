"""A run: the storm with checkpoints, the calm after it, and the comparison at the end."""

import asyncio
import random
import sys
from functools import partial
from typing import NamedTuple

from tests.chaos import aftermath, check
from tests.chaos.caller import World
from tests.chaos.fates import fate_of
from tests.chaos.journal import Journal
from tests.chaos.killer import Killer
from tests.chaos.proxy import Proxy
from tests.chaos.readers import Reader
from tests.chaos.report import Report, add_stored, report_of
from tests.chaos.sabotage import SABOTAGE, Robbed
from tests.chaos.store import Store
from tests.chaos.tables import Company
from tests.durak_api.stack import Stack

CHECKPOINT_SECONDS = 15.0
PROGRESS_SECONDS = 1.0


class Plan(NamedTuple):
    """How many kills, games at a time, and seconds for games to come to their end afterwards.

    `sabotage` names a promise to break on purpose.
    """

    seed: int
    kills: int
    games: int
    calm: float
    sabotage: str = ""


class Run:
    """One run on a stack that serves."""

    def __init__(self, plan: Plan, stack: Stack, journal: Journal) -> None:
        self._plan = plan
        self._stack = stack
        self._journal = journal
        target = ("127.0.0.1", stack.port)
        fates = partial(fate_of, random.Random(f"{plan.seed}:proxy"))
        self._proxy = Proxy(target, journal, fates)
        self._world = World(plan.seed, journal, self._proxy)
        chance = random.Random(f"{plan.seed}:killer")
        self._killer = Killer(stack, journal, chance, plan.kills)
        self._store = Store(stack.folder)
        self._checked = 0

    @property
    def report(self) -> Report:
        """The figures so far."""
        return report_of(self._plan.seed, self._journal, self._world.ledger)

    async def play(self) -> Report:
        """Everything that needs clients. Raises ExceptionGroup with a Violation in it."""
        reader = Robbed if self._plan.sabotage == "skipped" else Reader
        async with self._proxy.listening(), asyncio.TaskGroup() as tasks:
            others = [tasks.create_task(self._show()), tasks.create_task(self._checkpoints())]
            companies = [
                tasks.create_task(Company(self._world, number, reader).play_on())
                for number in range(self._plan.games)
            ]
            await self._killer.run()
            self._proxy.is_calm, self._world.opening = True, False
            before = {game.id: game.version for game in self._store.read().games}
            await asyncio.wait(companies, timeout=self._plan.calm)
            self._world.over.set()
            await asyncio.gather(*companies)
            for task in others:
                task.cancel()
            return await self._compare(before)

    async def _compare(self, before: dict[str, int]) -> Report:
        await aftermath.check_answers(self._world)
        read = await aftermath.check_readings(self._world)
        report = self.report
        report.read = read
        return await asyncio.to_thread(self._compare_stored, report, before)

    def _compare_stored(self, report: Report, before: dict[str, int]) -> Report:
        if self._plan.sabotage:
            SABOTAGE[self._plan.sabotage](self._world.ledger, self._store.url)
        stored = self._store.read()
        check.check_numbers(stored)
        check.check_acks(self._world.ledger.acks, stored)
        check.check_once(self._world.ledger, stored)
        check.check_ends(stored, before)
        add_stored(report, stored)
        report.projections = aftermath.check_projections(self._stack.folder, self._store)
        report.verified = aftermath.verify_log(self._stack.folder)
        report.seconds = self._journal.seconds
        return report

    async def _checkpoints(self) -> None:
        """Look now and then whether what was acknowledged since the last look is there."""
        while True:
            await asyncio.sleep(CHECKPOINT_SECONDS)
            acks = self._world.ledger.acks[self._checked :]
            games, keys = sorted({ack.game for ack in acks}), [ack.key for ack in acks]
            if not acks:
                continue
            stored = await asyncio.to_thread(self._store.read_patiently, games, keys)
            check.check_acks(acks, stored)
            check.check_numbers(stored)
            self._checked += len(acks)

    async def _show(self) -> None:
        """One line of progress, and an eye on what the proxy has seen."""
        while True:
            await asyncio.sleep(PROGRESS_SECONDS)
            if self._proxy.violation is not None:
                raise self._proxy.violation
            sys.stderr.write(f"\r{self._progress()} ")
            sys.stderr.flush()

    def _progress(self) -> str:
        journal, done = self._journal, self._killer.done
        left = (self._plan.kills - done) * journal.seconds / max(done, 1)
        return (
            f"{done} of {self._plan.kills} kills, {journal.counts['games']} games, "
            f"{journal.counts['moves']:,} moves, {journal.total('cut '):,} cuts, "
            f"longest outage {journal.longest.seconds:.1f} s, {left:,.0f} s left"
        )
