"""`/players/me/events`: what happens in the caller's games. `streams` gives it as a stream."""

from collections.abc import Sequence
from datetime import datetime
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.operations import EVENT_STREAM, JSON, LINES, operation
from games.api.pagination import decode_cursor, encode_cursor
from games.api.problems import Problem, invalid
from games.api.tickets import TicketText
from games.models import Notice
from games.selectors.notice_list import NoticeRow, inbox_range, notice_item, notice_list
from games.services.inbox_number import inbox_number

LARGEST_PAGE: Final = 1000
LATEST: Final = "latest"
NoticeType = Annotated[str, Meta(extra_json_schema={"enum": list(Notice.Kind.labels)})]


class PlayerEventsQuery(msgspec.Struct, frozen=True):
    """Where to begin; as a page how much, and how long to wait for something."""

    after: (
        Annotated[str, Meta(description="a cursor, or `latest`; absent: all that is kept")] | None
    ) = None
    limit: Annotated[int, Meta(ge=1, description="at most 1000")] = 100
    wait: Annotated[int, Meta(ge=0, le=60, description="seconds that a page may take")] = 0
    ticket: TicketText | None = None


class NoticeMatch(msgspec.Struct, frozen=True):
    """The match of the game, and which game of it this is."""

    id: UUID
    game_number: int


class PlayerEventView(msgspec.Struct, frozen=True):
    """What happened in one of your games. `cursor` is where to go on after it.

    `seat` is yours; `etag` goes with a move as `If-Match`. `deadline`: until when to move, or to
    take the seat that is kept.
    """

    cursor: str
    type: NoticeType
    at: datetime
    game_id: UUID
    version: int
    seat: int
    deadline: datetime | None
    ruleset: str
    match: NoticeMatch
    url: str
    etag: str


class PlayerEventsView(msgspec.Struct, frozen=True):
    """A page; go on with `after=next_after`."""

    events: list[PlayerEventView]
    next_after: str


class MyEventsView(ApiView):
    """`/players/me/events`"""

    @operation(
        "player_event_list",
        scope="games:read",
        query=PlayerEventsQuery,
        answer=PlayerEventsView,
        produces=(JSON, EVENT_STREAM, LINES),
        parameters=("Last-Event-ID",),
        ticket=True,
    )
    def get(self, request: Request) -> Response:
        """What happens in all of your games.

        `game_started`, `your_turn`, `game_finished` (called off before its deal, too) and
        `rematch_offered`, each at least once, those of one game in order. They say where to look
        and show no card. Notices are kept for thirty days.

        As JSON a page. With `wait` the answer comes at once if there is something after `after`,
        else with the next event or when so many seconds are over. As `text/event-stream` or
        `application/x-ndjson` every event from there on, until a last message
        `{"type": "stream_ended", "reason": …, "resume_after": …}`. Its reason is
        `server_shutdown`, `slow_consumer`, `too_long`, or `token_ended` (revoked or expired).
        A stream that breaks off without it is to be resumed after the last `cursor`: with `after`,
        or with `Last-Event-ID`, which wins over it.
        """
        if self.media != JSON:
            raise Problem("request.not_acceptable", produces=(JSON,))
        query = self.query(PlayerEventsQuery)
        return self.answer(self.events_page(query, self.start(query)))

    def start(self, query: PlayerEventsQuery) -> int:
        """The position to begin after. Raises Problem request.invalid for no cursor of this."""
        last_id = self.http.META.get("HTTP_LAST_EVENT_ID", "") if self.media != JSON else ""
        inbox_number(player_id=self.caller.player_id)
        kept = inbox_range(self.caller.player_id)
        if not last_id and query.after == LATEST:
            return kept.last
        field, text = ("Last-Event-ID", last_id) if last_id else ("after", query.after)
        after = _position(field, text)
        if after > kept.last:
            raise invalid(field, "is not a cursor of this list")
        return max(after, kept.before)

    def events_page(self, query: PlayerEventsQuery, after: int) -> dict[str, Any]:
        """The answer that there is at once."""
        limit = min(query.limit, LARGEST_PAGE)
        rows = notice_list(player_id=self.caller.player_id, after=after, limit=limit)
        return events_answer(after, [shown_notice(row) for row in rows])


def events_answer(after: int, events: Sequence[Any]) -> dict[str, Any]:
    """The events that follow position `after`, with where to go on."""
    return {"events": events, "next_after": encode_cursor(after + len(events))}


def shown_notice(row: NoticeRow) -> dict[str, Any]:
    """A notice with its cursor."""
    return {"cursor": encode_cursor(row.position), **notice_item(row)}


def _position(field: str, text: str | None) -> int:
    try:
        position = decode_cursor(int, text) or 0
    except Problem:
        position = -1
    if position < 0:
        raise invalid(field, "is not a cursor of this list")
    return position
