"""Streams that have nothing to tell: what each of them costs, and that each of them lives."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from functools import partial
from typing import Any, Final, NamedTuple, TypeVar

import uvloop

from bench.measure import Ratio, Round, Section, summarise
from bench.streams.movers import Movers
from bench.streams.progress import show
from bench.streams.scene import Cast, Memory, Scene
from bench.streams.wire import Stream, stream_open, stream_request

T = TypeVar("T")
WANTED: Final = 60
KILOBYTES: Final = f"{WANTED} kB / those of a stream"
OPENED, TOLD = "streams opened", "an event to each of them"
_AT_ONCE, _WARM, _WATCHERS, _PATIENCE = 32, 64, 2, 90.0


class Held(NamedTuple):
    """What was found while all streams were held."""

    before: Memory
    after: Memory
    connections: tuple[int, int]
    files: int
    opening: Round
    telling: Round


def measure(scene: Scene) -> Section:
    """The table of idle streams."""
    count = scene.plan.idle
    cast = scene.sample(max(1, count // _WATCHERS))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        held = runner.run(_hold(scene, cast))
    spent = (held.after.resident - held.before.resident) / count
    rows = [
        summarise(OPENED, "streams/s", [held.opening]),
        summarise(TOLD, "events/s", [held.telling]),
    ]
    ratios = [Ratio(KILOBYTES, WANTED / spent, wanted=1.0, binding=True)]
    return Section(f"{count:,} streams, one process", rows, ratios, _notes(scene, held, spent))


def _notes(scene: Scene, held: Held, spent: float) -> list[str]:
    plan, before, after = scene.plan, held.before, held.after
    own = (after.own - before.own) / plan.idle
    total, active = held.connections
    notes = [
        f"{spent:.1f} kB of RSS and {own:.1f} kB of PSS a stream, {_WATCHERS} streams a game",
        f"RSS {before.resident // 1024} to {after.resident // 1024} MB",
        f"PSS {before.own // 1024} to {after.own // 1024} MB",
        f"connections to the database with all of them open: {total}, in use: {active}",
        f"each had its sign of life, due every {plan.keep_alive:g} s, and then the next event",
    ]
    if held.files < 2 * plan.idle:
        notes.append(f"this process may have {held.files:,} files open, fewer than would be safe")
    return notes


async def _hold(scene: Scene, cast: Cast) -> Held:
    warm = Crowd(scene, cast)
    await warm.open(_WARM)
    warm.leave()
    await asyncio.sleep(1)
    crowd, before = Crowd(scene, cast), scene.memory()
    opening = await crowd.open(scene.plan.idle)
    await crowd.live()
    after, connections = scene.memory(), await asyncio.to_thread(scene.connections)
    telling = await crowd.hear(Movers(scene, cast))
    crowd.leave()
    return Held(before, after, connections, scene.files, opening, telling)


class Crowd:
    """Readers of equal games, two of each: one who plays, and one who plays or only watches."""

    def __init__(self, scene: Scene, cast: Cast) -> None:
        self._scene = scene
        self._cast = cast
        self._streams: list[Stream] = []
        self._heard: dict[int, float] = {}

    async def open(self, count: int) -> Round:
        """Open streams, some at a time."""
        began, gate = time.perf_counter(), asyncio.Semaphore(_AT_ONCE)
        bearers = self._cast.bearers()

        async def one(number: int) -> float:
            game = self._cast.games[number // _WATCHERS % len(self._cast.games)]
            request = stream_request(game, bearers[number % len(bearers)], self._cast.start)
            async with gate:
                asked = time.perf_counter()
                path, take = self._scene.streams, partial(self._take, number)
                self._streams.append(await stream_open(path, request, take))
                return time.perf_counter() - asked

        latencies = await _all(count, one, "streams opened")
        return Round(count, time.perf_counter() - began, tuple(latencies))

    async def live(self) -> None:
        """Wait until each stream has had a sign of life since all were open."""
        before = [(stream, stream.alive) for stream in self._streams]
        await self._until(lambda: sum(s.alive > was for s, was in before), "streams alive")

    async def hear(self, movers: Movers) -> Round:
        """Move each game once; how long each stream waited for the answered move's event."""
        began, answered = time.time(), dict[int, float]()

        async def move(number: int) -> None:
            answered[number] = await movers.move(number, 0)

        async with movers.lines():
            await _all(len(self._cast.games), move, "games moved")
            await self._until(lambda: len(self._heard), "streams told")
        late = [at - answered[self._game(number)] for number, at in self._heard.items()]
        return Round(len(late), max(self._heard.values()) - began, tuple(late))

    def leave(self) -> None:
        """Everybody goes."""
        for stream in self._streams:
            stream.cut()

    def _game(self, number: int) -> int:
        return number // _WATCHERS % len(self._cast.games)

    def _take(self, number: int, _seq: int, _data: bytes) -> None:
        self._heard.setdefault(number, time.time())

    async def _until(self, count: Callable[[], int], what: str) -> None:
        ends = time.monotonic() + _PATIENCE
        while (found := count()) < len(self._streams):
            if lost := sum(stream.closed.done() for stream in self._streams):
                raise RuntimeError(f"{lost} streams have ended")
            if time.monotonic() > ends:
                raise RuntimeError(f"{found:,} {what} after {_PATIENCE:.0f} s")
            show(f"{found:,} of {len(self._streams):,} {what}")
            await asyncio.sleep(0.2)


async def _all(count: int, act: Callable[[int], Coroutine[Any, Any, T]], what: str) -> list[T]:
    """What each of `count` acts comes to, with progress."""
    async with asyncio.TaskGroup() as tasks:
        running = [tasks.create_task(act(number)) for number in range(count)]
        while waiting := sum(not task.done() for task in running):
            show(f"{count - waiting:,} of {count:,} {what}")
            await asyncio.wait(running, timeout=0.5)
    return [task.result() for task in running]
