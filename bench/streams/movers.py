"""Those who move games on, by the recorded requests of their sample."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final
from uuid import UUID

from bench.streams.scene import Cast, Scene
from bench.streams.wire import Line, line_open

_LINES: Final = 16
Moved = dict[tuple[UUID, int], float]


class Movers:
    """A few kept connections to the API; `answered` has the time of each move's 201.

    Times are those of the wall clock, which the database uses too.
    """

    def __init__(self, scene: Scene, cast: Cast) -> None:
        self._scene = scene
        self._cast = cast
        self._idle: asyncio.Queue[Line] = asyncio.Queue()
        self._turns: dict[int, asyncio.Lock] = defaultdict(asyncio.Lock)
        self.answered: Moved = {}

    @asynccontextmanager
    async def lines(self) -> AsyncIterator[None]:
        """Connections for the time of the block."""
        opened = [await line_open(self._scene.api) for _ in range(_LINES)]
        for line in opened:
            self._idle.put_nowait(line)
        yield
        for line in opened:
            line.close()

    async def move(self, game: int, number: int) -> float:
        """Make a move of a game; when it was answered."""
        step, game_id = self._cast.steps[number], self._cast.games[game]
        async with self._turns[game]:
            line = await self._idle.get()
            await line.ask(step.exchange.request(game_id), 201)
            at = self.answered[game_id, step.last] = time.time()
            self._idle.put_nowait(line)
        return at

    async def play(self, moves: int, rate: float, told: Callable[[int], None]) -> None:
        """Make so many moves, the games in turn, so many a second."""
        began = time.monotonic()
        async with asyncio.TaskGroup() as tasks:
            for count in range(moves):
                await asyncio.sleep(began + count / rate - time.monotonic())
                number, game = divmod(count, len(self._cast.games))
                tasks.create_task(self.move(game, number))
                told(count)
