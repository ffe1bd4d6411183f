"""Who watches what happens in all of his games."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar
from uuid import UUID

from games.api.pagination import encode_cursor
from games.api.player_events import shown_notice
from games.api.renderers import json_bytes
from games.api.streams.reading import Readers
from games.api.streams.watchers import Visitor, Watcher, Watchers
from games.selectors.notice_list import notice_list
from games.services.inbox_number import inbox_number

LARGEST_READING = 200


class InboxWatcher(Watcher):
    """Somebody who reads what he is told."""

    may_stay = True
    has_seen_all = False

    def __init__(
        self, watchers: Watchers, readers: Readers, player_id: UUID, visitor: Visitor
    ) -> None:
        super().__init__(watchers, visitor.after, visitor.token_id)
        self._readers = readers
        self._player_id = player_id
        # There may be something since his request was looked at.
        self.has_news = True

    def mark(self, seq: int) -> str:
        """The cursor of a position."""
        return encode_cursor(seq)

    async def events(self) -> Sequence[bytes]:
        """What he has been told after the cursor; after a failure it is looked for again."""
        if not self.has_news:
            return ()
        self.has_news = False
        try:
            found = await self._readers.run(read_inbox, self._player_id, self.after)
        except BaseException:
            self.has_news = True
            raise
        # Whatever is kept no longer is left out.
        self.after, events = found
        self.has_news = self.has_news or len(events) == LARGEST_READING
        return events


def read_inbox(player_id: UUID, after: int) -> tuple[int, Sequence[bytes]]:
    """Notices after a position, encoded, and the position before the first of them."""
    inbox_number(player_id=player_id)
    rows = notice_list(player_id=player_id, after=after, limit=LARGEST_READING)
    start = rows[0].position - 1 if rows else after
    return start, [json_bytes(shown_notice(row)) for row in rows]


W = TypeVar("W", bound=InboxWatcher)


class Inboxes:
    """The players of whose games all is watched in this process."""

    def __init__(self, readers: Readers, watchers: Watchers) -> None:
        self._readers = readers
        self._watchers = watchers
        self._inboxes: dict[UUID, set[InboxWatcher]] = defaultdict(set)

    @contextmanager
    def watching(self, player_id: UUID, visitor: Visitor, make: type[W], *more: Any) -> Iterator[W]:
        """Watch a player's games for the time of the block, with a watcher of this kind."""
        watcher = make(self._watchers, self._readers, player_id, visitor, *more)
        self._inboxes[player_id].add(watcher)
        self._watchers.add(watcher)
        try:
            yield watcher
        finally:
            self._watchers.remove(watcher)
            self._inboxes[player_id].remove(watcher)
            if not self._inboxes[player_id]:
                del self._inboxes[player_id]

    def positions(self) -> dict[UUID, int]:
        """Who watches, and how far all of his streams have read."""
        return {
            player_id: min(watcher.after for watcher in watchers)
            for player_id, watchers in self._inboxes.items()
        }

    def hint(self, players: Iterable[UUID]) -> None:
        """Somebody says that these players have been told something."""
        for player_id in players:
            for watcher in self._inboxes.get(player_id, ()):
                watcher.has_news = True
                watcher.bell.set()
