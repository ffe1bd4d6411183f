"""How long one connection waits for the database, and what the waiting is made of."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from django.db import DEFAULT_DB_ALIAS, connection, connections

Call = Callable[[], object]


class Wait(NamedTuple):
    """Seconds that a call's statements were waited for, with its transaction's beginning and end.

    `alone` leaves out the time in which the database's process or this one was ready to run and had
    no core; `cpu` is CPU time of the database's. Where nobody tells, nothing is left out.
    """

    whole: float
    alone: float
    cpu: float


class _Spent(NamedTuple):
    cpu: float
    queued: float


def wait_for(call: Call) -> Wait:
    """Ask once."""
    before = _spent(_backend())
    with _waited() as waits:
        call()
    whole, queued = (sum(times) for times in zip(*waits, strict=True))
    return Wait(whole, max(whole - queued, 0.0), _spent(_backend()).cpu - before.cpu)


@contextmanager
def _waited() -> Iterator[list[tuple[float, float]]]:
    """How long each statement within the block was waited for, and what of that in a queue.

    The beginning and the end of a transaction are statements, too.
    """
    waits: list[tuple[float, float]] = []

    def clock(call: Callable[..., Any], *arguments: Any, **more: Any) -> Any:
        queued, began = _queued(), time.perf_counter()
        try:
            return call(*arguments, **more)
        finally:
            waits.append((time.perf_counter() - began, _queued() - queued))

    database, ends = connections[DEFAULT_DB_ALIAS], ("set_autocommit", "commit")
    for name in ends:
        setattr(database, name, partial(clock, getattr(database, name)))
    try:
        with database.execute_wrapper(clock):
            yield waits
    finally:
        for name in ends:
            delattr(database, name)


def _queued() -> float:
    """Seconds for which the two processes have been waiting for a core; they take turns."""
    return _spent(_backend()).queued + _spent("self").queued


def _backend() -> int:
    pid: int = connection.connection.info.backend_pid
    return pid


def _spent(process: int | str) -> _Spent:
    try:
        told = Path(f"/proc/{process}/schedstat").read_text(encoding="ascii")
    except OSError:
        return _Spent(0.0, 0.0)
    cpu, queued, _ = told.split()
    return _Spent(int(cpu) / 1e9, int(queued) / 1e9)
