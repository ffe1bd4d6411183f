"""The load generator: keep-alive connections, each with one request under way at any time.

HTTP is written and read by hand in one event loop: on a machine with two cores whatever the
generator uses is missing elsewhere. It runs in a process of its own.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import cycle
from pathlib import Path
from typing import NamedTuple, cast

import uvloop

from bench.measure import LOAD, Round

PATIENCE_SECONDS = 30
Address = Path | tuple[str, int]


class UnexpectedAnswer(Exception):
    """The server said something else than it should."""


class Work(NamedTuple):
    """What to send: a list of requests for each connection, `again` and again or only once.

    Every answer must have `status`.
    """

    address: Address
    lanes: Sequence[Sequence[bytes]]
    status: int
    again: bool = False


class Lane(asyncio.Protocol):
    """One connection."""

    def __init__(self, requests: Iterable[bytes], status: int, stop: Callable[[], None]) -> None:
        self.latencies: list[float] = []
        self.fault: str | None = None
        self.answered = asyncio.Event()
        self.closed = asyncio.Event()
        self._requests: Iterator[bytes] = iter(requests)
        self._expected = f"HTTP/1.1 {status} ".encode()
        self._stop = stop
        self._going_on = True
        self._received = b""
        self._sent_at = 0.0
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Keep the transport; nothing is sent before `send`."""
        self._transport = cast("asyncio.Transport", transport)

    def send(self) -> None:
        """Send the next request; without one the whole round is over."""
        request = next(self._requests, None) if self._going_on else None
        if request is None or self._transport is None:
            self._stop()
            self._hang_up()
            return
        self._sent_at = time.perf_counter()
        self._transport.write(request)

    def finish(self) -> None:
        """Hang up after the answer that is awaited now."""
        self._going_on = False

    def data_received(self, data: bytes) -> None:
        """Count the answer once it is complete, and go on."""
        self._received += data
        if not is_complete(self._received):
            return
        self.answered.set()
        if not self._received.startswith(self._expected):
            self.fault = self._received.decode(errors="replace")
            self.finish()
        elif self._going_on:
            self.latencies.append(time.perf_counter() - self._sent_at)
        self._received = b""
        self.send()

    def connection_lost(self, exc: Exception | None) -> None:
        """Say so, unless it was us who hung up."""
        if self._transport is not None:
            self.fault = self.fault or f"the server hung up: {exc}"
            self._stop()
        self.answered.set()
        self.closed.set()

    def _hang_up(self) -> None:
        if self._transport is not None:
            self._transport.close()
            self._transport = None


def is_complete(received: bytes) -> bool:
    """Whether an answer is there as a whole.

    >>> is_complete(b"HTTP/1.1 200 OK\\r\\ncontent-length: 2\\r\\n\\r\\nhi")
    True
    >>> is_complete(b"HTTP/1.1 304 Not Modified\\r\\n\\r\\n"), is_complete(b"HTTP/1.1 200 OK")
    (True, False)
    """
    head, end, body = received.partition(b"\r\n\r\n")
    if not end:
        return False
    head = head.lower()
    if b"\r\ntransfer-encoding: chunked" in head:
        return body.endswith(b"0\r\n\r\n")
    _, named, after = head.partition(b"\r\ncontent-length: ")
    return not named or len(body) >= int(after.partition(b"\r\n")[0])


def drive(work: Work, seconds: float) -> Round:
    """Send work for some seconds, or until the first connection has no more of it.

    The time is long enough for an answer on each connection at the least.

    Raises UnexpectedAnswer with the first answer that does not have the status wanted.
    """
    started = time.process_time()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        latencies, elapsed = runner.run(_drive(work, seconds))
    spent = time.process_time() - started
    return Round(len(latencies), elapsed, tuple(latencies), {LOAD: spent})


async def _drive(work: Work, seconds: float) -> tuple[list[float], float]:
    over = asyncio.Event()
    lanes = [
        Lane(cycle(requests) if work.again else requests, work.status, over.set)
        for requests in work.lanes
    ]
    for lane in lanes:
        await _connect(lane, work.address)
    started = time.perf_counter()
    for lane in lanes:
        lane.send()
    with suppress(TimeoutError):
        await asyncio.wait_for(over.wait(), seconds)
    await _all(lane.answered for lane in lanes)
    elapsed = time.perf_counter() - started
    for lane in lanes:
        lane.finish()
    await _all(lane.closed for lane in lanes)
    if fault := next((lane.fault for lane in lanes if lane.fault), None):
        raise UnexpectedAnswer(fault)
    return [latency for lane in lanes for latency in lane.latencies], elapsed


async def _all(events: Iterable[asyncio.Event]) -> None:
    waiting = (event.wait() for event in events)
    await asyncio.wait_for(asyncio.gather(*waiting), PATIENCE_SECONDS)


async def _connect(lane: Lane, address: Address) -> None:
    loop = asyncio.get_running_loop()
    if isinstance(address, Path):
        await loop.create_unix_connection(lambda: lane, str(address))
    else:
        await loop.create_connection(lambda: lane, *address)
