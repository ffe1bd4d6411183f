"""The pool of the streams process, on a database that goes and comes back."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.db import OperationalError
from django.db.backends.postgresql.base import DatabaseWrapper
from django.db.utils import ConnectionHandler

from durak_api.database import database_settings
from durak_api.embedded import postgres
from durak_api.embedded.process import Process
from tests.durak_api.stack import eventually
from tests.servers import wait_until_ready

# A pool that doubles its pauses tries again after 1, 3 and 7 seconds.
OUTAGE = 3.2
AT_ONCE = 3.0


pytestmark = pytest.mark.django_db


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Process]:
    """A database server of our own, which runs."""
    postgres.prepare(tmp_path / "postgres", durable=False)
    process = Process(postgres.service(tmp_path / "postgres", tmp_path, durable=False), tmp_path)
    process.start()
    wait_until_ready(process)
    try:
        yield process
    finally:
        process.kill()


@pytest.fixture
def pooled(server: Process, tmp_path: Path) -> Iterator[DatabaseWrapper]:
    """A connection of a pool, as the streams process has them."""
    settings = database_settings(postgres.database_url(tmp_path, postgres.APP), pool=True)
    wrapper = ConnectionHandler({"default": {}, "pooled": settings})["pooled"]
    assert isinstance(wrapper, DatabaseWrapper)
    try:
        yield wrapper
    finally:
        wrapper.close()
        wrapper.close_pool()


def answers(url: str) -> bool:
    """Whether a database takes connections: what a killed server wrote of itself is no answer."""
    with contextlib.suppress(psycopg.OperationalError), psycopg.connect(url):
        return True
    return False


def ask(wrapper: DatabaseWrapper) -> bool:
    """Take a connection from the pool, use it, give it back; whether the database answered.

    Either way it must not take long.
    """
    began = time.monotonic()
    try:
        with wrapper.cursor() as cursor:
            cursor.execute("SELECT 1")
    except OperationalError:
        return False
    finally:
        wrapper.close()
        assert time.monotonic() - began < AT_ONCE
    return True


def test_a_database_that_is_away_is_noticed_soon_and_used_again_as_soon_as_it_is_back(
    server: Process, pooled: DatabaseWrapper, tmp_path: Path
) -> None:
    assert ask(pooled)
    server.kill()
    # A server process outlives the one that started it until it notices.
    assert eventually(lambda: not ask(pooled))
    away_until = time.monotonic() + OUTAGE
    while time.monotonic() < away_until:
        assert not ask(pooled)
    server.start()
    assert eventually(lambda: answers(postgres.database_url(tmp_path, postgres.APP)))
    assert eventually(lambda: ask(pooled), 1.0)
