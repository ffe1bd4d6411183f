"""Whatever is the last that a session of the database hears, its loss is told as a loss."""

import os
import socket
from collections.abc import Callable
from contextlib import suppress
from typing import Final

import pytest
from django.db import OperationalError, ProgrammingError, connection, transaction

from games.api.handlers import as_problem
from games.store.cursors import executed

pytestmark = pytest.mark.django_db(transaction=True)

BACKEND: Final = "SELECT pg_backend_pid()"


def said(kind: bytes, severity: bytes, state: bytes) -> bytes:
    """A message of PostgreSQL's: `kind` is N for a notice, E for an error."""
    fields = ((b"S", severity), (b"V", severity), (b"C", state), (b"M", b"the end"))
    body = b"".join(key + text + b"\0" for key, text in fields) + b"\0"
    return kind + (len(body) + 4).to_bytes(4, "big") + body


LAST_WORDS: Final = {
    "nothing": b"",
    "half a message": b"N\0\0",
    "another's crash": said(b"N", b"WARNING", b"57P02"),
    "a shutdown": said(b"E", b"FATAL", b"57P01"),
    "a transaction left idle": said(b"E", b"FATAL", b"25P03"),
}


def lose(last: bytes) -> None:
    """Have the database say its last to this session, and be gone."""
    here, there = socket.socketpair()
    with here, there:
        there.sendall(last)
        os.dup2(here.fileno(), connection.connection.pgconn.socket)


def run(last: bytes) -> None:
    lose(last)
    executed(BACKEND, [])


def run_unprepared(last: bytes) -> None:
    lose(last)
    executed("SELECT 1", [])


def run_by_django(last: bytes) -> None:
    with connection.cursor() as cursor:
        lose(last)
        cursor.execute("SELECT 1")


def begin(last: bytes) -> None:
    lose(last)
    with transaction.atomic():
        executed(BACKEND, [])


def commit(last: bytes) -> None:
    with transaction.atomic():
        executed(BACKEND, [])
        lose(last)


@pytest.mark.parametrize("last", LAST_WORDS.values(), ids=LAST_WORDS)
@pytest.mark.parametrize("act", [run, run_unprepared, run_by_django, begin, commit])
def test_a_lost_session_is_the_client_to_ask_again(
    act: Callable[[bytes], None], last: bytes
) -> None:
    for _ in range(7):
        executed(BACKEND, [])
    with pytest.raises(OperationalError) as raised:
        act(last)
    problem = as_problem(raised.value)
    assert problem is not None
    assert problem.code == "server.unavailable"
    # What the same request asks next is no worse off.
    with suppress(OperationalError):
        executed(BACKEND, [])
    connection.close_if_unusable_or_obsolete()
    assert executed(BACKEND, []).rows == 1


def test_what_the_database_refuses_is_no_loss() -> None:
    with pytest.raises(ProgrammingError) as raised:
        executed("SELECT nothing", [])
    assert as_problem(raised.value) is None
