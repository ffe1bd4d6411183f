"""The load generator counts complete answers and trusts no status but the one it wants."""

import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from bench.load import UnexpectedAnswer, Work, drive, is_complete

ANSWER = b"HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello"
REQUEST = b"GET / HTTP/1.1\r\n\r\n"


@pytest.fixture
def echo(tmp_path: Path) -> Iterator[Path]:
    """A server that gives every request the same answer, in two pieces."""
    path = tmp_path / "echo.sock"
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        Thread(target=_serve, args=(server,), daemon=True).start()
        yield path
        server.shutdown(socket.SHUT_RDWR)


def _serve(server: socket.socket) -> None:
    while True:
        try:
            connection, _ = server.accept()
        except OSError:
            return
        Thread(target=_answer, args=(connection,), daemon=True).start()


def _answer(connection: socket.socket) -> None:
    with connection:
        while connection.recv(1000):
            connection.sendall(ANSWER[:30])
            connection.sendall(ANSWER[30:])


def test_each_request_is_counted_once(echo: Path) -> None:
    round_ = drive(Work(echo, [[REQUEST] * 10], 200), seconds=5)
    assert round_.count == len(round_.latencies) == 10
    assert round_.seconds < 5


def test_the_first_connection_without_work_ends_the_round(echo: Path) -> None:
    round_ = drive(Work(echo, [[REQUEST], [REQUEST] * 1_000_000], 200), seconds=5)
    assert 2 <= round_.count < 1_000_000
    assert round_.seconds < 5


def test_a_round_of_endless_work_ends_in_time(echo: Path) -> None:
    round_ = drive(Work(echo, [[REQUEST], [REQUEST]], 200, again=True), seconds=0.2)
    assert round_.count > 2
    assert 0.1 < round_.seconds < 2


def test_another_status_is_an_error(echo: Path) -> None:
    with pytest.raises(UnexpectedAnswer, match="200 OK"):
        drive(Work(echo, [[REQUEST]], 201), seconds=5)


@pytest.mark.parametrize(
    ("received", "complete"),
    [
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n", False),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nh", False),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi", True),
        (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n", False),
        (b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n", True),
        (b"HTTP/1.1 304 Not Modified\r\netag: x\r\n\r\n", True),
    ],
)
def test_an_answer_is_complete_when_its_body_is(received: bytes, complete: bool) -> None:
    assert is_complete(received) is complete
