"""The bad line does what it says, and the client never takes a half for a whole."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.chaos.fates import Fate, Passing
from tests.chaos.journal import Journal
from tests.chaos.proxy import Proxy, disagreement
from tests.chaos.wire import Address, Answer, Broken, Request, ask, lines_of, opened

BODY = b'{"n": 1}'
LINES = b"one\ntwo\n"


class Server:
    """Counts what reaches it whole; numbers its answers, or streams two lines for a GET."""

    def __init__(self) -> None:
        self.whole = 0
        self.begun = 0

    @contextlib.asynccontextmanager
    async def listening(self) -> AsyncIterator[Address]:
        """Serve for the time of the block."""
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        async with server:
            yield server.sockets[0].getsockname()[:2]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.begun += 1
        with contextlib.suppress(asyncio.IncompleteReadError, OSError):
            head = await reader.readuntil(b"\r\n\r\n")
            if head.startswith(b"POST"):
                await reader.readexactly(len(BODY))
            self.whole += 1
            text = f"answer {self.whole}".encode()
            stream = b"Transfer-Encoding: chunked\r\n\r\n8\r\n" + LINES + b"\r\n0\r\n\r\n"
            plain = b"Content-Length: %d\r\n\r\n%b" % (len(text), text)
            writer.write(b"HTTP/1.1 201 OK\r\n" + (plain if head[:4] == b"POST" else stream))
            await writer.drain()
        writer.close()


POST = Request("POST", "/x", {"Idempotency-Key": "k", "If-Match": '"v1"'}, BODY)
GET = Request("GET", "/x", {"Accept": "application/x-ndjson"})


class Line:
    """What came of one request with one fate."""

    def __init__(self, fate: Fate, folder: Path) -> None:
        self.server = Server()
        self.answer: Answer | None = None
        self.lines: list[bytes] = []
        self._fate = fate
        self._journal = Journal(folder / "faults.jsonl")

    async def post(self) -> Proxy:
        """Ask once, and wait for what is still under way."""
        async with self.server.listening() as target:
            proxy = Proxy(target, self._journal, lambda _: self._fate)
            async with proxy.listening() as address:
                with contextlib.suppress(Broken):
                    self.answer = await ask(address, POST, 5)
            await asyncio.sleep(0.05)
            return proxy

    async def get(self) -> None:
        """Read a stream; raises Broken if it has no end."""
        async with self.server.listening() as target:
            proxy = Proxy(target, self._journal, lambda _: self._fate)
            async with proxy.listening() as address, opened(address, GET) as (_, pieces):
                async for line in lines_of(pieces):
                    self.lines.append(line)


@pytest.mark.parametrize(
    ("fate", "begun", "whole", "answered"),
    [
        (Fate(), 1, 1, True),
        (Fate(delay=0.1), 1, 1, True),
        (Fate("before"), 0, 0, False),
        (Fate("mid_request", 0.0), 1, 0, False),
        (Fate("mid_request", 0.99), 1, 0, False),
        (Fate("unanswered", 0.9), 1, 1, False),
        (Fate("unanswered", 0.1), 1, 1, False),
        (Fate("mid_answer", 0.0), 1, 1, False),
        (Fate("mid_answer", 0.99), 1, 1, False),
        (Fate(twin=0.0), 2, 2, True),
        (Fate("before", twin=0.0), 0, 0, False),
        (Fate("unanswered", 0.9, twin=0.05), 2, 2, False),
    ],
)
def test_each_fate(fate: Fate, begun: int, whole: int, answered: bool, tmp_path: Path) -> None:
    line = Line(fate, tmp_path)
    asyncio.run(line.post())
    assert (line.server.begun, line.server.whole) == (begun, whole)
    assert (line.answer is not None) == answered


def test_twins_that_were_told_different_things_are_noticed(tmp_path: Path) -> None:
    proxy = asyncio.run(Line(Fate(twin=0.0), tmp_path).post())
    assert "sent twice" in str(proxy.violation)


def test_a_calm_line_hurts_nobody(tmp_path: Path) -> None:
    line = Line(Fate("before"), tmp_path)

    async def calmly() -> None:
        async with line.server.listening() as target:
            proxy = Proxy(target, line._journal, lambda _: line._fate)
            proxy.is_calm = True
            async with proxy.listening() as address:
                line.answer = await ask(address, POST, 5)

    asyncio.run(calmly())
    assert line.answer is not None
    assert line.answer.body == b"answer 1"


def test_a_stream_is_read_to_its_end(tmp_path: Path) -> None:
    line = Line(Fate(), tmp_path)
    asyncio.run(line.get())
    assert line.lines == [b"one", b"two"]


def test_of_a_stream_that_breaks_off_whole_lines_count(tmp_path: Path) -> None:
    head = len(b"HTTP/1.1 201 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
    line = Line(Fate("mid_answer", (head + len(b"8\r\none\ntw")) / 40_000), tmp_path)
    with pytest.raises(Broken):
        asyncio.run(line.get())
    assert b"two" not in line.lines


def told(status: int, body: bytes, length: int | None = None) -> bytes:
    """An answer."""
    size = len(body) if length is None else length
    return b"HTTP/1.1 %d X\r\nContent-Length: %d\r\n\r\n%b" % (status, size, body)


@pytest.mark.parametrize(
    ("one", "other", "agree"),
    [
        (told(201, b"a"), told(201, b"a"), True),
        (told(201, b"a"), told(201, b"b"), False),
        (told(201, b"ab"), told(201, b"a", 2), True),
        (told(201, b"a"), b"", True),
        (told(201, b"a"), told(503, b"x"), True),
        (told(201, b"a"), told(412, b"stale"), False),
        (told(409, b"idempotency.in_progress"), told(201, b"a"), True),
        (told(412, b"stale"), told(422, b"other"), True),
    ],
)
def test_what_two_answers_to_one_request_may_say(one: bytes, other: bytes, agree: bool) -> None:
    guarded = Passing(b"", "POST /x", {"idempotency-key": "k", "if-match": '"v1"'})
    assert (disagreement(guarded, one, other) is None) == agree
    assert (disagreement(guarded, other, one) is None) == agree


def test_a_refusal_may_precede_a_late_move_for_any_version() -> None:
    keyed = Passing(b"", "POST /x", {"idempotency-key": "k"})
    assert disagreement(keyed, told(422, b"not yet"), told(201, b"a")) is None
    assert disagreement(keyed, told(201, b"b"), told(201, b"a")) is not None
