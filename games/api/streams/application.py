"""The ASGI application: streams and long polls of games; everything else is passed on."""

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
from games.api.streams.door import Entry, Visit, too_many
from games.api.streams.dump import DumpVisit, send_games
from games.api.streams.forms import FORMS
from games.api.streams.listener import Listener
from games.api.streams.reading import Readers
from games.api.streams.rooms import Places, Rooms, Watcher
from games.api.streams.stream import Gone, Receive, Send, Stream, first_events
from games.selectors.game_dump import Wanted

Scope = MutableMapping[str, Any]
App = Callable[[Any, Any, Any], Coroutine[Any, Any, None]]
_EVENTS: Final = re.compile(r"/api/v1/games/([^/]+)/events")
_DUMP: Final = "/api/v1/games.ndjson"
_STOPS: Final = (signal.SIGTERM, signal.SIGINT)


class Streams:
    """`application = Streams(get_asgi_application())`; needs a server that speaks lifespan."""

    def __init__(self, fallback: App) -> None:
        self._fallback = fallback
        self._readers = Readers()
        # Whoever follows a game does not wait for those who read the games of years.
        self._dump_readers = Readers(1)
        self._rooms = Rooms(self._readers)
        self._places = Places()
        self._is_listening = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, or the life of the process."""
        if scope["type"] == "lifespan":
            await self._live(receive, send)
            return
        found = _EVENTS.fullmatch(scope["path"]) if scope.get("method") == "GET" else None
        if found is None and scope["path"] == _DUMP and scope.get("method") == "GET":
            await self._dump(DumpVisit(scope), receive, send)
            return
        if found is None:
            await self._fallback(scope, receive, send)
            return
        if not self._is_listening:
            raise RuntimeError("nobody hears of moves: start the server with lifespan on")
        await self._events(Visit(scope, found[1]), receive, send)

    async def _live(self, receive: Receive, send: Send) -> None:
        """Listen for news while the process lives."""
        await receive()
        listener = Listener(settings.REDIS_URL, self._rooms, self._readers)
        task = asyncio.create_task(listener.run())
        self._is_listening = True
        _on_stop(self._rooms.close)
        await send({"type": "lifespan.startup.complete"})
        await receive()
        task.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await task
        self._readers.close()
        self._dump_readers.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def _events(self, visit: Visit, receive: Receive, send: Send) -> None:
        (entry,) = await asyncio.gather(self._readers.run(visit.enter), return_exceptions=True)
        if isinstance(entry, Exception):
            await _reply(send, visit.refuse(entry))
        elif isinstance(entry, BaseException):
            raise entry
        elif entry.answer is not None:
            await _reply(send, entry.answer)
        else:
            await self._stay(visit, entry, receive, send)

    async def _dump(self, visit: DumpVisit, receive: Receive, send: Send) -> None:
        (wanted,) = await asyncio.gather(self._readers.run(visit.enter), return_exceptions=True)
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

    async def _stay(self, visit: Visit, entry: Entry, receive: Receive, send: Send) -> None:
        caller = visit.caller(entry.head)
        if not self._places.take(caller, settings.STREAMS_PER_CALLER):
            await _reply(send, visit.too_many())
            return
        watching = self._rooms.watching(entry.head, visit.view.player_id, entry.start.after)
        try:
            with watching as watcher, _noticing(receive, watcher.leave), contextlib.suppress(Gone):
                await _serve(visit, entry, watcher, send)
        finally:
            self._places.free(caller)


async def _serve(visit: Visit, entry: Entry, watcher: Watcher, send: Send) -> None:
    media = visit.view.media
    if media == JSON:
        events = await first_events(watcher, entry.query.wait)
        await _reply(send, visit.late_answer(entry, watcher.head, events))
        return
    await send(_start(visit.stream_headers(media)))
    await Stream(watcher, FORMS[media], send).run(entry.start.view)


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
