"""Streams as a client has them: through the one address, beside real web processes."""

import random
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import msgspec
import pytest

from durak_api.embedded import services
from durak_api.embedded.process import Process
from tests.api.streaming import LINES, PATIENCE, SSE, Answer, asking
from tests.bots.test_live import eventually
from tests.live import LiveStack, free_port
from tests.tables import choose

RNG = random.Random(7)


class Player:
    """Somebody who speaks HTTP."""

    def __init__(self, stack: LiveStack) -> None:
        self._where = urlsplit(stack.base_url).netloc
        self._token: str | None = None
        self._token = self.post("/players", {"name": f"p{uuid4().hex[:12]}"})["token"]

    def post(self, path: str, body: Any) -> Any:
        """The value of a successful answer."""
        headers = {"Content-Type": "application/json"}
        if self._token is not None:
            headers["Authorization"] = f"Bearer {self._token}"
        with closing(HTTPConnection(self._where, timeout=PATIENCE)) as connection:
            connection.request("POST", f"/api/v1{path}", msgspec.json.encode(body), headers)
            with connection.getresponse() as response:
                value = msgspec.json.decode(response.read())
                assert response.status in {200, 201}, value
                return value

    @contextmanager
    def ask(self, path: str, **headers: str) -> Iterator[Answer]:
        """GET."""
        with (
            closing(HTTPConnection(self._where, timeout=PATIENCE)) as connection,
            asking(connection, path, self._token, **headers) as answer,
        ):
            yield answer


@pytest.fixture
def table(live_stack: LiveStack) -> tuple[str, list[Player]]:
    """A running game and its two players, in seat order."""
    players = [Player(live_stack), Player(live_stack)]
    game: str = players[0].post("/games", {"ruleset": "throw_in", "seats": 2})["id"]
    players[1].post(f"/games/{game}/join", {})
    return game, players


def play(game: str, players: list[Player]) -> Any:
    """A move of whoever is to act."""
    with players[0].ask(f"/games/{game}") as answer:
        (seat, *_) = answer.json()["to_act"]
    with players[seat].ask(f"/games/{game}") as answer:
        patterns = answer.json()["you"]["legal_moves"]
    return players[seat].post(f"/games/{game}/moves", choose(patterns, RNG))


@pytest.mark.parametrize("media", [SSE, LINES])
@pytest.mark.parametrize("spelt", [str.lower, str.upper, str.title])
def test_the_case_of_a_media_type_does_not_matter(
    table: tuple[str, list[Player]], media: str, spelt: Callable[[str], str]
) -> None:
    game, players = table
    accept = f"text/html, {spelt(media)};q=0.9"
    with players[0].ask(f"/games/{game}/events", accept=accept) as answer:
        assert answer.status == 200
        assert answer.response.headers["Content-Type"] == media


def test_a_move_over_http_reaches_the_streams(table: tuple[str, list[Player]]) -> None:
    game, players = table
    with (
        players[0].ask(f"/games/{game}/events?snapshot=true", accept=SSE) as events,
        players[1].ask(f"/games/{game}/events?snapshot=true", accept=LINES) as lines,
    ):
        version = events.take(1)[0].value["version"]
        assert lines.take(1)[0].value["version"] == version
        began = time.monotonic()
        for _ in range(10):
            added = play(game, players)["events"]
            assert [each.seq for each in events.take(len(added))] == [each["seq"] for each in added]
            assert [each.seq for each in lines.take(len(added))] == [each["seq"] for each in added]
    # Without hints each move would wait for the next look at the versions.
    assert time.monotonic() - began < 10


def test_the_front_hides_tickets_where_it_logs_errors(tmp_path: Path) -> None:
    """The answer of a stream breaks off: the front says of which request, but not its ticket."""
    port = free_port()
    process = Process(services.front(tmp_path, tmp_path, "127.0.0.1", port), tmp_path)
    process.start()
    try:
        eventually(lambda: listens(port), PATIENCE)
        with breaking_off(tmp_path / "streams.sock"), suppress(HTTPException, OSError):
            path = "/players/me/events?after=MQ&ticket=st_very_secret"
            with (
                closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as connection,
                asking(connection, path, accept=SSE) as answer,
            ):
                answer.body()
    finally:
        process.stop()
    log = process.log.read_text()
    assert "after=MQ" in log
    assert "very_secret" not in log


@contextmanager
def breaking_off(path: Path) -> Iterator[None]:
    """A server that promises more than it sends, to one client."""

    def serve() -> None:
        client, _ = server.accept()
        with closing(client):
            client.recv(4096)
            client.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npart")

    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield
        finally:
            thread.join()


def listens(port: int) -> bool:
    """Whether somebody listens there."""
    with socket.socket() as client:
        return client.connect_ex(("127.0.0.1", port)) == 0


def test_the_front_sends_long_polls_where_they_may_wait(table: tuple[str, list[Player]]) -> None:
    game, players = table
    with players[0].ask(f"/games/{game}") as answer:
        version = answer.json()["version"]
    began = time.monotonic()
    with players[0].ask(f"/games/{game}/events?after={version}&wait=1") as answer:
        assert answer.json() == {"events": [], "next_after": version, "finished": False}
    assert time.monotonic() - began > 0.9
