"""Everything that a benchmark over HTTP needs, up and running: servers, sample games, helpers."""

import multiprocessing
import random
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

import django
from django.db import connection
from msgspec.structs import replace

from bench.cpu import cpu_seconds
from bench.exchange import exchanges_write
from bench.measure import Round
from bench.rehearsal import MOVES, Rehearsal, Sample
from bench.servers import Servers, environment_use

CONNECTIONS: Final = 16
# Clones of each sample's middle: enough that no row is asked for by two connections at once.
SHOWN: Final = 32


class Plan(NamedTuple):
    """How thorough: rounds, their length in seconds, how many samples, moves a second at most.

    A round ends early when somebody is faster than `most`: it bounds the games prepared.
    """

    rounds: int
    seconds: float
    samples: int
    most: int

    @property
    def games(self) -> int:
        """How many games a connection needs for a round of moves."""
        return -int(-self.most * self.seconds // (CONNECTIONS * MOVES))

    def clones(self, contenders: int) -> int:
        """How many games of each sample all rounds of moves need, the one not counted included."""
        rounds = (self.rounds + 1) * contenders
        return rounds * self.games * -(-CONNECTIONS // self.samples)


class Stage:
    """Where the contenders meet."""

    def __init__(self, servers: Servers, plan: Plan, samples: Sequence[Sample]) -> None:
        self.plan = plan
        self.samples = samples
        self.servers = servers
        self.addresses = servers.start_web()
        self._helper = ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn"))
        self._unplayed = [iter(sample.games) for sample in samples]

    def close(self) -> None:
        """End the helper; the servers are the caller's."""
        self._helper.shutdown()

    def lanes(self) -> list[Sample]:
        """The sample of each connection."""
        return [self.samples[lane % len(self.samples)] for lane in range(CONNECTIONS)]

    def new_games(self, lane: int) -> list[UUID]:
        """Games for a connection to play in the next round; nobody else plays them."""
        unplayed = self._unplayed[lane % len(self.samples)]
        return [next(unplayed) for _ in range(self.plan.games)]

    def measured(self, run: Callable[..., Round], *arguments: object, **spenders: str) -> Round:
        """Run in the helper's process; `spenders` name servers whose CPU time is of interest."""
        pids = {who: self.servers.pid(server) for who, server in spenders.items()}
        before = {who: cpu_seconds([pid]) for who, pid in pids.items()}
        done = self._helper.submit(run, *arguments).result()
        spent = {who: cpu_seconds([pid]) - before[who] for who, pid in pids.items()}
        return replace(done, cpu=spent | dict(done.cpu))


@contextmanager
def stage_set(servers: Servers, plan: Plan, contenders: int) -> Iterator[Stage]:
    """Rehearse, clone games for so many contenders in moves, and start what serves them."""
    samples = _rehearsed(servers, plan, contenders)
    stage = Stage(servers, plan, samples)
    try:
        yield stage
    finally:
        stage.close()


@contextmanager
def servers_used(*settings: str, keep: Path | None = None) -> Iterator[Servers]:
    """A database with more settings and a broker, and this process an application of them.

    Their data stays in the folder `keep`.
    """
    with Servers(*settings, keep=keep) as servers:
        environment_use(servers.environment)
        django.setup()
        try:
            yield servers
        finally:
            connection.close()


def _rehearsed(servers: Servers, plan: Plan, contenders: int) -> list[Sample]:
    rehearsal = Rehearsal(random.Random())
    games = plan.clones(contenders)
    samples = [rehearsal.sample(games=games, shown=SHOWN) for _ in range(plan.samples)]
    exchanges_write(servers.exchanges, rehearsal.exchanges)
    return samples
