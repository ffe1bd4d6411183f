"""The life of one stream, and of one long poll."""

import asyncio
import time
from collections.abc import Awaitable, Callable, MutableMapping, Sequence
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError

from games.api.problems import Problem
from games.api.streams.forms import ENDED, SNAPSHOT, Form
from games.api.streams.watchers import Watcher

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

_CHUNK_BYTES: Final = 32_768
_RETRY_SECONDS: Final = 1.0


class Gone(Exception):
    """The client has closed the connection."""


class Stream:
    """Events to one reader, from a cursor on, until something ends it."""

    def __init__(self, watcher: Watcher, form: Form, send: Send) -> None:
        self._watcher = watcher
        self._form = form
        self._send = send
        self._heard_at = time.monotonic()
        self._ends_at = self._heard_at + settings.STREAM_LONGEST_SECONDS

    async def run(self, view: dict[str, Any] | None) -> str:
        """Send until the end, `view` first; why it ended.

        Raises Gone when the client leaves before it.
        """
        try:
            await self._open(view)
            reason = await self._follow()
        except TimeoutError:
            reason = "slow_consumer"
        ended = {"reason": reason, "resume_after": self._watcher.mark(self._watcher.after)}
        try:
            await self._write(self._form.message(ENDED, ended), more=False)
        except TimeoutError:
            cut(self._send)
        return reason

    async def _open(self, view: dict[str, Any] | None) -> None:
        snapshot = b""
        if view is not None:
            snapshot = self._form.message(SNAPSHOT, view, self._watcher.mark(self._watcher.after))
        if opening := self._form.opening + snapshot:
            await self._write(opening)

    async def _follow(self) -> str:
        """Send events as they come; the reason why no more will."""
        watcher = self._watcher
        while (reason := self._reason()) is None:
            try:
                events = await watcher.events()
            except DatabaseError:
                # A connection that stays up is worth more than the answer at once.
                await asyncio.sleep(_RETRY_SECONDS)
                continue
            if events:
                await self._send_events(events)
            elif watcher.has_seen_all:
                return "game_finished"
            else:
                await self._idle()
        return reason

    def _reason(self) -> str | None:
        watcher = self._watcher
        if watcher.has_left:
            raise Gone
        if watcher.is_closing:
            return "server_shutdown"
        if watcher.has_lost_token:
            return "token_ended"
        if not watcher.may_stay:
            return "access_lost"
        return "too_long" if time.monotonic() >= self._ends_at else None

    async def _idle(self) -> None:
        silence = settings.STREAM_KEEP_ALIVE_SECONDS
        left = self._ends_at - time.monotonic()
        if left <= silence:
            await self._watcher.news(left)
            return
        # The bell also rings for nothing: what counts is how long the reader has heard nothing.
        await self._watcher.news(max(0.0, self._heard_at + silence - time.monotonic()))
        if time.monotonic() - self._heard_at >= silence:
            await self._write(self._form.keep_alive)

    async def _send_events(self, events: Sequence[bytes]) -> None:
        """Send in pieces; the cursor follows what the server has taken."""
        watcher = self._watcher
        piece, seq = bytearray(), watcher.after
        for event in events:
            seq += 1
            piece += self._form.event(watcher.mark(seq), event)
            if len(piece) >= _CHUNK_BYTES:
                await self._write(bytes(piece))
                watcher.after = seq
                piece.clear()
        if piece:
            await self._write(bytes(piece))
            watcher.after = seq

    async def _write(self, body: bytes, *, more: bool = True) -> None:
        """Raises TimeoutError when the reader has not made room for too long."""
        async with asyncio.timeout(settings.STREAM_SLOW_SECONDS):
            await self._send({"type": "http.response.body", "body": body, "more_body": more})
        self._heard_at = time.monotonic()


def cut(send: Send) -> None:
    """Drop the connection with what the reader has not taken: ASGI has no word for it.

    Without it the server would keep both until the client goes.
    """
    transport = getattr(getattr(send, "__self__", None), "transport", None)
    if isinstance(transport, asyncio.Transport):
        transport.abort()


async def first_events(watcher: Watcher, seconds: float) -> Sequence[bytes]:
    """The events that come next, none when the time is up.

    Raises Gone, Problem auth.invalid for whose token ends meanwhile, and DatabaseError if that is
    all there is to say when the time is up.
    """
    ends_at = time.monotonic() + seconds
    while not (watcher.is_closing or watcher.has_seen_all or not watcher.may_stay):
        if watcher.has_left:
            raise Gone
        if watcher.has_lost_token:
            raise Problem("auth.invalid")
        try:
            events = await watcher.events()
        except DatabaseError:
            if time.monotonic() >= ends_at:
                raise
            await asyncio.sleep(_RETRY_SECONDS)
            continue
        if events:
            return events
        left = ends_at - time.monotonic()
        if left <= 0:
            break
        await watcher.news(left)
    return ()
