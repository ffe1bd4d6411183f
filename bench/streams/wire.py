"""HTTP over socket files as the readers and the movers of this benchmark speak it."""

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, cast

from bench.load import is_complete

Take = Callable[[int, bytes], None]
_SSE: Final = "Accept: text/event-stream"


class Refused(Exception):
    """The server said something else than it should."""


class Stream(asyncio.Protocol):
    """One stream of server-sent events; `take` gets the number and the data of each event.

    `opened` is done with the headers, `closed` with the connection; `alive` counts signs of life.
    """

    def __init__(self, request: bytes, take: Take) -> None:
        loop = asyncio.get_running_loop()
        self.opened: asyncio.Future[None] = loop.create_future()
        self.closed: asyncio.Future[None] = loop.create_future()
        self.alive = 0
        self.ended = b""
        self._request = request
        self._take = take
        self._received = b""
        self._text = b""
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask at once."""
        self._transport = cast("asyncio.Transport", transport)
        self._transport.write(self._request)

    def cut(self) -> None:
        """Drop the connection, whatever is under way."""
        if self._transport is not None:
            self._transport.abort()

    def data_received(self, data: bytes) -> None:
        """Read what is complete of it."""
        self._received += data
        if not self.opened.done() and not self._read_head():
            return
        self._text += b"".join(self._chunks())
        *blocks, self._text = self._text.split(b"\n\n")
        for block in blocks:
            self._read(block)

    def connection_lost(self, _exc: Exception | None) -> None:
        """It is over, by whomever."""
        for future in (self.opened, self.closed):
            if not future.done():
                future.set_result(None)

    def _read_head(self) -> bool:
        head, end, self._received = self._received.partition(b"\r\n\r\n")
        if not end:
            self._received = head
            return False
        if not head.startswith(b"HTTP/1.1 200 "):
            self.opened.set_exception(Refused(head.decode()))
            self.cut()
            return False
        self.opened.set_result(None)
        return True

    def _chunks(self) -> Iterator[bytes]:
        while True:
            size, end, rest = self._received.partition(b"\r\n")
            length = int(size, 16) if end else 0
            if not end or len(rest) < length + 2:
                return
            self._received = rest[length + 2 :]
            yield rest[:length]

    def _read(self, block: bytes) -> None:
        if block.startswith(b":"):
            self.alive += 1
        elif block.startswith(b"id: ") and b"\nevent: " not in block:
            seq, _, data = block[4:].partition(b"\ndata: ")
            self._take(int(seq), data)
        elif block.startswith(b"event: "):
            self.ended = block


class Line:
    """A kept connection with one request under way at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    async def ask(self, request: bytes, status: int) -> bytes:
        """The answer as a whole. Raises Refused if it has another status."""
        self._writer.write(request)
        received = b""
        while not is_complete(received):
            piece = await self._reader.read(65_536)
            if not piece:
                raise Refused("the server hung up")
            received += piece
        if not received.startswith(f"HTTP/1.1 {status} ".encode()):
            raise Refused(received.decode(errors="replace"))
        return received

    def close(self) -> None:
        """Hang up."""
        self._writer.close()


async def line_open(path: Path) -> Line:
    """A connection to a socket file."""
    return Line(*await asyncio.open_unix_connection(path))


async def stream_open(path: Path, request: bytes, take: Take) -> Stream:
    """A stream whose headers have come. Raises Refused, and OSError if nobody listens."""
    loop = asyncio.get_running_loop()
    _, stream = await loop.create_unix_connection(lambda: Stream(request, take), str(path))
    await stream.opened
    return stream


def stream_request(game: object, bearer: str, after: int, *, by_header: bool = False) -> bytes:
    """The request for a game's events after a number, which is told in one of two ways."""
    query, more = (f"?after={after}", []) if not by_header else ("", [f"Last-Event-ID: {after}"])
    if bearer:
        more.append(f"Authorization: {bearer}")
    head = [f"GET /api/v1/games/{game}/events{query} HTTP/1.1", "Host: localhost", _SSE, *more]
    return ("\r\n".join(head) + "\r\n\r\n").encode()
