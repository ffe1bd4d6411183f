"""How soon an event is on the streams, beside what the broker alone takes to hand on a word."""

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

import redis.asyncio

from bench.measure import Ratio, Round, Section, summarise
from bench.streams.moving import faults_of, run_games
from bench.streams.scene import Scene

COMMITTED, ANSWERED = "event, from the commit", "event, from the move's 201"
PUBLISH: Final = "valkey publish alone"
_CHANNEL, _PAUSE = "bench", 0.02


def measure(scene: Scene) -> Section:
    """The table of latencies."""
    plan, probe = scene.plan, Probe(scene.servers.environment["REDIS_URL"])
    run = run_games(scene, scene.sample(plan.games), probe.running(), None)
    words = Round(len(probe.latencies), run.seconds, tuple(probe.latencies))
    rounds = {COMMITTED: run.since_commit(), ANSWERED: run.since_answer(), PUBLISH: words}
    rows = [summarise(name, "/s", [one]) for name, one in rounds.items()]
    publish = rows[-1]
    ratios = [
        Ratio(f"{row.name} / {PUBLISH}, {name} ms", mine / theirs)
        for row in rows[:-1]
        for name in ("p50", "p99")
        if (mine := getattr(row, name)) and (theirs := getattr(publish, name))
    ]
    earlier = sum(late <= 0 for late in rounds[ANSWERED].latencies)
    missed, doubled = faults_of(run)
    notes = [
        f"{plan.moves:,} moves at {plan.rate:.0f}/s, {plan.watchers} streams a game",
        "the commit is that of the database: its own wait for the disk counts",
        f"{earlier / max(rounds[ANSWERED].count, 1):.0%} of the events came before the mover's 201",
        f"{missed} missed, {doubled} doubled",
    ]
    return Section(f"News of {plan.games} games that go on", rows, ratios, notes)


class Probe:
    """Publishes words to itself; `latencies` are their ways, in seconds."""

    def __init__(self, url: str) -> None:
        self._url = url
        self.latencies: list[float] = []

    @asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """For the time of the block."""
        client = redis.asyncio.Redis.from_url(self._url)
        async with client, client.pubsub() as words:
            await words.subscribe(_CHANNEL)
            tasks = [asyncio.create_task(self._hear(words)), asyncio.create_task(_say(client))]
            yield
            for task in tasks:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task

    async def _hear(self, words: redis.asyncio.client.PubSub) -> None:
        async for message in words.listen():
            if message["type"] == "message":
                self.latencies.append(time.time() - float(message["data"]))


async def _say(client: "redis.asyncio.Redis") -> None:
    while True:
        await client.publish(_CHANNEL, repr(time.time()))
        await asyncio.sleep(_PAUSE)
