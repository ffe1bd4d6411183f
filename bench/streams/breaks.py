"""What breaks of the line, and of the broker, cost those who follow games: time, and no event."""

import asyncio
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Final

from bench.measure import Ratio, Round, Section, summarise
from bench.servers import BROKER
from bench.streams.followers import Follower
from bench.streams.moving import Run, faults_of, run_games
from bench.streams.scene import Scene

PEACE, AWAY, BACK = "broker there", "broker away", "broker back"
EXACT: Final = "streams that missed nothing and had nothing twice"
# Seconds between two cuts of a stream, on average.
PATIENCE: Final = 15.0
# After the broker is back, until hints come again: who found it away does not try for a while.
_SETTLE: Final = 3.5


class Outage:
    """Kills the broker when a third of the run is over, and starts it again; times by wall clock.

    Valkey's own start is short; `ended` is when it served again.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self.began = self.ended = 0.0

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """For the time of the block, which has to be longer."""
        task = asyncio.create_task(self._strike())
        yield
        await task

    async def _strike(self) -> None:
        plan, servers = self._scene.plan, self._scene.servers
        await asyncio.sleep(plan.moves / plan.rate / 3)
        self.began = time.time()
        await asyncio.to_thread(servers.kill, BROKER)
        await asyncio.sleep(plan.outage)
        await asyncio.to_thread(servers.start_broker)
        self.ended = time.time()


def measure(scene: Scene) -> Section:
    """The table of breaks."""
    plan, outage = scene.plan, Outage(scene)
    run = run_games(scene, scene.sample(plan.games), outage.running(), PATIENCE)
    spans = {
        PEACE: run.since_commit(ended=outage.began),
        AWAY: run.since_commit(outage.began, outage.ended),
        BACK: run.since_commit(began=outage.ended + _SETTLE),
    }
    whole = sum(run.faults(one) == (0, 0) for one in run.followers) / len(run.followers)
    rows = [summarise(f"event, {name}", "/s", [one]) for name, one in spans.items()]
    ratios = [Ratio(EXACT, whole, wanted=1.0, binding=True)]
    notes = list(_notes(run, outage, spans[AWAY]))
    return Section("News over a bad line", rows, ratios, notes)


def _notes(run: Run, outage: Outage, away: Round) -> Iterator[str]:
    cuts, events = (sum(counts) for counts in zip(*map(_counts, run.followers), strict=True))
    missed, doubled = faults_of(run)
    late, seconds = max(away.latencies, default=0.0), outage.ended - outage.began
    yield f"{cuts:,} cuts of {len(run.followers):,} streams; the way back of each counts"
    yield "half of them resume by after=, half by Last-Event-ID"
    yield f"{events:,} events held against the log: {missed} missed, {doubled} doubled"
    yield f"SIGKILL of the broker, away for {seconds:.1f} s; the slowest event took {late:.1f} s"


def _counts(one: Follower) -> tuple[int, int]:
    return one.cuts, len(one.told)
