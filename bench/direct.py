"""The other rival: the same statements through bare psycopg, a thread for each connection.

It runs in a process of its own, in which it keeps its connections.
"""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

import psycopg

from bench.exchange import Exchange, exchanges_read
from bench.measure import Round

Call = tuple[int, UUID]


class Calls(NamedTuple):
    """For each connection the exchanges to run, by number, and the game for each."""

    database_url: str
    exchanges: Path
    lanes: Sequence[Sequence[Call]]


class Result(NamedTuple):
    """What one connection did until it had no more to do or time was up."""

    latencies: list[float]
    ended: float


def run(calls: Calls, seconds: float) -> Round:
    """Run the calls for some seconds, or until the first connection has no more of them."""
    exchanges = _exchanges(calls.exchanges)
    connections = _connections(calls.database_url, len(calls.lanes))
    cpu, started = time.process_time(), time.perf_counter()

    def lane(connection: psycopg.Connection, todo: Sequence[Call]) -> Result:
        return _run_lane(connection, exchanges, todo, started + seconds)

    with ThreadPoolExecutor(len(connections)) as pool:
        results = list(pool.map(lane, connections, calls.lanes))
    ended = min(result.ended for result in results)
    latencies = tuple(latency for result in results for latency in result.latencies)
    spent = {"client": time.process_time() - cpu}
    return Round(len(latencies), ended - started, latencies, spent)


@cache
def _exchanges(path: Path) -> Sequence[Exchange]:
    return exchanges_read(path)


@cache
def _connections(database_url: str, count: int) -> list[psycopg.Connection]:
    return [psycopg.connect(database_url, autocommit=True) for _ in range(count)]


def _run_lane(
    connection: psycopg.Connection,
    exchanges: Sequence[Exchange],
    todo: Sequence[Call],
    deadline: float,
) -> Result:
    latencies: list[float] = []
    before = time.perf_counter()
    for number, game in todo:
        _execute(connection, exchanges[number], game)
        now = time.perf_counter()
        latencies.append(now - before)
        before = now
        if now >= deadline:
            break
    return Result(latencies, before)


def _execute(connection: psycopg.Connection, exchange: Exchange, game: UUID) -> None:
    for inside, statements in exchange.blocks(game):
        with connection.transaction() if inside else nullcontext():
            for sql, parameters in statements:
                cursor = connection.execute(sql, parameters)
                if cursor.description:
                    cursor.fetchall()
