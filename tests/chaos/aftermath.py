"""When the storm is over: what clients and commands find then."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from durak_api.environment import BASE_DIR
from tests.chaos.caller import Caller, World
from tests.chaos.journal import Violation
from tests.chaos.ledger import Ack, Reading, digest_of
from tests.chaos.store import Store
from tests.durak_api.stack import OTHER_SERVERS

AT_ONCE = 8
# So many stored answers are asked for again; each costs a request.
REPEATS = 2_000
RATING_SECONDS = 45.0


async def check_answers(world: World) -> int:
    """Every stored answer is given again as it was; how many were asked for."""
    acks = world.ledger.acks
    chosen = world.chance("repeats").sample(acks, min(REPEATS, len(acks)))
    await each(chosen, lambda ack: repeat(world, ack))
    return len(chosen)


async def repeat(world: World, ack: Ack) -> None:
    """Ask again, as the same player."""
    await Caller(world).repeat(ack)


async def check_readings(world: World) -> int:
    """What readers got, event by event, is the log as their seat may see it; how many events."""
    logs: dict[tuple[str, str], list[str]] = {}

    async def fetch(reading: Reading) -> None:
        key = (reading.game, reading.viewer)
        if key not in logs:
            logs[key] = await log_of(world, reading)
        compare(reading, logs[key])

    await each(world.ledger.readings, fetch)
    return sum(len(reading.digests) for reading in world.ledger.readings)


def compare(reading: Reading, log: Sequence[str]) -> None:
    """Raises Violation if a reader was told other events than the log's, or not all of a game's."""
    for number, (told, stored) in enumerate(zip(reading.digests, log, strict=False), 1):
        if told != stored:
            raise Violation(f"{reading}: event {number} is another one in the log")
    if len(reading.digests) > len(log):
        raise Violation(f"{reading}: {len(reading.digests)} events, {len(log)} in the log")
    if reading.finished and len(reading.digests) < len(log):
        raise Violation(f"{reading}: the end after {len(reading.digests)} of {len(log)} events")


async def log_of(world: World, reading: Reading) -> list[str]:
    """The digests of a game's events as somebody may see them, from plain pages."""
    caller = Caller(world, reading.viewer)
    caller.token = reading.token
    digests: list[str] = []
    while True:
        page = await caller.get(f"/games/{reading.game}/events?after={len(digests)}&limit=1000")
        digests += map(digest_of, page["events"])
        if not page["events"] or page["finished"]:
            return digests


async def each(items: Sequence[Any], act: Any) -> None:
    """Act on all items, a few at a time."""
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(item: Any) -> None:
        async with gate:
            await act(item)

    async with asyncio.TaskGroup() as tasks:
        for item in items:
            tasks.create_task(one(item))


def verify_log(data_dir: Path) -> str:
    """Chain, rules and anchors of all games; the last line of the command. Raises Violation."""
    return manage(data_dir, "verify_log")


def check_projections(data_dir: Path, store: Store) -> int:
    """Results, ratings and boards are what a rebuild makes of the logs; how many rows."""
    deadline = time.monotonic() + RATING_SECONDS
    while left := store.unrated():
        if time.monotonic() > deadline:
            raise Violation(f"{left} games wait for their ratings")
        time.sleep(0.5)
    before = store.projections()
    manage(data_dir, "rebuild_projections")
    after = store.projections()
    for table, rows in before.items():
        if others := set(rows) ^ set(after[table]):
            raise Violation(f"{table} is rebuilt otherwise, for example {min(others)}")
    return sum(map(len, before.values()))


def manage(data_dir: Path, command: str) -> str:
    """The last line of a command beside the running stack. Raises Violation if it fails."""
    inherited = {name: text for name, text in os.environ.items() if name not in OTHER_SERVERS}
    done = subprocess.run(
        [sys.executable, "manage.py", command],
        cwd=BASE_DIR,
        env={**inherited, "DATA_DIR": str(data_dir)},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise Violation(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout.strip().rpartition("\n")[2]
