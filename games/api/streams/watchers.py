"""Those who read from a cursor on and wait when there is nothing; all of them in this process."""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from typing import NamedTuple
from uuid import UUID


class Visitor(NamedTuple):
    """Who comes: his account and the token that lets him in, if any, and after what he reads."""

    player_id: UUID | None
    token_id: UUID | None
    after: int


class Watcher(ABC):
    """Somebody who reads from a cursor on. `token_id` is what let him in, if it was a token."""

    def __init__(self, watchers: "Watchers", after: int, token_id: UUID | None) -> None:
        self._watchers = watchers
        self.after = after
        self.token_id = token_id
        self.has_left = False
        self.has_lost_token = False
        # Rings when there may be something to do.
        self.bell = asyncio.Event()

    def leave(self) -> None:
        """His client has gone."""
        self.has_left = True
        self.bell.set()

    def lose_token(self) -> None:
        """What let him in is not good any more."""
        self.has_lost_token = True
        self.bell.set()

    @property
    def is_closing(self) -> bool:
        """Whether the process is about to stop."""
        return self._watchers.is_closing

    @property
    @abstractmethod
    def may_stay(self) -> bool:
        """Whether what he watches still exists for him."""

    @property
    @abstractmethod
    def has_seen_all(self) -> bool:
        """Whether nothing more can come."""

    @abstractmethod
    def mark(self, seq: int) -> int | str:
        """A cursor as clients see it."""

    @abstractmethod
    async def events(self) -> Sequence[bytes]:
        """The next events, encoded; none when there are none yet. The cursor stays before them."""

    async def news(self, seconds: float) -> bool:
        """Wait until the bell rings; False when it has not after so many seconds."""
        try:
            async with asyncio.timeout(seconds):
                await self.bell.wait()
        except TimeoutError:
            return False
        self.bell.clear()
        return True


class Watchers:
    """All watchers of the process, whatever they watch."""

    def __init__(self) -> None:
        self._all: set[Watcher] = set()
        self.is_closing = False

    def add(self, watcher: Watcher) -> None:
        """Somebody comes."""
        self._all.add(watcher)

    def remove(self, watcher: Watcher) -> None:
        """He goes."""
        self._all.remove(watcher)

    def tokens(self) -> set[UUID]:
        """The tokens that let them in."""
        return {watcher.token_id for watcher in self._all if watcher.token_id is not None}

    def lose_tokens(self, ended: Collection[UUID]) -> None:
        """These tokens are not good any more."""
        for watcher in self._all:
            if watcher.token_id in ended:
                watcher.lose_token()

    def close(self) -> None:
        """Let everybody know that the process stops."""
        self.is_closing = True
        for watcher in self._all:
            watcher.bell.set()
