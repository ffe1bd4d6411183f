"""Those who follow a game, however often their line breaks."""

import asyncio
import random
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

import msgspec

from bench.streams.wire import Stream, stream_open, stream_request

_RETRY_SECONDS: Final = 0.05


class Told(NamedTuple):
    """One event as it came: its number, its hash, and when (wall clock)."""

    seq: int
    hash: str
    at: float


class _Event(msgspec.Struct):
    hash: str


class Follower:
    """Reads one game from `after` on: `told` has what came; what did not is counted.

    Its line is cut at random, every `patience` seconds on average, if it is given: then it resumes
    after the last event that it has, and says so in one of two ways.
    """

    def __init__(
        self, path: Path, game: UUID, bearer: str, after: int, patience: float | None = None
    ) -> None:
        self.game = game
        self.after = after
        self.told: list[Told] = []
        self.missed = 0
        self.doubled = 0
        self.cuts = 0
        self._path = path
        self._bearer = bearer
        self._patience = patience
        self._is_over = False
        self._stream: Stream | None = None
        self.opened = asyncio.Event()

    async def run(self) -> None:
        """Follow until somebody says that it is over. Raises Refused."""
        while not self._is_over:
            request = stream_request(
                self.game, self._bearer, self.after, by_header=random.random() < 0.5
            )
            try:
                self._stream = await stream_open(self._path, request, self.take)
            except OSError:
                await asyncio.sleep(_RETRY_SECONDS)
                continue
            self.opened.set()
            await self._stay(self._stream)

    def leave(self) -> None:
        """It is over."""
        self._is_over = True
        if self._stream is not None:
            self._stream.cut()

    async def _stay(self, stream: Stream) -> None:
        patience = self._patience
        seconds = None if patience is None else random.expovariate(1 / patience)
        done, _ = await asyncio.wait({stream.closed}, timeout=seconds)
        if not done:
            self.cuts += 1
            stream.cut()
            await stream.closed

    def take(self, seq: int, data: bytes) -> None:
        """The next event, if it is."""
        if seq <= self.after:
            self.doubled += 1
            return
        self.missed += seq - self.after - 1
        self.after = seq
        self.told.append(Told(seq, msgspec.json.decode(data, type=_Event).hash, time.time()))


async def all_at(followers: list[Follower], version: Callable[[UUID], int], seconds: float) -> None:
    """Wait until everybody has his game's last event, so many seconds at most."""
    ends = time.monotonic() + seconds
    while any(one.after < version(one.game) for one in followers) and time.monotonic() < ends:
        await asyncio.sleep(0.05)
