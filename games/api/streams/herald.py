"""Tells those who run the server how many streams there are."""

import asyncio
from typing import Final

from games.api.streams.counts import Counts
from games.api.streams.reading import Readers
from games.tally import board

_PAUSE_SECONDS: Final = 2.0


class Herald:
    """Tells the counts of this process, again and again, until its task is cancelled."""

    def __init__(self, counts: Counts, readers: Readers) -> None:
        self._counts = counts
        self._readers = readers

    async def run(self) -> None:
        """Tell, and keep for later what could not be told."""
        while True:
            ended = self._counts.take()
            if not await self._readers.run(self._counts.tell, board(), ended):
                self._counts.put_back(ended)
            await asyncio.sleep(_PAUSE_SECONDS)

    async def leave(self) -> None:
        """Tell for the last time: the process stops."""
        await self._readers.run(self._counts.leave, board(), self._counts.take())
