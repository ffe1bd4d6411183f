"""GET /games.ndjson, from a real streams process."""

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import IncompleteRead
from pathlib import Path
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from django.db import connection, transaction
from django.utils import timezone

from games.models import Game
from games.selectors.game_dump import BATCH, Wanted, game_dump
from games.services.game_seats import game_resign
from tests.api.conftest import Api, refusal
from tests.api.streaming import LINES, StreamsProcess
from tests.api.tables import NAMES, people
from tests.api.test_matches import duel, rematch
from tests.api.test_streams import Someone, running, soon
from tests.scores import new_players
from tests.tables import open_table, play_one, player_at

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("streams")]
MOST = 2


@pytest.fixture(scope="module")
def streams(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Any]:
    """A process that tells of every game that has ended."""
    folder: Path = tmp_path_factory.mktemp("d")
    yield from running(StreamsProcess(folder, DUMP_SETTLE_SECONDS=0, DUMPS_PER_CALLER=MOST))


@pytest.fixture(autouse=True)
def at_once(settings: Any) -> None:
    """No waiting in this process either."""
    settings.DUMP_SETTLE_SECONDS = 0


def finished(count: int = 1, **terms: Any) -> list[Game]:
    """Games that have ended, in the order of their ends."""
    ids = []
    for _ in range(count):
        table = open_table(new_players(2), **terms)
        play_one(table, random.Random(1))
        game_resign(game_id=table, player_id=player_at(table, 0))
        ids.append(table)
    return [Game.objects.get(id=table) for table in ids]


def dumped(streams: StreamsProcess, query: str = "", **headers: Any) -> list[dict[str, Any]]:
    """The lines of the stream."""
    with streams.ask(f"/games.ndjson{query}", accept="application/x-ndjson", **headers) as answer:
        body = answer.body()
        assert answer.status == 200, body
        assert answer.media == "application/x-ndjson"
    return [msgspec.json.decode(line) for line in body.splitlines()]


def test_every_finished_public_game_is_there_in_order(streams: StreamsProcess) -> None:
    games = finished(BATCH + 3)
    hidden, *_ = finished()
    Game.objects.filter(id=hidden.id).update(visibility="private")
    open_table(new_players(2))
    lines = dumped(streams)
    assert [line["id"] for line in lines] == [str(game.id) for game in games]
    times = [line["finished_at"] for line in lines]
    assert times == sorted(times)


def test_each_line_is_the_replay(streams: StreamsProcess) -> None:
    [game] = finished(ruleset="mau_mau")
    [line] = dumped(streams)
    line.pop("finished_at")
    assert line == Api().get(f"/games/{game.id}/replay").json()


def test_games_are_told_from_a_time_on(streams: StreamsProcess) -> None:
    games = finished(3)
    lines = dumped(streams)
    since, until = (quote(lines[index]["finished_at"]) for index in (1, 2))
    assert [line["id"] for line in dumped(streams, f"?since={since}")] == [
        str(game.id) for game in games[1:]
    ]
    between = dumped(streams, f"?since={since}&until={until}")
    assert [line["id"] for line in between] == [str(games[1].id)]


def test_games_that_ended_at_the_same_moment_are_all_told(streams: StreamsProcess) -> None:
    games = finished(BATCH * 2 + 1)
    now = timezone.now()
    Game.objects.update(finished_at=now)
    assert [line["id"] for line in dumped(streams)] == sorted(str(game.id) for game in games)


def test_filters(streams: StreamsProcess) -> None:
    [game] = finished(ruleset="pentagon")
    finished(rated=True)
    assert [line["id"] for line in dumped(streams, "?ruleset=pentagon")] == [str(game.id)]
    assert len(dumped(streams, "?rated=true")) == 1
    name = game.seat_rows.select_related("player")[0].player.name
    assert [line["id"] for line in dumped(streams, f"?player={name}")] == [str(game.id)]


@pytest.mark.parametrize(
    ("query", "status", "code"),
    [
        ("?since=yesterday", 400, "request.invalid"),
        ("?since=2026-01-01T00:00:00", 400, "request.invalid"),
        ("?player=nobody", 404, "player.not_found"),
        ("?rated=perhaps", 400, "request.invalid"),
    ],
)
def test_bad_questions_are_refused(
    streams: StreamsProcess, query: str, status: int, code: str
) -> None:
    with streams.ask(f"/games.ndjson{query}") as answer:
        assert (answer.status, answer.json()["code"]) == (status, code)


def test_other_forms_are_not_to_be_had(streams: StreamsProcess) -> None:
    with streams.ask("/games.ndjson", accept="application/json") as answer:
        assert answer.json()["code"] == "request.not_acceptable"
    refusal(Api().get("/games.ndjson"), 406, "request.not_acceptable")


def test_a_stream_that_is_over_is_not_counted(streams: StreamsProcess) -> None:
    finished(3, ruleset="pentagon")
    ann = Someone(NAMES[0])
    for _ in range(MOST + 2):
        assert dumped(streams, token=ann.token)


@contextmanager
def unreadable_logs() -> Iterator[None]:
    """Nobody reads an event for the time of the block: he waits until he is told to give up."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("LOCK TABLE games_gameevent IN ACCESS EXCLUSIVE MODE")
        yield


def test_a_caller_holds_so_many_at_once(streams: StreamsProcess) -> None:
    finished()
    ann, bob = Someone(NAMES[0]), Someone(NAMES[1])
    with unreadable_logs(), ExitStack() as held:
        for _ in range(MOST):
            answer = held.enter_context(streams.ask("/games.ndjson", ann.token, accept=LINES))
            assert answer.status == 200
        with streams.ask("/games.ndjson", ann.token, accept=LINES) as answer:
            told = answer.json()
            assert (answer.status, told["code"], told["limit"]) == (429, "rate.limited", MOST)
        assert (
            held.enter_context(streams.ask("/games.ndjson", bob.token, accept=LINES)).status == 200
        )
    # Those who went left their places.
    assert soon(lambda: status_of(streams, ann) == 200)


def status_of(streams: StreamsProcess, someone: Someone) -> int:
    """How he is answered."""
    with streams.ask("/games.ndjson", someone.token, accept=LINES) as answer:
        return answer.status


def test_an_answer_that_could_not_be_finished_does_not_look_whole(streams: StreamsProcess) -> None:
    [game] = finished()
    with unreadable_logs(), streams.ask("/games.ndjson", accept=LINES) as answer:
        assert answer.status == 200
        with pytest.raises((IncompleteRead, ConnectionError)):
            answer.body()
    assert [line["id"] for line in dumped(streams)] == [str(game.id)]


def test_games_that_were_called_off_are_not_told(streams: StreamsProcess, settings: Any) -> None:
    settings.REMATCH_SECONDS = 0
    ann, bob = people(2)
    ended = duel(ann, bob)
    lapsed = rematch(bob, ended)["id"]
    rematch(ann, ended)
    assert Game.objects.get(id=lapsed).status == "finished"
    assert [line["id"] for line in dumped(streams)] == [ended.removeprefix("/games/")]


def test_a_line_is_judged_like_a_replay(streams: StreamsProcess) -> None:
    finished(2)
    for line in dumped(streams):
        assert Api().post("/replays", line).json()["valid"]


def test_a_batch_costs_the_same_whatever_comes_before(
    django_assert_num_queries: Any,
) -> None:
    finished(BATCH + 2)
    # A game costs its head, its server seed and its events.
    with django_assert_num_queries(1 + 3 * BATCH):
        first = game_dump(Wanted(), None)
    assert len(first) == BATCH
    with django_assert_num_queries(1 + 3 * 2):
        assert len(game_dump(Wanted(), first[-1][0])) == 2


def test_what_ended_just_now_waits(settings: Any) -> None:
    settings.DUMP_SETTLE_SECONDS = 60
    finished()
    assert game_dump(Wanted(), None) == []
