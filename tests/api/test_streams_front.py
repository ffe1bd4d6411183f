"""Streams as a client has them: through the one address, beside real web processes."""

import random
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

import msgspec
import pytest

from tests.api.streaming import LINES, PATIENCE, SSE, Answer, asking
from tests.live import LiveStack
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


def test_the_front_sends_long_polls_where_they_may_wait(table: tuple[str, list[Player]]) -> None:
    game, players = table
    with players[0].ask(f"/games/{game}") as answer:
        version = answer.json()["version"]
    began = time.monotonic()
    with players[0].ask(f"/games/{game}/events?after={version}&wait=1") as answer:
        assert answer.json() == {"events": [], "next_after": version, "finished": False}
    assert time.monotonic() - began > 0.9
