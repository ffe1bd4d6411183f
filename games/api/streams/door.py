"""The way in: the checks of the plain answer, made in a thread."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any, Final, cast

import msgspec
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from msgspec.structs import replace
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.game_events import EventsStart, GameEventsView, events_answer
from games.api.game_shapes import EventsQuery
from games.api.language import Language
from games.api.operations import JSON
from games.api.problems import Problem
from games.api.renderers import respond
from games.selectors.game_show import viewer_of
from games.store.log import Head

_TOO_MANY: Final[dict[Language, str]] = {
    "en": "You hold {} streams and long polls. Close one, then open the next.",
    "ru": "У тебя открыто потоков и долгих запросов: {}. Закрой один, потом открывай следующий.",
}


def too_many(view: ApiView, most: int) -> Problem:
    """Why a caller may not have one stream more."""
    detail = _TOO_MANY[view.language].format(most)
    headers = {"Retry-After": "1"}
    return Problem("rate.limited", detail=detail, headers=headers, bucket="streams", limit=most)


class Entry(msgspec.Struct, frozen=True):
    """What was asked for and may be had. `answer` is there when nothing has to be waited for."""

    head: Head
    query: EventsQuery
    start: EventsStart
    answer: Response | None


class Visit:
    """One request. The view serves as its frame: who asks, for what, how refusals look."""

    def __init__(self, scope: Any, game_id: str) -> None:
        self._request = ASGIRequest(scope, BytesIO())
        self._game_id = game_id
        self.view = GameEventsView()
        self.view.setup(self._request, game_id=game_id)

    def enter(self) -> Entry:
        """Check everything. Raises Problem, and what the view's frame makes problems of."""
        view = self.view
        view.initial(cast("Request", self._request))
        query = view.query(EventsQuery)
        head = view.visible(self._game_id)
        entry = Entry(head, query, view.start(head, query), None)
        if view.media != JSON:
            return entry
        if query.wait and head.game.version == entry.start.after and not _is_over(head):
            return entry
        return replace(
            entry, answer=self.finish(view.answer(view.events_page(head, query, entry.start)))
        )

    def caller(self, head: Head) -> str:
        """Whose places the stream takes: those for one's own games are apart from the others."""
        own = viewer_of(head, self.view.player_id) is not None
        return f"{'own' if own else 'other'}:{self.view.payer('default')}"

    def too_many(self) -> Response:
        """The refusal of one stream more than a caller may hold."""
        return self.refuse(too_many(self.view, settings.STREAMS_PER_CALLER))

    def refuse(self, error: Exception) -> Response:
        """Any exception as problem+json."""
        return self.finish(self.view.handle_exception(error))

    def late_answer(self, entry: Entry, head: Head, events: Sequence[bytes]) -> Response:
        """The answer of a long poll: events that came, encoded, up to the limit; or none."""
        some = [msgspec.Raw(event) for event in events[: entry.query.limit]]
        return self.finish(self.view.answer(events_answer(head, entry.start, some)))

    def stream_headers(self, media: str) -> Response:
        """A response without a body, for the headers of a stream."""
        response = respond(b"", 200, media)
        response["Content-Type"] = media
        response["X-Accel-Buffering"] = "no"
        return self.finish(response)

    def finish(self, response: Response) -> Response:
        """Add what all answers carry."""
        return self.view.finalize_response(self._request, response)


def _is_over(head: Head) -> bool:
    return head.game.status == "finished"
