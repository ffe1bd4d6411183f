"""The stream of finished games: a few at a time are read, sent, and forgotten."""

import asyncio
import logging
from collections.abc import AsyncIterator
from io import BytesIO
from typing import Any, cast

from django.conf import settings
from django.core.handlers.asgi import ASGIRequest
from django.db import DatabaseError
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.game_dump import GameDumpView
from games.api.operations import LINES
from games.api.renderers import json_bytes, respond
from games.api.streams.reading import Readers
from games.api.streams.stream import Send, cut
from games.selectors.game_dump import Place, Wanted, game_dump

logger = logging.getLogger("games.streams")


class DumpVisit:
    """One request for finished games."""

    def __init__(self, scope: Any) -> None:
        self._request = ASGIRequest(scope, BytesIO())
        self.view = GameDumpView()
        self.view.setup(self._request)

    def enter(self) -> Wanted:
        """Check everything. Raises Problem, and what the view's frame makes problems of."""
        self.view.initial(cast("Request", self._request))
        return self.view.wanted()

    def caller(self) -> str:
        """Whose places the stream takes."""
        return f"dump:{self.view.payer('default')}"

    def headers(self) -> Response:
        """A response without a body."""
        response = respond(b"", 200, LINES)
        response["Content-Type"] = LINES
        response["X-Accel-Buffering"] = "no"
        return self.finish(response)

    def refuse(self, error: Exception) -> Response:
        """Any exception as problem+json."""
        return self.finish(self.view.handle_exception(error))

    def finish(self, response: Response) -> Response:
        """Add what all answers carry."""
        return self.view.finalize_response(self._request, response)


async def send_games(wanted: Wanted, readers: Readers, send: Send) -> None:
    """Send every game that is wanted.

    The connection is cut, so that nobody takes it for the end, when its reader takes nothing for
    too long or the database cannot be asked.
    """
    try:
        async for lines in _lines(wanted, readers):
            await _write(send, lines, more=True)
        await _write(send, b"", more=False)
    except TimeoutError:
        cut(send)
    except DatabaseError as error:
        logger.warning("cannot read finished games: %s", error)
        cut(send)


async def _lines(wanted: Wanted, readers: Readers) -> AsyncIterator[bytes]:
    after: Place | None = None
    while True:
        after, lines = await readers.run(_read, wanted, after)
        if after is None:
            return
        yield lines


def _read(wanted: Wanted, after: Place | None) -> tuple[Place | None, bytes]:
    """The next lines and where they end; no place behind the last."""
    found = game_dump(wanted, after)
    lines = b"".join(json_bytes(export) + b"\n" for _, export in found if export is not None)
    return (found[-1][0] if found else None), lines


async def _write(send: Send, body: bytes, *, more: bool) -> None:
    async with asyncio.timeout(settings.STREAM_SLOW_SECONDS):
        await send({"type": "http.response.body", "body": body, "more_body": more})
