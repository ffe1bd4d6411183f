"""How news reaches the rooms: hints from Redis at once, a look at the log's versions for sure."""

import asyncio
import contextlib
import logging
from typing import Any, Final
from uuid import UUID

import redis.asyncio
from django.db import DatabaseError
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from games.api.streams.door import Halls
from games.api.streams.hints import CHANNEL
from games.api.streams.reading import Readers
from games.api.streams.watchers import Watchers
from games.selectors.game_versions import game_versions_after
from games.selectors.notice_list import inboxes_after
from games.selectors.token_ended import token_ended_list

logger = logging.getLogger("games.streams")
# Seconds between two looks, with hints coming and without.
LOOK_SECONDS: Final = 2.0
DEAF_LOOK_SECONDS: Final = 1.0
_RECONNECT_SECONDS: Final = 1.0
_HEALTH_SECONDS: Final = 10


class Listener:
    """Feeds the `halls` until its task is cancelled, and sees to it that tokens are still good."""

    def __init__(self, url: str, halls: Halls, watchers: Watchers, readers: Readers) -> None:
        self._url = url
        self._rooms = halls.rooms
        self._inboxes = halls.inboxes
        self._watchers = watchers
        self._readers = readers
        self._is_deaf = True

    async def run(self) -> None:
        """Listen and look."""
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._listen())
            tasks.create_task(self._look())

    async def _listen(self) -> None:
        while True:
            try:
                await self._take_hints()
            except (redis.RedisError, OSError) as error:
                if not self._is_deaf:
                    logger.warning("no more hints: %s", error)
            except Exception:
                logger.exception("no more hints")
            self._is_deaf = True
            await asyncio.sleep(_RECONNECT_SECONDS)

    async def _take_hints(self) -> None:
        client = redis.asyncio.Redis.from_url(
            self._url,
            socket_connect_timeout=_RECONNECT_SECONDS,
            health_check_interval=_HEALTH_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        async with client, client.pubsub() as hints:
            await hints.psubscribe(CHANNEL.format("*"))
            self._is_deaf = False
            while True:
                # Coming back now and then lets a dead connection be noticed.
                message = await hints.get_message(True, timeout=_HEALTH_SECONDS)
                if message is not None:
                    self._take_hint(message)

    def _take_hint(self, message: dict[str, Any]) -> None:
        # Others may publish what they like.
        with contextlib.suppress(ValueError):
            game_id = UUID(message["channel"].decode().partition(":")[2])
            version, *players = message["data"].decode().split()
            self._rooms.hint(game_id, int(version))
            self._inboxes.hint(map(UUID, players))

    async def _look(self) -> None:
        while True:
            await asyncio.sleep(DEAF_LOOK_SECONDS if self._is_deaf else LOOK_SECONDS)
            try:
                await self._look_once()
            except DatabaseError as error:
                logger.warning("cannot look for what is new: %s", error)
            except Exception:
                logger.exception("cannot look for what is new")

    async def _look_once(self) -> None:
        if tokens := self._watchers.tokens():
            self._watchers.lose_tokens(await self._readers.run(token_ended_list, tokens))
        if versions := self._rooms.versions():
            moved = await self._readers.run(game_versions_after, versions)
            for game_id, version in moved.items():
                self._rooms.hint(game_id, version)
        if positions := self._inboxes.positions():
            self._inboxes.hint(await self._readers.run(inboxes_after, positions))
