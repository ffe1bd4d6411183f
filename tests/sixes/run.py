"""A run: all tables at once, and the comparison when all games are over."""

import asyncio
import random
import sys
from functools import partial
from typing import NamedTuple

import msgspec

from durak_api.environment import run_file_read
from tests.chaos import aftermath, check
from tests.chaos.caller import World
from tests.chaos.journal import Journal, Violation
from tests.chaos.proxy import Proxy
from tests.chaos.store import Store
from tests.durak_api.stack import Stack
from tests.sixes.results import check_results
from tests.sixes.tables import Table, Told, cuts_only

PROGRESS_SECONDS = 1.0


class Plan(NamedTuple):
    """How many games at once, seconds for a turn, and seconds for all of it."""

    games: int
    seed: int
    turn_seconds: int
    seconds: float


class Report(msgspec.Struct):
    """What was played and compared."""

    games: int
    moves: int
    events: int
    cuts: int
    reconnects: int
    taken: int
    returns: int
    timeouts: int
    seconds: float
    verified: str

    def __str__(self) -> str:
        return (
            f"{self.games} games of six ended in {self.seconds:.0f} s: {self.moves:,} moves, "
            f"{self.events:,} events, {self.cuts:,} cuts, {self.reconnects:,} streams taken up "
            f"again, {self.timeouts} turns missed, {self.taken} of those who left replaced by "
            f"bots, {self.returns} returns; results, ratings and streams as in the logs; "
            f"{self.verified}"
        )


class Run:
    """One run on a stack that serves."""

    def __init__(self, plan: Plan, stack: Stack, journal: Journal) -> None:
        self._plan = plan
        self._stack = stack
        self._journal = journal
        fates = partial(cuts_only, random.Random(f"{plan.seed}:proxy"))
        self._proxy = Proxy(("127.0.0.1", stack.port), journal, fates)
        self._world = World(plan.seed, journal, self._proxy)
        self._store = Store(stack.folder)

    async def play(self) -> Report:
        """Everything. Raises ExceptionGroup with a Violation in it."""
        async with self._proxy.listening(), asyncio.TaskGroup() as tasks:
            showing = tasks.create_task(self._show())
            games = await self._games()
            self._proxy.is_calm = True
            report = await self._compare(games)
            showing.cancel()
            return report

    async def _games(self) -> list[Told]:
        plan = self._plan
        tables = [Table(self._world, number, plan.turn_seconds) for number in range(plan.games)]
        try:
            async with asyncio.timeout(plan.seconds):
                return await asyncio.gather(*(table.play() for table in tables))
        except TimeoutError:
            ended = self._journal.counts["ended"]
            raise Violation(f"{ended} of {plan.games} games ended in time") from None

    async def _compare(self, games: list[Told]) -> Report:
        world, journal = self._world, self._journal
        await aftermath.check_answers(world)
        await aftermath.check_readings(world)
        await asyncio.to_thread(aftermath.check_projections, self._stack.folder, self._store)
        url = run_file_read(self._stack.folder)["DATABASE_OWNER_URL"]
        taken = await check_results(world, games, url)
        stored = await asyncio.to_thread(self._store.read)
        check.check_numbers(stored)
        check.check_acks(world.ledger.acks, stored)
        check.check_once(world.ledger, stored)
        check.check_ends(stored, {})
        if unfinished := [game.id for game in stored.games if game.status != "finished"]:
            raise Violation(f"not over: {unfinished}")
        return Report(
            games=len(games),
            moves=world.ledger.moves,
            events=len(stored.events),
            cuts=journal.total("cut "),
            reconnects=journal.counts["reconnects"],
            taken=taken,
            returns=journal.counts["returns"],
            timeouts=sum(event.type == "seat_timed_out" for event in stored.events),
            seconds=journal.seconds,
            verified=await asyncio.to_thread(aftermath.verify_log, self._stack.folder),
        )

    async def _show(self) -> None:
        while True:
            await asyncio.sleep(PROGRESS_SECONDS)
            counts = self._journal.counts
            sys.stderr.write(
                f"\r{counts['ended']} of {self._plan.games} games ended, {counts['moves']:,} moves,"
                f" {self._journal.total('cut '):,} cuts, {self._journal.seconds:.0f} s "
            )
            sys.stderr.flush()
