"""The ASGI application: streams and long polls of events; everything else is passed on."""

import asyncio
import contextlib
import re
import signal
from collections.abc import Callable, Coroutine, Iterator, MutableMapping
from contextlib import contextmanager
from types import FrameType
from typing import Any, Final

from django.conf import settings
from rest_framework.response import Response

from games.api.operations import JSON
from games.api.streams.counts import Counts
from games.api.streams.door import (
    GameVisit,
    Halls,
    PlayerVisit,
    TicketVisit,
    Visit,
    too_many,
)
from games.api.streams.dump import DumpVisit, send_games
from games.api.streams.forms import FORMS
from games.api.streams.herald import Herald
from games.api.streams.inboxes import Inboxes
from games.api.streams.listener import Listener
from games.api.streams.reading import DOORS, Readers
from games.api.streams.rooms import Places, Rooms
from games.api.streams.stream import Gone, Receive, Send, Stream, first_events
from games.api.streams.watchers import Watcher, Watchers
from games.selectors.game_dump import Wanted

Scope = MutableMapping[str, Any]
App = Callable[[Any, Any, Any], Coroutine[Any, Any, None]]
_GAME_EVENTS: Final = re.compile(r"/api/v1/games/([^/]+)/events")
_TICKET: Final = re.compile(r"/api/v1/quick-matches/([^/]+)")
_PLAYER_EVENTS: Final = "/api/v1/players/me/events"
_DUMP: Final = "/api/v1/games.ndjson"
_STOPS: Final = (signal.SIGTERM, signal.SIGINT)


class Streams:
    """`application = Streams(get_asgi_application())`; needs a server that speaks lifespan."""

    def __init__(self, fallback: App) -> None:
        self._fallback = fallback
        self._readers = Readers()
        # A crowd that comes back at once must not keep those who follow from their news.
        self._doors = Readers(DOORS)
        # Whoever follows a game does not wait for those who read the games of years.
        self._dump_readers = Readers(1)
        self._watchers = Watchers()
        self._halls = Halls(
            Rooms(self._readers, self._watchers), Inboxes(self._readers, self._watchers)
        )
        self._places = Places()
        self._counts = Counts()
        self._is_listening = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or the life of the process."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        if scope["path"] == _DUMP and scope.get("method") == "GET":
            await self._dump(DumpVisit(scope), receive, send)
            return
        visit = _visit(scope) if scope.get("method") == "GET" else None
        if visit is None:
            await self._fallback(scope, receive, send)
            return
        if not self._is_listening:
            raise RuntimeError("nobody hears of moves: start the server with lifespan on")
        await self._events(visit, receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Listen for news while the process lives."""
        await receive()
        listener = Listener(settings.REDIS_URL, self._halls, self._watchers, self._readers)
        herald = Herald(self._counts, self._readers)
        tasks = [asyncio.create_task(listener.run()), asyncio.create_task(herald.run())]
        self._is_listening = True
        _on_stop(self._watchers.close)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        for task in tasks:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
        await herald.leave()
        for readers in (self._readers, self._doors, self._dump_readers):
            readers.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def _events(self, visit: Visit, receive: Receive, send: Send) -> None:
        (answer,) = await asyncio.gather(self._doors.run(visit.enter), return_exceptions=True)
        if isinstance(answer, Exception):
            await _reply(send, visit.refuse(answer))
        elif isinstance(answer, BaseException):
            raise answer
        elif answer is not None:
            await _reply(send, answer)
        else:
            await self._stay(visit, receive, send)

    async def _dump(self, visit: DumpVisit, receive: Receive, send: Send) -> None:
        (wanted,) = await asyncio.gather(self._doors.run(visit.enter), return_exceptions=True)
        if isinstance(wanted, Exception):
            await _reply(send, visit.refuse(wanted))
            return
        if isinstance(wanted, BaseException):
            raise wanted
        if not self._places.take(visit.caller(), settings.DUMPS_PER_CALLER):
            await _reply(send, visit.refuse(too_many(visit.view, settings.DUMPS_PER_CALLER)))
            return
        sending = asyncio.create_task(self._send_games(visit, wanted, send))
        try:
            with _noticing(receive, sending.cancel):
                await asyncio.wait({sending})
            if not sending.cancelled():
                sending.result()
        finally:
            sending.cancel()
            self._places.free(visit.caller())

    async def _send_games(self, visit: DumpVisit, wanted: Wanted, send: Send) -> None:
        await send(_start(visit.headers()))
        await send_games(wanted, self._dump_readers, send)

    async def _stay(self, visit: Visit, receive: Receive, send: Send) -> None:
        caller = visit.caller
        if not self._places.take(caller, settings.STREAMS_PER_CALLER):
            await _reply(send, visit.too_many())
            return
        watching = visit.watching(self._halls)
        try:
            with watching as watcher, _noticing(receive, watcher.leave), contextlib.suppress(Gone):
                await self._serve(visit, watcher, send)
        finally:
            self._places.free(caller)

    async def _serve(self, visit: Visit, watcher: Watcher, send: Send) -> None:
        media = visit.view.media
        if media == JSON:
            await _reply(send, await _late_answer(visit, watcher))
            return
        with self._counts.holding() as end:
            await send(_start(visit.stream_headers(media)))
            end.reason = await Stream(watcher, FORMS[media], send).run(visit.snapshot)


def _visit(scope: Scope) -> Visit | None:
    """A request for what may take its time; None for any other."""
    if scope["path"] == _PLAYER_EVENTS:
        return PlayerVisit(scope)
    if (ticket := _TICKET.fullmatch(scope["path"])) is not None:
        return TicketVisit(scope, ticket[1])
    found = _GAME_EVENTS.fullmatch(scope["path"])
    return None if found is None else GameVisit(scope, found[1])


async def _late_answer(visit: Visit, watcher: Watcher) -> Response:
    coming = first_events(watcher, visit.wait)
    (events,) = await asyncio.gather(coming, return_exceptions=True)
    if isinstance(events, Exception) and not isinstance(events, Gone):
        return visit.refuse(events)
    if isinstance(events, BaseException):
        raise events
    return visit.late_answer(watcher, events)


@contextmanager
def _noticing(receive: Receive, leave: Callable[[], object]) -> Iterator[None]:
    """Call `leave` when the client goes."""

    async def until_gone() -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        leave()

    task = asyncio.create_task(until_gone())
    try:
        yield
    finally:
        task.cancel()


async def _reply(send: Send, response: Response) -> None:
    response.headers.setdefault("Content-Length", str(len(response.content)))
    await send(_start(response))
    await send({"type": "http.response.body", "body": response.content})


def _start(response: Response) -> dict[str, Any]:
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    return {"type": "http.response.start", "status": response.status_code, "headers": headers}


def _on_stop(close: Callable[[], None]) -> None:
    """Call `close` at the signals that stop the server, and then what it does by itself.

    The server tells its application only when all requests are over; ours would never be.
    """
    loop = asyncio.get_running_loop()

    def stop(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(close)
        handler = before[signal.Signals(number)]
        if callable(handler):
            handler(number, frame)

    before = {number: signal.signal(number, stop) for number in _STOPS}
