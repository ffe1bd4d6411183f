"""Games that go on and streams that follow them: how soon news arrive, and whether all of it."""

import asyncio
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from typing import Final, NamedTuple
from uuid import UUID

import psycopg
import uvloop

from bench.measure import Round
from bench.streams.followers import Follower, all_at
from bench.streams.movers import Moved, Movers
from bench.streams.progress import show
from bench.streams.scene import Cast, Scene

_PATIENCE: Final = 20.0
_STORED: Final = """
    SELECT game_id, seq, encode(hash, 'hex'),
        extract(epoch FROM pg_xact_commit_timestamp(xmin))::float8
    FROM games_gameevent WHERE game_id = ANY(%s) AND seq > %s ORDER BY game_id, seq
"""
Place = tuple[UUID, int]


class Stored(NamedTuple):
    """An event of the log: its hash, and when it was committed (wall clock)."""

    hash: str
    at: float


class Run(NamedTuple):
    """One run: who followed, what is stored of each game and up to which version, when moves were
    answered, how long it took.
    """

    followers: Sequence[Follower]
    stored: Mapping[Place, Stored]
    versions: Mapping[UUID, int]
    answered: Moved
    seconds: float

    def since_commit(self, began: float = 0.0, ended: float = float("inf")) -> Round:
        """Each event's way from its commit to each stream; of those committed in between."""
        late = [
            told.at - stored.at
            for one in self.followers
            for told in one.told
            if began <= (stored := self.stored[one.game, told.seq]).at < ended
        ]
        times = [one.at for one in self.stored.values() if began <= one.at < ended]
        return Round(len(late), max(times) - min(times) if times else self.seconds, tuple(late))

    def since_answer(self) -> Round:
        """From a move's 201 to its last event on each stream: below zero if that came first."""
        late = [
            told.at - self.answered[one.game, told.seq]
            for one in self.followers
            for told in one.told
            if (one.game, told.seq) in self.answered
        ]
        return Round(len(late), self.seconds, tuple(late))

    def faults(self, one: Follower) -> tuple[int, int]:
        """How many events a stream missed, and how many it had twice or not as they are stored."""
        missed = one.missed + self.versions[one.game] - one.after
        wrong = sum(told.hash != self.stored[one.game, told.seq].hash for told in one.told)
        return missed, one.doubled + wrong


def run_games(
    scene: Scene, cast: Cast, beside: AbstractAsyncContextManager[None], patience: float | None
) -> Run:
    """Let the games go on, with something else beside."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        followers, answered, seconds = runner.run(_run(scene, cast, beside, patience))
    stored = stored_of(scene, cast)
    return Run(followers, stored, versions_of(stored), answered, seconds)


async def _run(
    scene: Scene, cast: Cast, beside: AbstractAsyncContextManager[None], patience: float | None
) -> tuple[list[Follower], Moved, float]:
    plan, movers, bearers = scene.plan, Movers(scene, cast), cast.bearers()
    followers = [
        Follower(scene.streams, game, bearers[place % len(bearers)], cast.start, patience)
        for game in cast.games
        for place in range(plan.watchers)
    ]
    async with asyncio.TaskGroup() as tasks:
        for one in followers:
            tasks.create_task(one.run())
        await asyncio.gather(*(one.opened.wait() for one in followers))
        async with beside, movers.lines():
            began = time.monotonic()
            await movers.play(plan.moves, plan.rate, lambda done: show(f"{done:,} moves"))
            seconds = time.monotonic() - began
        versions = versions_of(movers.answered)
        await all_at(followers, lambda game: versions.get(game, 0), _PATIENCE)
        for one in followers:
            one.leave()
    return followers, movers.answered, seconds


def faults_of(run: Run) -> tuple[int, int]:
    """The faults of all streams together."""
    found = [run.faults(one) for one in run.followers]
    return sum(missed for missed, _ in found), sum(doubled for _, doubled in found)


def stored_of(scene: Scene, cast: Cast) -> dict[Place, Stored]:
    """What the log has since the start of the games."""
    with psycopg.connect(scene.servers.environment["DATABASE_URL"]) as connection:
        rows = connection.execute(_STORED, [list(cast.games), cast.start]).fetchall()
    return {(game, seq): Stored(digest, at) for game, seq, digest, at in rows}


def versions_of(places: Iterable[Place]) -> dict[UUID, int]:
    """The last event of each game."""
    versions: dict[UUID, int] = {}
    for game, seq in places:
        versions[game] = max(seq, versions.get(game, 0))
    return versions
