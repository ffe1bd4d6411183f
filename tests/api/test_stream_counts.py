"""Whoever runs the server is told how many streams there are, and why others have ended."""

import random
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
import redis
from django.conf import settings
from django.db import connection, transaction

from games.services.player_register import player_register
from games.tally import STREAMS_ENDED, Board, streams_read, tallies_read
from tests.api.streaming import LINES, SSE, StreamsProcess
from tests.scores import new_players
from tests.tables import head_of, open_table, play_one, play_out
from tests.threads import at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("streams")]
TOLD_WITHIN = 6.0
CROWD = 12


@pytest.fixture
def broker() -> Iterator[redis.Redis]:
    """The broker, in which nothing has been counted yet."""
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.flushdb()
        yield client


@pytest.fixture
def streams(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StreamsProcess]:
    """A process of one's own."""
    folder: Path = tmp_path_factory.mktemp("s")
    process = StreamsProcess(folder)
    process.start()
    try:
        yield process
    finally:
        process.process.stop()


@pytest.fixture
def game() -> UUID:
    """A running game."""
    return open_table(new_players(2))


def soon(question: Callable[[], Any]) -> bool:
    """Whether the answer is yes before long."""
    ends = time.monotonic() + TOLD_WITHIN
    while not (answer := bool(question())) and time.monotonic() < ends:
        time.sleep(0.05)
    return answer


def ended(broker: redis.Redis) -> dict[str, int]:
    """The streams that have ended, by reason."""
    return tallies_read(broker)[STREAMS_ENDED]


def test_open_streams_and_reasons_of_ends_are_told(
    streams: StreamsProcess, broker: redis.Redis, game: UUID
) -> None:
    path = f"/games/{game}/events"
    with streams.ask(path, accept=SSE) as one, streams.ask(path, accept=LINES) as other:
        assert (one.status, other.status) == (200, 200)
        assert soon(lambda: streams_read(broker) == [2])
    assert soon(lambda: ended(broker) == {"client_left": 2})
    assert soon(lambda: streams_read(broker) == [0])
    with streams.ask(path, accept=SSE) as answer:
        play_out(game, random.Random(1))
        assert list(answer.messages())[-1].value["reason"] == "game_finished"
    assert soon(lambda: ended(broker) == {"client_left": 2, "game_finished": 1})


def test_a_process_that_stops_tells_its_last_ends_and_is_forgotten(
    streams: StreamsProcess, broker: redis.Redis, game: UUID
) -> None:
    with streams.ask(f"/games/{game}/events", accept=SSE):
        assert soon(lambda: streams_read(broker) == [1])
        streams.process.stop()
    assert streams_read(broker) == []
    assert ended(broker) == {"server_shutdown": 1}


def test_long_polls_are_no_streams(
    streams: StreamsProcess, broker: redis.Redis, game: UUID
) -> None:
    assert soon(lambda: streams_read(broker) == [0])
    with streams.ask(f"/games/{game}/events?after=4&wait=1") as answer:
        answer.body()
    time.sleep(2.5)
    assert (streams_read(broker), ended(broker)) == ([0], {})


def test_who_has_not_signed_for_long_is_forgotten(
    broker: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = Board(settings.REDIS_URL)
    board.streams_sign("here:1", 3)
    assert streams_read(broker) == [3]
    monkeypatch.setattr("games.tally.SILENCE", 0.0)
    assert streams_read(broker) == []
    monkeypatch.undo()
    assert streams_read(broker) == []


def test_without_a_broker_nothing_is_counted_and_nothing_raised() -> None:
    board = Board("redis://127.0.0.1:1/0")
    assert board.add(STREAMS_ENDED, {"client_left": 1}) is False
    assert board.streams_sign("here:1", 3) is False


def test_a_crowd_at_the_door_keeps_nobody_from_his_news(
    streams: StreamsProcess, game: UUID
) -> None:
    path, token = f"/games/{game}/events", player_register(name="stella").token.text
    version = head_of(game).game.version
    with (
        streams.ask(f"{path}?after={version}", accept=SSE) as answer,
        ThreadPoolExecutor(CROWD) as crowd,
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        # Whoever comes with a token waits for this table, longer than the test does.
        cursor.execute("LOCK TABLE games_apitoken IN ACCESS EXCLUSIVE MODE")
        coming = [crowd.submit(statuses, streams, path, token) for _ in range(CROWD)]
        time.sleep(0.5)
        began = time.monotonic()
        at_once([lambda: play_one(game, random.Random(2))])
        message = answer.take(1)[0]
        assert message.seq == version + 1
        assert time.monotonic() - began < 1
        assert not any(visit.done() for visit in coming)


def statuses(streams: StreamsProcess, path: str, token: str) -> int:
    """How a visit with a token is answered."""
    with streams.ask(path, token, accept=SSE) as answer:
        return answer.status
