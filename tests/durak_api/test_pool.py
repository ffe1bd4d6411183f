"""The pool of the streams process, on a database that goes and comes back."""

import contextlib
import time
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import ConnectionHandler

from durak_api.database import database_settings
from durak_api.embedded import postgres
from durak_api.embedded.process import Process
from tests.durak_api.stack import eventually
from tests.servers import wait_until_ready

# Longer than a pool that doubles its pauses tries again within a second of its first failure.
OUTAGE = 4.0
AT_ONCE = 2.0


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
def pooled(server: Process, tmp_path: Path) -> Iterator[BaseDatabaseWrapper]:
    """A connection of a pool, as the streams process has them."""
    settings = database_settings(postgres.database_url(tmp_path, postgres.APP), pool=True)
    wrapper = ConnectionHandler({"default": {}, "pooled": settings})["pooled"]
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


def ask(wrapper: BaseDatabaseWrapper) -> float:
    """Take a connection from the pool, use it, give it back; the seconds that it took."""
    began = time.monotonic()
    try:
        with wrapper.cursor() as cursor:
            cursor.execute("SELECT 1")
    finally:
        wrapper.close()
    return time.monotonic() - began


def test_a_database_that_is_away_is_noticed_soon_and_used_again_as_soon_as_it_is_back(
    server: Process, pooled: BaseDatabaseWrapper, tmp_path: Path
) -> None:
    ask(pooled)
    server.kill()
    away_until = time.monotonic() + OUTAGE
    while (began := time.monotonic()) < away_until:
        with pytest.raises(OperationalError):
            ask(pooled)
        assert time.monotonic() - began < AT_ONCE
    server.start()
    assert eventually(lambda: answers(postgres.database_url(tmp_path, postgres.APP)))
    assert ask(pooled) < AT_ONCE
