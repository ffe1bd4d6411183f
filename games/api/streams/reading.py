"""What streams read of the log: sync functions that run in a few threads.

A thread has a database connection only while it reads, so those who wait hold none.
"""

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any, Final, ParamSpec, TypeVar
from uuid import UUID

import msgspec
from django.db import close_old_connections
from msgspec.structs import replace

from games.api.renderers import json_bytes
from games.rules.game import fold
from games.rules.views import Viewer
from games.selectors.game_show import event_list, event_page, viewer_of
from games.store import log
from games.store.log import Head

P = ParamSpec("P")
T = TypeVar("T")
# With the one for dumps they are as many as the pool has connections.
READERS: Final = 4
DOORS: Final = 3
_LARGEST_PAGE: Final = 200


class Step(msgspec.Struct, frozen=True):
    """The events after version `since`, each encoded as its viewers may see it; the game then.

    Of `head` only the game moves on from step to step.
    """

    since: int
    head: Head
    shown: Mapping[Viewer, Sequence[bytes]]


class Readers:
    """A few threads to read in."""

    def __init__(self, threads: int = READERS) -> None:
        self._threads = ThreadPoolExecutor(threads, "reader")

    async def run(self, read: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What `read` returns or raises."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._threads, _read, partial(read, *args, **kwargs))

    def close(self) -> None:
        """End the threads; what they read now is lost."""
        self._threads.shutdown(wait=False, cancel_futures=True)


def _read(read: Callable[[], T]) -> T:
    try:
        return read()
    finally:
        close_old_connections()


def read_step(head: Head, players: Collection[UUID | None]) -> Step:
    """What came after `head`, for each of the players who watch (None: without an account)."""
    stored = log.events(head.id, head.game.version)
    after = replace(head, game=fold(head.game, tuple(item.event for item in stored)))
    viewers = {viewer_of(after, player) for player in players}
    shown = {viewer: _encoded(event_list(head.game, stored, viewer)) for viewer in viewers}
    return Step(head.game.version, after, shown)


def read_page(head: Head, viewer: Viewer, after: int, end: int) -> Sequence[bytes]:
    """Events between the versions `after` and `end`, many at most, encoded."""
    limit = min(_LARGEST_PAGE, end - after)
    return _encoded(event_page(head, viewer, after, limit)) if limit > 0 else ()


def _encoded(events: Sequence[Mapping[str, Any]]) -> tuple[bytes, ...]:
    return tuple(map(json_bytes, events))
