"""Who waits for a quick match."""

from collections.abc import Sequence
from typing import Final
from uuid import UUID

from games.api.quick_match_shapes import shown_ticket
from games.api.renderers import json_bytes
from games.api.streams.inboxes import InboxWatcher
from games.api.streams.reading import Readers
from games.api.streams.watchers import Visitor, Watchers
from games.models import QuickMatch

LOOK_SECONDS: Final = 1.0


class TicketWatcher(InboxWatcher):
    """Somebody who waits for his ticket to be settled: he is told of a game as of any other."""

    def __init__(
        self,
        watchers: Watchers,
        readers: Readers,
        player_id: UUID,
        visitor: Visitor,
        ticket_id: UUID,
    ) -> None:
        super().__init__(watchers, readers, player_id, visitor)
        self._ticket_id = ticket_id

    async def events(self) -> Sequence[bytes]:
        """The ticket, once it is settled."""
        return await self._readers.run(read_settled, self._ticket_id)

    async def news(self, seconds: float) -> bool:
        """Wait for a hint, not too long: tickets are settled without a game as well."""
        return await super().news(min(seconds, LOOK_SECONDS))


def read_settled(ticket_id: UUID) -> Sequence[bytes]:
    """The ticket, encoded, unless it waits."""
    settled = QuickMatch.objects.filter(pk=ticket_id).exclude(status=QuickMatch.Status.WAITING)
    return [json_bytes(shown_ticket(ticket)) for ticket in settled]
