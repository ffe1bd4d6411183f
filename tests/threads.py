"""Several calls at the same moment, each on a database connection of its own."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from threading import Barrier
from typing import TypeVar

from django.db import connection

T = TypeVar("T")
_WAITING = """
    SELECT count(*) FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()
"""


def at_once(calls: Sequence[Callable[[], T]]) -> list[T]:
    """The results of all calls, made in as many threads at the same moment."""
    start = Barrier(len(calls))

    def run(call: Callable[[], T]) -> T:
        start.wait()
        try:
            return call()
        finally:
            connection.close()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))


class Beside:
    """A call in a thread beside the test's transaction, on a connection of its own."""

    def __init__(self, call: Callable[[], object]) -> None:
        self.pool = ThreadPoolExecutor(1)
        self.future = self.pool.submit(self._run, call)

    @staticmethod
    def _run(call: Callable[[], object]) -> None:
        try:
            call()
        finally:
            connection.close()

    def wait_for_lock(self) -> None:
        """Until it waits for the test's transaction."""
        for _ in range(200):
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_stat_clear_snapshot()")
                cursor.execute(_WAITING)
                (count,) = cursor.fetchone()
            if count:
                return
            assert not wait([self.future], 0.02).done
        raise AssertionError("it never waited")

    def end(self) -> None:
        """Its end; raises what it raised."""
        self.future.result(10)
        self.pool.shutdown()
