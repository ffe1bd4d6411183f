"""Who watches which game. All watchers of a game share one reading of what is new.

Everything here runs on the event loop; only `Readers` leaves it.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from uuid import UUID

from django.db import DatabaseError

from games.api.streams.reading import Readers, Step, read_page, read_step
from games.api.streams.watchers import Visitor, Watcher, Watchers
from games.selectors.game_show import may_see, viewer_of
from games.store.log import Head

logger = logging.getLogger("games.streams")


class Room:
    """A game that is being watched, at the last version read."""

    def __init__(self, head: Head, readers: Readers) -> None:
        self.head = head
        self.watchers: set[GameWatcher] = set()
        self._readers = readers
        self._step: Step | None = None
        self._wanted = head.game.version
        self._reading: asyncio.Task[None] | None = None

    @property
    def version(self) -> int:
        """The version that has been read."""
        return self.head.game.version

    def hint(self, version: int) -> None:
        """Read on, if the game is past what has been read."""
        self._wanted = max(self._wanted, version)
        if self._wanted > self.version and self._reading is None:
            self._reading = asyncio.create_task(self._read_on())

    async def _read_on(self) -> None:
        try:
            while self._wanted > self.version and self.watchers:
                await self._read_step()
        except DatabaseError as error:
            logger.warning("cannot read game %s: %s", self.head.id, error)
        finally:
            # After a failure the next hint, or look at the versions, tries again.
            self._wanted = self.version
            self._reading = None

    async def _read_step(self) -> None:
        players = {watcher.player_id for watcher in self.watchers}
        step = await self._readers.run(read_step, self.head, players)
        if step.head.game.version == self.version:
            self._wanted = self.version
            return
        self._step, self.head = step, step.head
        for watcher in self.watchers:
            watcher.bell.set()

    async def events(self, player_id: UUID | None, after: int) -> Sequence[bytes]:
        """Events after a version, encoded for the player: the last step's, or a page of the log."""
        viewer, step = viewer_of(self.head, player_id), self._step
        end = self.head.game.shown_version if viewer is None else self.version
        if after >= end:
            return ()
        if step is not None and step.since <= after and viewer in step.shown:
            return step.shown[viewer][after - step.since : end - step.since]
        return await self._readers.run(read_page, self.head, viewer, after, end)


class GameWatcher(Watcher):
    """Somebody who reads a game."""

    def __init__(self, watchers: Watchers, room: Room, visitor: Visitor) -> None:
        super().__init__(watchers, visitor.after, visitor.token_id)
        self._room = room
        self.player_id = visitor.player_id

    @property
    def head(self) -> Head:
        """The game as far as it has been read."""
        return self._room.head

    @property
    def may_stay(self) -> bool:
        """Whether the game still exists for him; one may leave a private table."""
        return may_see(self._room.head, self.player_id)

    @property
    def has_seen_all(self) -> bool:
        """Whether the game is over and he has it all."""
        return self.head.game.status == "finished" and self.after >= self._room.version

    def mark(self, seq: int) -> int:
        """The version."""
        return seq

    async def events(self) -> Sequence[bytes]:
        """The next events, encoded; none when there are none yet. The cursor stays."""
        return await self._room.events(self.player_id, self.after)


class Rooms:
    """The rooms of this process."""

    def __init__(self, readers: Readers, watchers: Watchers) -> None:
        self._readers = readers
        self._watchers = watchers
        self._rooms: dict[UUID, Room] = {}

    @contextmanager
    def watching(self, head: Head, visitor: Visitor) -> Iterator[GameWatcher]:
        """Watch a game, whose head was just read, for the time of the block."""
        room = self._rooms.get(head.id)
        if room is None:
            room = self._rooms[head.id] = Room(head, self._readers)
        watcher = GameWatcher(self._watchers, room, visitor)
        room.watchers.add(watcher)
        self._watchers.add(watcher)
        room.hint(head.game.version)
        try:
            yield watcher
        finally:
            self._watchers.remove(watcher)
            room.watchers.remove(watcher)
            if not room.watchers:
                del self._rooms[head.id]

    def versions(self) -> dict[UUID, int]:
        """The games that are watched, and how far they have been read."""
        return {game_id: room.version for game_id, room in self._rooms.items()}

    def hint(self, game_id: UUID, version: int) -> None:
        """Somebody says that a game is at a version."""
        room = self._rooms.get(game_id)
        if room is not None:
            room.hint(version)


class Places:
    """How many streams each caller holds in this process."""

    def __init__(self) -> None:
        self._held: Counter[str] = Counter()

    def take(self, caller: str, most: int) -> bool:
        """Take one place of the caller's `most`; False when he holds them all."""
        if self._held[caller] >= most:
            return False
        self._held[caller] += 1
        return True

    def free(self, caller: str) -> None:
        """Give a place back."""
        self._held[caller] -= 1
        if not self._held[caller]:
            del self._held[caller]
