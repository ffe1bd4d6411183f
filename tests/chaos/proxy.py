"""A bad line: a TCP proxy that cuts, delays and doubles what passes through it."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Final

from tests.chaos.fates import Fate, Passing
from tests.chaos.journal import Journal, Violation
from tests.chaos.wire import CONNECT_SECONDS, HEAD_LIMIT, Address, read_head

PIECE: Final = 16_384
# An answer without an end is cut within so many bytes.
STREAM_BYTES: Final = 40_000
TWIN_SECONDS: Final = 15.0
# Answers that tell the client that nothing was done, and never will be for this version.
REFUSALS: Final = frozenset({404, 409, 412, 422})
Line = tuple[asyncio.StreamReader, asyncio.StreamWriter]


class Cut(Exception):
    """The line is dead."""


class Proxy:
    """Listens in front of `target`; `address` is where. `fate_of` says what befalls a request.

    Once `is_calm`, everything passes as it is. What twins were told must agree: if it did not,
    `violation` says so.
    """

    def __init__(
        self, target: Address, journal: Journal, fate_of: Callable[[Passing], Fate]
    ) -> None:
        self._target = target
        self._journal = journal
        self._fate_of = fate_of
        self._twins: set[asyncio.Task[None]] = set()
        self.is_calm = False
        self.violation: Violation | None = None
        self.address: Address = ("127.0.0.1", 0)

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator[Address]:
        """Serve for the time of the block."""
        server = await asyncio.start_server(self._accept, *self.address, limit=HEAD_LIMIT)
        async with server:
            self.address = server.sockets[0].getsockname()[:2]
            yield self.address
            await asyncio.gather(*self._twins)

    async def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            passing = await read_request(reader)
            fate = Fate() if self.is_calm else self._fate_of(passing)
            self._note(passing, fate)
            await self._carry(passing, fate, writer)
            writer.close()
        except (Cut, OSError, TimeoutError, asyncio.IncompleteReadError, asyncio.CancelledError):
            # The server that started this task has no use for its end.
            writer.transport.abort()

    def _note(self, passing: Passing, fate: Fate) -> None:
        self._journal.count("requests")
        if fate.cut:
            self._journal.fault(f"cut {fate.cut}", request=passing.name, place=fate.place)
        if fate.delay:
            self._journal.fault("delay", request=passing.name, seconds=fate.delay)
        if fate.twin is not None:
            self._journal.fault("twin", request=passing.name, after=fate.twin)

    async def _carry(self, passing: Passing, fate: Fate, client: asyncio.StreamWriter) -> None:
        await asyncio.sleep(fate.delay)
        if fate.cut == "before":
            raise Cut
        answer: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        if fate.twin is not None:
            twin = asyncio.create_task(self._double(passing, fate.twin, answer))
            self._twins.add(twin)
            twin.add_done_callback(self._twins.discard)
        try:
            await self._pass_on(passing, fate, client, answer)
        finally:
            if not answer.done():
                answer.set_result(b"")

    async def _pass_on(
        self,
        passing: Passing,
        fate: Fate,
        client: asyncio.StreamWriter,
        answer: asyncio.Future[bytes],
    ) -> None:
        async with self._line() as (reader, writer):
            if fate.cut == "mid_request":
                writer.write(passing.text[: max(1, int(len(passing.text) * fate.place))])
                await writer.drain()
                raise Cut
            writer.write(passing.text)
            await writer.drain()
            if fate.cut == "unanswered" and fate.place < 0.5:
                raise Cut
            head = await reader.readuntil(b"\r\n\r\n")
            if fate.cut == "unanswered":
                raise Cut
            limit = cut_after(head, fate) if fate.cut else None
            whole = await pipe(head, reader, client, limit, keep=fate.twin is not None)
            answer.set_result(whole)

    async def _double(
        self, passing: Passing, seconds: float, answer: asyncio.Future[bytes]
    ) -> None:
        """Send the same again, and compare what both were told."""
        await asyncio.sleep(seconds)
        told = b""
        with contextlib.suppress(OSError, TimeoutError, Cut):
            async with asyncio.timeout(TWIN_SECONDS), self._line() as (reader, writer):
                writer.write(passing.text)
                told = await reader.read(-1)
        reason = disagreement(passing, told, await answer)
        if reason is not None and self.violation is None:
            self.violation = Violation(f"{passing.name}, sent twice: {reason}")

    @contextlib.asynccontextmanager
    async def _line(self) -> AsyncIterator[Line]:
        """A connection to the target."""
        async with asyncio.timeout(CONNECT_SECONDS):
            reader, writer = await asyncio.open_connection(*self._target, limit=HEAD_LIMIT)
        try:
            yield reader, writer
        finally:
            writer.transport.abort()


async def read_request(reader: asyncio.StreamReader) -> Passing:
    """A request with all of its body. Raises IncompleteReadError."""
    text = await reader.readuntil(b"\r\n\r\n")
    headers = read_head(text).headers
    body = await reader.readexactly(int(headers.get("content-length", 0)))
    return Passing(text + body, text.partition(b" HTTP/")[0].decode(), headers)


def cut_after(head: bytes, fate: Fate) -> int:
    """Where an answer ends for its reader: anywhere before its own end."""
    length = read_head(head).length
    whole = STREAM_BYTES if length is None else len(head) + length
    return int(whole * fate.place)


async def pipe(
    head: bytes,
    reader: asyncio.StreamReader,
    client: asyncio.StreamWriter,
    limit: int | None,
    *,
    keep: bool,
) -> bytes:
    """Hand an answer on, `limit` bytes of it at most; all of it, if it is to be kept.

    Raises Cut at the limit.
    """
    kept, sent, piece = bytearray(), 0, head
    while piece:
        some = piece if limit is None else piece[: limit - sent]
        client.write(some)
        await client.drain()
        sent += len(some)
        if limit is not None and sent >= limit:
            raise Cut
        if keep:
            kept += piece
        piece = await reader.read(PIECE)
    return bytes(kept)


def disagreement(passing: Passing, *told: bytes) -> str | None:
    """What is wrong with two answers to one request; None if nothing is, or one never came."""
    answers = sorted(answer for text in told if (answer := whole(text)) is not None)
    if not passing.has_key or len(answers) < 2:
        return None
    (status, body), (other, another) = answers
    if status >= 300:
        return None
    if other < 300:
        return None if body == another else f"answered {body!r} and {another!r}"
    refused = other in REFUSALS and b"idempotency.in_progress" not in another
    if refused and "if-match" in passing.headers:
        return f"done, and answered {another!r} too"
    return None


def whole(text: bytes) -> tuple[int, bytes] | None:
    """Status and body of an answer, if all of it is there."""
    head, end, body = text.partition(b"\r\n\r\n")
    if not end:
        return None
    status, headers = read_head(head)
    complete = len(body) == int(headers.get("content-length", -1))
    return (status, body) if complete else None
