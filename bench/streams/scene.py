"""The servers of this benchmark, and games for it."""

import random
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
import psycopg

from bench.exchange import Exchange
from bench.rehearsal import Rehearsal
from bench.servers import STREAMS, Servers
from bench.streams.plan import Plan
from durak_api.embedded.limits import files_allow

_MARK: Final = "durak_streams"
_CONNECTIONS: Final = """
    SELECT count(*), count(*) FILTER (WHERE state <> 'idle') FROM pg_stat_activity
    WHERE application_name = %s
"""
# What a stream needs on either side of its socket, and what everything else does.
_SPARE_FILES: Final = 500


class Step(NamedTuple):
    """A recorded move: its request, the numbers of its first and last event."""

    exchange: Exchange
    first: int
    last: int


class Memory(NamedTuple):
    """What a process holds, in kB: `own` counts what it shares only in part."""

    resident: int
    own: int


class Scene:
    """Where everything happens: `api` and `streams` are socket files."""

    def __init__(self, servers: Servers, plan: Plan) -> None:
        self.servers = servers
        self.plan = plan
        self.files = files_allow(2 * plan.idle + _SPARE_FILES)
        flow = servers.start_flow(
            STREAMS_PER_CALLER=str(10 * plan.idle),
            STREAM_KEEP_ALIVE_SECONDS=str(plan.keep_alive),
            DATABASE_URL=f"{servers.environment['DATABASE_URL']}?application_name={_MARK}",
        )
        self.api, self.streams = flow.api, flow.streams

    def sample(self, games: int) -> "Cast":
        """So many equal games, at their start."""
        sample = Rehearsal(random.Random()).sample(games=games, shown=0)
        return Cast(sample.games, list(steps_of(sample.moves)))

    def memory(self) -> Memory:
        """What the streams process holds now."""
        return memory_of(self.servers.pid(STREAMS))

    def connections(self) -> tuple[int, int]:
        """The streams process's connections to the database, and how many of them are in use."""
        with psycopg.connect(self.servers.environment["DATABASE_URL"]) as connection:
            row = connection.execute(_CONNECTIONS, [_MARK]).fetchone()
        assert row is not None
        return row[0], row[1]


class Cast(NamedTuple):
    """Equal games and the moves that each of them can be played on with."""

    games: Sequence[UUID]
    steps: Sequence[Step]

    @property
    def start(self) -> int:
        """The version at which all of them stand."""
        return self.steps[0].first - 1

    def bearers(self) -> list[str]:
        """The players by their headers, and the empty one of somebody who only watches."""
        return [*dict.fromkeys(step.exchange.headers["Authorization"] for step in self.steps), ""]


def steps_of(moves: Sequence[Exchange]) -> Iterator[Step]:
    """The moves with the numbers of their events."""
    for move in moves:
        events = msgspec.json.decode(move.reply)["events"]
        yield Step(move, events[0]["seq"], events[-1]["seq"])


def memory_of(pid: int) -> Memory:
    """What a process holds. Linux only."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii").splitlines()
    sizes = {
        name: int(size.split()[0]) for name, _, size in (li.partition(":") for li in lines[1:])
    }
    return Memory(sizes["Rss"], sizes["Pss"])
