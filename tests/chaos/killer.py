"""Kills processes of a running service at random, and sees them come back."""

import asyncio
import contextlib
import os
import random
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

import psycopg

from durak_api.embedded import postgres
from durak_api.embedded.probes import answers_http, answers_ping
from tests.chaos.journal import Journal, Violation
from tests.durak_api.stack import Stack

# Leaders, and children that die alone: a server process of the database, one of several workers.
LEADERS: Final = ("postgres", "valkey", "web", "streams", "worker", "thinker", "beat", "front")
WITH_CHILDREN: Final = ("postgres", "web", "worker", "thinker")
HOPELESS_AFTER: Final = 60.0
LONGEST_PAUSE: Final = 1.5
# Of a hundred strikes so many hit a child, so many two or three processes at once, and after so
# many the next one does not wait until all is well again.
CHILDREN, SEVERAL, HASTY = 15, 15, 25


class Blow(NamedTuple):
    """A process that was killed: its service, its number, and when (monotonic)."""

    name: str
    pid: int
    is_leader: bool
    at: float
    wall: float


class Killer:
    """Kills `kills` processes of a stack."""

    def __init__(self, stack: Stack, journal: Journal, chance: random.Random, kills: int) -> None:
        self._stack = stack
        self._journal = journal
        self._chance = chance
        self._kills = kills
        self._open: list[Blow] = []
        self._next: list[str] = []
        self._run = stack.folder / "run"
        self._probes: dict[str, Callable[[Blow], bool]] = {
            "postgres": lambda _: self._answers_select(),
            "valkey": lambda _: answers_ping(self._run / "valkey.sock"),
            "web": lambda _: answers_http(self._run / "web.sock"),
            "streams": lambda _: answers_http(self._run / "streams.sock"),
            "front": lambda _: answers_http(("127.0.0.1", stack.port)),
            "worker": self._worker_is_ready,
            "thinker": self._worker_is_ready,
            "beat": lambda _: True,
        }

    @property
    def done(self) -> int:
        """How many it has killed."""
        return self._journal.total("kill ")

    async def run(self) -> None:
        """Kill until it is enough, then see that everything is there again."""
        while self.done < self._kills:
            await asyncio.sleep(self._chance.uniform(0, LONGEST_PAUSE))
            several = self._chance.randint(2, 3) if self._likely(SEVERAL) else 1
            for _ in range(min(several, self._kills - self.done)):
                self._strike(self._draw())
            if not self._likely(HASTY):
                await self._recovery()
        await self._recovery()

    def _likely(self, percent: int) -> bool:
        return self._chance.random() * 100 < percent

    def _draw(self) -> str:
        """The next service: each once before one comes again."""
        if not self._next:
            self._next = self._chance.sample(LEADERS, len(LEADERS))
        return self._next.pop()

    def _strike(self, name: str) -> None:
        """Kill one process of a service, unless nothing of it runs."""
        leader = self._leader(name)
        if leader is None:
            return
        child = name in WITH_CHILDREN and self._likely(CHILDREN)
        members = children(leader) if child else []
        victim = self._chance.choice(members) if members else leader
        with contextlib.suppress(ProcessLookupError):
            os.kill(victim, signal.SIGKILL)
            is_leader = victim == leader
            self._open.append(Blow(name, victim, is_leader, time.monotonic(), time.time()))
            what = name if is_leader else f"{name} child"
            self._journal.fault(f"kill {what}", pid=victim)

    def _leader(self, name: str) -> int | None:
        """The living process that leads a service."""
        with contextlib.suppress(OSError, ValueError):
            pid = self._stack.pid(name)
            return pid if is_alive(pid) else None
        return None

    async def _recovery(self) -> None:
        """Wait until all that was killed serves again."""
        while self._open:
            if self._stack.process is None or self._stack.process.poll() is not None:
                raise Violation(f"the supervisor has ended:\n{self._stack.said()[-2000:]}")
            for blow in list(self._open):
                if await asyncio.to_thread(self._is_healed, blow):
                    self._open.remove(blow)
                    self._journal.recovery(blow.name, time.monotonic() - blow.at)
                elif time.monotonic() - blow.at > HOPELESS_AFTER:
                    raise Violation(f"{blow.name}, killed, does not come back:\n{self._tail(blow)}")
            await asyncio.sleep(0.05)

    def _is_healed(self, blow: Blow) -> bool:
        leader = self._leader(blow.name)
        replaced = leader is not None and (leader != blow.pid if blow.is_leader else True)
        return replaced and self._probes[blow.name](blow)

    def _tail(self, blow: Blow) -> str:
        log = self._stack.folder / "log" / f"{blow.name}.log"
        return log.read_text(errors="replace")[-2000:] if log.exists() else ""

    def _answers_select(self) -> bool:
        with contextlib.suppress(psycopg.Error):
            url = postgres.database_url(self._run, postgres.APP)
            with psycopg.connect(url, connect_timeout=2) as connection:
                connection.execute("SELECT 1")
                return True
        return False

    def _worker_is_ready(self, blow: Blow) -> bool:
        """A worker touches its sign when it takes tasks; a dead child is not its end."""
        sign = self._run / f"{blow.name}.ready"
        return not blow.is_leader or (sign.exists() and sign.stat().st_mtime > blow.wall)


def children(pid: int) -> list[int]:
    """The living children of a process."""
    with contextlib.suppress(OSError):
        text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
        return [int(child) for child in text.split() if is_alive(int(child))]
    return []


def is_alive(pid: int) -> bool:
    """Whether a process runs, and is not only waiting to be buried."""
    with contextlib.suppress(OSError, IndexError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False
