"""`/games/{id}/events`: the log after a version. `games.api.streams` gives the same as a stream."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.game_frame import GameApiView
from games.api.game_shapes import EventsQuery, EventsView
from games.api.operations import EVENT_STREAM, JSON, LINES, operation
from games.api.problems import Problem, invalid
from games.selectors.game_show import event_page, game_view, viewer_of
from games.store.log import Head

LARGEST_EVENTS_PAGE: Final = 1000
_MOST_DIGITS: Final = 9


class EventsStart(msgspec.Struct, frozen=True):
    """Where a reader begins: after which version, and with which view if he asked for one."""

    after: int
    view: dict[str, Any] | None


class GameEventsView(GameApiView):
    """`/games/{id}/events`"""

    @operation(
        "event_list",
        access="optional",
        scope="games:read",
        bucket=None,
        query=EventsQuery,
        answer=EventsView,
        produces=(JSON, EVENT_STREAM, LINES),
        codes=("game.not_found", "rate.limited"),
        parameters=("Last-Event-ID",),
        ticket=True,
    )
    def get(self, request: Request, game_id: str) -> Response:
        """The log after a version, as you may see it.

        As JSON a page of it. With `wait` the answer comes at once if there is something after
        `after`, else with the next event or when so many seconds are over.

        As `text/event-stream` or `application/x-ndjson` every event from there on, each as in the
        page, until a last message
        `{"type": "stream_ended", "reason": …, "resume_after": …}`. Its reason is `game_finished`,
        `server_shutdown`, `slow_consumer`, `too_long`, `access_lost` (you left a private table),
        or `token_ended` (revoked or expired). A stream that breaks off without it is to be resumed
        after the last `seq`: with `after`, or with `Last-Event-ID`, which wins over it. A comment
        or an empty line comes every 15 seconds.

        With `snapshot=true` your view comes first, as `view` of the page or as a message of type
        `snapshot`: the view at version `after`, or the current one without `after`, and then the
        events that follow it.
        """
        if self.media != JSON:
            # These threads must not be held: the front sends streams to a process of their own.
            raise Problem("request.not_acceptable", produces=(JSON,))
        query = self.query(EventsQuery)
        head = self.visible(game_id)
        return self.answer(self.events_page(head, query, self.start(head, query)))

    def start(self, head: Head, query: EventsQuery) -> EventsStart:
        """Where to begin. Raises Problem request.invalid past the end of the log."""
        after = self._resumed() if self.media != JSON else None
        field = "after" if after is None else "Last-Event-ID"
        after = query.after if after is None else after
        if after > head.game.version:
            raise invalid(field, f"the log ends at {head.game.version}")
        if not query.snapshot:
            return EventsStart(after, None)
        seen = self.at_version(head, after) if after else head
        view = game_view(seen, viewer_of(seen, self.player_id), timezone.now())
        return EventsStart(seen.game.version, view)

    def events_page(self, head: Head, query: EventsQuery, start: EventsStart) -> dict[str, Any]:
        """The answer that there is at once."""
        limit = min(query.limit, LARGEST_EVENTS_PAGE)
        events = event_page(head, viewer_of(head, self.player_id), start.after, limit)
        return events_answer(head, start, events)

    def _resumed(self) -> int | None:
        text = self.http.META.get("HTTP_LAST_EVENT_ID", "")
        if not text:
            return None
        if not (text.isascii() and text.isdecimal() and len(text) <= _MOST_DIGITS):
            raise invalid("Last-Event-ID", "must be the seq of an event")
        return int(text)


def events_answer(head: Head, start: EventsStart, events: Sequence[Any]) -> dict[str, Any]:
    """The events that follow `start`, with where to go on."""
    last = start.after + len(events)
    finished = head.game.status == "finished" and last >= head.game.version
    page = {"events": events, "next_after": last, "finished": finished}
    return page if start.view is None else {"view": start.view, **page}
