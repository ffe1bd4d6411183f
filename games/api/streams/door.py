"""The way in: the checks of the plain answer, made in a thread."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractContextManager
from io import BytesIO
from typing import Any, Final, cast

import msgspec
from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.game_events import EventsStart, GameEventsView, events_answer
from games.api.game_shapes import EventsQuery
from games.api.language import Language
from games.api.operations import JSON
from games.api.player_events import MyEventsView, PlayerEventsQuery
from games.api.player_events import events_answer as player_events_answer
from games.api.problems import Problem
from games.api.quick_match_shapes import QuickMatchQuery, shown_ticket
from games.api.quick_matches import QuickMatchDetailView
from games.api.renderers import respond
from games.api.streams.inboxes import Inboxes, InboxWatcher
from games.api.streams.quick_matches import TicketWatcher
from games.api.streams.rooms import GameWatcher, Rooms
from games.api.streams.watchers import Visitor, Watcher
from games.models import QuickMatch
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


class Halls(msgspec.Struct, frozen=True):
    """Where those who are let in may wait."""

    rooms: Rooms
    inboxes: Inboxes


class Visit(ABC):
    """One request. The view serves as its frame: who asks, for what, how refusals look.

    `wait` is how long a page may take, `snapshot` the view that comes first; `enter` sets both.
    """

    view: ApiView
    wait: int = 0
    snapshot: dict[str, Any] | None = None

    def __init__(self, scope: Any, view: ApiView, **names: str) -> None:
        self._request = ASGIRequest(scope, BytesIO())
        self.view = view
        view.setup(self._request, **names)

    def enter(self) -> Response | None:
        """Check everything; the answer, unless something has to be waited for.

        Raises Problem, and what the view's frame makes problems of.
        """
        self.view.initial(cast("Request", self._request))
        page = self.look()
        return None if page is None else self.finish(self.view.answer(page))

    @abstractmethod
    def look(self) -> Any:
        """Read what is asked for; the page that there is at once, None to wait or to stream."""

    @property
    @abstractmethod
    def owner(self) -> str:
        """Whose places the stream takes: those for one's own games are apart from the others."""

    @abstractmethod
    def watching(self, halls: Halls) -> AbstractContextManager[Watcher]:
        """Watch for the time of the block."""

    @abstractmethod
    def late_page(self, watcher: Any, events: Sequence[bytes]) -> Any:
        """The page of a long poll: events that came to its watcher, encoded; or none."""

    def visitor(self, after: int) -> Visitor:
        """The caller, who reads on after a cursor."""
        caller = self.view.viewer
        if caller is None:
            return Visitor(None, None, after)
        return Visitor(caller.player_id, caller.token_id, after)

    @property
    def caller(self) -> str:
        """Whose streams are counted."""
        return f"{self.owner}:{self.view.payer('default')}"

    def too_many(self) -> Response:
        """The refusal of one stream more than a caller may hold."""
        return self.refuse(too_many(self.view, settings.STREAMS_PER_CALLER))

    def refuse(self, error: Exception) -> Response:
        """Any exception as problem+json."""
        return self.finish(self.view.handle_exception(error))

    def late_answer(self, watcher: Watcher, events: Sequence[bytes]) -> Response:
        """The answer of a long poll."""
        return self.finish(self.view.answer(self.late_page(watcher, events)))

    def stream_headers(self, media: str) -> Response:
        """A response without a body, for the headers of a stream."""
        response = respond(b"", 200, media)
        response["Content-Type"] = media
        response["X-Accel-Buffering"] = "no"
        return self.finish(response)

    def finish(self, response: Response) -> Response:
        """Add what all answers carry."""
        return self.view.finalize_response(self._request, response)


class GameVisit(Visit):
    """For the log of one game."""

    _head: Head
    _query: EventsQuery
    _start: EventsStart

    def __init__(self, scope: Any, game_id: str) -> None:
        self._events = GameEventsView()
        super().__init__(scope, self._events, game_id=game_id)
        self._game_id = game_id

    def look(self) -> Any:
        """The game, the start, and the events after it if they are there."""
        view = self._events
        self._query = query = view.query(EventsQuery)
        self._head = head = view.visible(self._game_id)
        self._start = start = view.start(head, query)
        self.wait, self.snapshot = query.wait, start.view
        at_end = head.game.version == start.after and head.game.status != "finished"
        if view.media != JSON or (query.wait and at_end):
            return None
        return view.events_page(head, query, start)

    @property
    def owner(self) -> str:
        """Games in which one sits, or others."""
        return "other" if viewer_of(self._head, self._events.player_id) is None else "own"

    def watching(self, halls: Halls) -> AbstractContextManager[Watcher]:
        """In the game's room."""
        return halls.rooms.watching(self._head, self.visitor(self._start.after))

    def late_page(self, watcher: GameWatcher, events: Sequence[bytes]) -> Any:
        """As many as were asked for."""
        some = [msgspec.Raw(event) for event in events[: self._query.limit]]
        return events_answer(watcher.head, self._start, some)


class PlayerVisit(Visit):
    """For what happens in all of the caller's games."""

    _query: PlayerEventsQuery
    _after: int

    def __init__(self, scope: Any) -> None:
        self._events = MyEventsView()
        super().__init__(scope, self._events)

    def look(self) -> Any:
        """The start, and the notices after it if there are any."""
        self._query = query = self._events.query(PlayerEventsQuery)
        self._after = self._events.start(query)
        self.wait = query.wait
        if self.view.media != JSON:
            return None
        page = self._events.events_page(query, self._after)
        return None if query.wait and not page["events"] else page

    @property
    def owner(self) -> str:
        """The caller himself."""
        return "own"

    def watching(self, halls: Halls) -> AbstractContextManager[Watcher]:
        """At the caller's inbox."""
        visitor = self.visitor(self._after)
        return halls.inboxes.watching(self.view.caller.player_id, visitor, InboxWatcher)

    def late_page(self, watcher: Watcher, events: Sequence[bytes]) -> Any:
        """As many as were asked for."""
        some = [msgspec.Raw(event) for event in events[: self._query.limit]]
        return player_events_answer(watcher.after, some)


class TicketVisit(Visit):
    """For a ticket of the caller's that may be settled soon."""

    _ticket: QuickMatch

    def __init__(self, scope: Any, ticket_id: str) -> None:
        self._tickets = QuickMatchDetailView()
        super().__init__(scope, self._tickets, ticket_id=ticket_id)
        self._ticket_id = ticket_id

    def look(self) -> Any:
        """The ticket; nothing while it waits and so may he."""
        self.wait = self._tickets.query(QuickMatchQuery).wait
        self._ticket = self._tickets.look(self._ticket_id, self.wait)
        waits = self._ticket.status == QuickMatch.Status.WAITING
        return None if self.wait and waits else shown_ticket(self._ticket)

    @property
    def owner(self) -> str:
        """The caller himself."""
        return "own"

    def watching(self, halls: Halls) -> AbstractContextManager[Watcher]:
        """At the caller's inbox."""
        player, visitor = self.view.caller.player_id, self.visitor(0)
        return halls.inboxes.watching(player, visitor, TicketWatcher, self._ticket.pk)

    def late_page(self, watcher: Watcher, events: Sequence[bytes]) -> Any:
        """The ticket as it is now, or as it was."""
        return msgspec.Raw(events[0]) if events else shown_ticket(self._ticket)
