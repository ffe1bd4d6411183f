"""Readers of a game's events: streams that are taken up again, and long polls."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from typing import Any, Literal

import msgspec

from tests.chaos.caller import FIRST_PAUSE, LONGEST_PAUSE, UNSETTLED, Caller
from tests.chaos.journal import Violation
from tests.chaos.ledger import Reading, digest_of
from tests.chaos.wire import Broken, Request, lines_of, opened

Form = Literal["sse", "lines", "poll"]
MEDIA: Mapping[Form, str] = {"sse": "text/event-stream", "lines": "application/x-ndjson"}
# Longer than the service lets a quiet stream be silent.
SILENCE_SECONDS = 20.0
WAIT_SECONDS = 3


class Reader:
    """Reads one game from its first event on, and misses none."""

    def __init__(self, caller: Caller, game: str, form: Form) -> None:
        self._caller = caller
        self._journal = caller.world.journal
        self._chance = caller.world.chance(f"{form} of {game} as {caller.name}")
        self._path = f"/games/{game}/events"
        self.form = form
        self.reading = Reading(game, caller.name, form, caller.token)
        self.follows: Mapping[str, Any] = {}
        self._since: float | None = None
        caller.world.ledger.readings.append(self.reading)

    @property
    def last(self) -> int:
        """The number of the last event."""
        return len(self.reading.digests)

    @property
    def finished(self) -> bool:
        """Whether that was the end of the game."""
        return self.reading.finished

    async def run(self) -> None:
        """Read to the end of the game."""
        while not self.finished:
            if self.form == "poll":
                await self.poll()
            else:
                await self._stream()

    async def poll(self) -> None:
        """One long poll: whatever comes within a few seconds."""
        limit = self._chance.randint(1, 100)
        query = f"?after={self.last}&wait={WAIT_SECONDS}&limit={limit}"
        page = await self._caller.get(self._path + query, WAIT_SECONDS)
        for event in page["events"]:
            self.take(event)
        if page["next_after"] != self.last:
            raise Violation(f"{self.reading}: {self.last} events, next_after {page['next_after']}")
        self.reading.finished = page["finished"]

    def take(self, event: Mapping[str, Any]) -> None:
        """Note the next event. Raises Violation if it is another one."""
        if event["seq"] != self.last + 1:
            raise Violation(f"{self.reading}: event {event['seq']} follows {self.last}")
        self.reading.digests.append(digest_of(event))
        self.follows = event.get("next", self.follows)

    async def _stream(self) -> None:
        """Streams, each from where the last broke off, until the game's end."""
        pause = FIRST_PAUSE
        while not self.finished:
            before = self.last
            try:
                await self._stream_once()
            except (Broken, TimeoutError):
                self._journal.count("reconnects")
                self._since = self._journal.seconds if self._since is None else self._since
            pause = FIRST_PAUSE if self.last > before else min(2 * pause, LONGEST_PAUSE)
            await asyncio.sleep(0 if self.finished else pause)

    async def _stream_once(self) -> None:
        address = self._caller.world.proxy.address
        async with opened(address, self._request()) as (head, pieces):
            if head.status in UNSETTLED:
                raise Broken(str(head.status))
            if head.status != 200:
                raise Violation(f"{self.reading}: refused with {head.status}")
            if self._since is not None:
                self._journal.outage(self._since, self._journal.seconds, str(self.reading))
                self._since = None
            lines = lines_of(pieces)
            read = self._take_block if self.form == "sse" else self._take_line
            while (line := await next_line(lines)) is not None:
                read(line)

    def _request(self) -> Request:
        """From the cursor on, which is told in one of two ways."""
        headers = {"Accept": MEDIA[self.form]}
        if self.reading.token:
            headers["Authorization"] = f"Bearer {self.reading.token}"
        if not self.last or self._chance.random() < 0.5:
            return Request("GET", f"{self._path}?after={self.last}", headers)
        headers["Last-Event-ID"] = str(self.last)
        return Request("GET", self._path, headers)

    def _take_line(self, line: bytes) -> None:
        """A message, or a sign of life."""
        if line:
            self.take_message(msgspec.json.decode(line))

    def _take_block(self, line: bytes) -> None:
        """A line of an event stream: only data matters, since events name themselves."""
        if line.startswith(b"data: "):
            self.take_message(msgspec.json.decode(line.removeprefix(b"data: ")))

    def take_message(self, message: Mapping[str, Any]) -> None:
        """Note what a stream says. Raises Violation if it is not what has to follow."""
        if message["type"] != "stream_ended":
            self.take(message)
            return
        if message["resume_after"] != self.last:
            raise Violation(f"{self.reading}: {self.last} events, but ended with {message}")
        self.reading.finished = message["reason"] == "game_finished"


async def next_line(lines: AsyncIterator[bytes]) -> bytes | None:
    """The next line; None at the end. Raises TimeoutError when there is none for too long."""
    async with asyncio.timeout(SILENCE_SECONDS):
        return await anext(lines, None)
