"""HTTP as these clients speak it: one connection for each request, and no answer by halves."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from typing import Any, NamedTuple

import msgspec

Address = tuple[str, int]
HEAD_LIMIT = 65_536
CONNECT_SECONDS = 3.0


class Broken(Exception):
    """No whole answer came. Whether the request was carried out, nobody knows."""


class Request(NamedTuple):
    """What is asked; `headers` without those of the connection."""

    method: str
    path: str
    headers: Mapping[str, str] = {}
    body: bytes = b""

    def __str__(self) -> str:
        return f"{self.method} {self.path}"

    def encode(self) -> bytes:
        """The bytes to send."""
        more = {"Host": "localhost", "Connection": "close", **self.headers}
        if self.body:
            more |= {"Content-Type": "application/json", "Content-Length": str(len(self.body))}
        lines = "".join(f"{name}: {value}\r\n" for name, value in more.items())
        return f"{self.method} /api/v1{self.path} HTTP/1.1\r\n{lines}\r\n".encode() + self.body


class Head(NamedTuple):
    """Status and headers of an answer; names in lower case."""

    status: int
    headers: Mapping[str, str]

    @property
    def length(self) -> int | None:
        """The bytes of the body; None if it comes in chunks."""
        length = self.headers.get("content-length")
        return None if length is None else int(length)


class Answer(NamedTuple):
    """A whole answer."""

    head: Head
    body: bytes

    @property
    def status(self) -> int:
        """The status."""
        return self.head.status

    @property
    def code(self) -> str:
        """Why it was refused; empty if it was not, or nobody said."""
        if self.status < 400 or "problem+json" not in self.head.headers.get("content-type", ""):
            return ""
        return str(self.json()["code"])

    def json(self) -> Any:
        """The body's value."""
        return msgspec.json.decode(self.body)


async def ask(address: Address, request: Request, seconds: float) -> Answer:
    """The answer to a request. Raises Broken if it does not come whole and in time."""
    try:
        async with asyncio.timeout(seconds), opened(address, request) as (head, pieces):
            return Answer(head, b"".join([piece async for piece in pieces]))
    except TimeoutError:
        raise Broken(f"no answer in {seconds} s") from None


@contextlib.asynccontextmanager
async def opened(
    address: Address, request: Request
) -> AsyncIterator[tuple[Head, AsyncIterator[bytes]]]:
    """The head of the answer, and its body piece by piece. Raises Broken, inside the block too."""
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            reader, writer = await asyncio.open_connection(*address, limit=HEAD_LIMIT)
    except (OSError, TimeoutError) as error:
        raise Broken(str(error)) from None
    try:
        writer.write(request.encode())
        head = read_head(await reader.readuntil(b"\r\n\r\n"))
        yield head, body_of(head, reader)
    except (OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError) as error:
        raise Broken(str(error)) from None
    finally:
        writer.transport.abort()


def read_head(text: bytes) -> Head:
    """Status and headers of their bytes; of a request, its first line in place of the status."""
    first, *lines = text.decode("latin-1").removesuffix("\r\n\r\n").split("\r\n")
    headers = (line.partition(":") for line in lines)
    status = first.split(" ")[1]
    return Head(
        int(status) if status.isdecimal() else 0,
        {name.lower(): value.strip() for name, _, value in headers},
    )


async def body_of(head: Head, reader: asyncio.StreamReader) -> AsyncIterator[bytes]:
    """The body as it comes. Raises IncompleteReadError if its end is missing."""
    if head.status in (204, 304):
        return
    if head.length is not None:
        yield await reader.readexactly(head.length)
        return
    while size := int(await reader.readuntil(b"\r\n"), 16):
        yield await reader.readexactly(size)
        await reader.readexactly(2)
    await reader.readexactly(2)


async def lines_of(pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    """Whole lines without their breaks; what comes after the last break is no line."""
    rest = b""
    async for piece in pieces:
        *lines, rest = (rest + piece).split(b"\n")
        for line in lines:
            yield line
