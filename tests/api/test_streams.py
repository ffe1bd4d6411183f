"""Streams and long polls, from a real process."""

import random
import threading
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from django.conf import settings as configured
from django.db import connection, transaction
from django.utils import timezone

from games.api.streams.hints import Hints
from games.models import Player
from games.rules.events import PlayerJoined, PlayerLeft
from games.services.game_seats import game_join, game_leave, game_resign
from games.services.player_register import player_register
from games.store import log
from tests.api.conftest import Api
from tests.api.streaming import LINES, SSE, Answer, Message, StreamsProcess, database_url
from tests.live import free_port
from tests.tables import head_of, open_table, play_one, play_out

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("streams")]
FORMS = pytest.mark.parametrize("media", [SSE, LINES])
MOST = 6
NOBODYS = "01890a5d-ac96-774b-bcce-b302099a8057"


class Someone:
    """An account with its token."""

    def __init__(self, name: str) -> None:
        registered = player_register(name=name)
        self.player: Player = registered.player
        self.token = registered.token.text


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short path: sockets live in it."""
    return tmp_path_factory.mktemp("s")


@pytest.fixture(scope="module")
def streams(folder: Path, django_db_setup: None) -> Iterator[StreamsProcess]:
    """A process that hears hints."""
    limits = {"STREAM_KEEP_ALIVE_SECONDS": 0.5, "STREAM_SLOW_SECONDS": 1}
    yield from running(StreamsProcess(folder, STREAMS_PER_CALLER=MOST, **limits))


@pytest.fixture(scope="module")
def deaf_streams(folder: Path, django_db_setup: None) -> Iterator[StreamsProcess]:
    """A process whose broker is down; its streams do not last."""
    (folder / "deaf").mkdir()
    nowhere = f"redis://127.0.0.1:{free_port()}/0"
    yield from running(StreamsProcess(folder / "deaf", REDIS_URL=nowhere, STREAM_LONGEST_SECONDS=2))


def running(process: StreamsProcess) -> Iterator[StreamsProcess]:
    """Start it, stop it; it must not have anything to complain of."""
    process.start()
    try:
        yield process
    finally:
        process.process.stop()
    assert process.log == "" or "Traceback" not in process.log


@pytest.fixture
def ann(db: None) -> Someone:
    """A player."""
    return Someone("ann")


@pytest.fixture
def bob(db: None) -> Someone:
    """Another."""
    return Someone("bob")


@pytest.fixture
def eve(db: None) -> Someone:
    """One who does not sit at the table."""
    return Someone("eve")


@pytest.fixture
def game(ann: Someone, bob: Someone) -> UUID:
    """A running game of the two."""
    return open_table([ann.player, bob.player])


@pytest.fixture
def rng() -> random.Random:
    """Chance that can be repeated."""
    return random.Random(7)


def plain_events(game_id: UUID, token: str | None, after: int = 0) -> list[bytes]:
    """The events of the plain answer, as the bytes that they have there."""
    answer = Api(token).get(f"/games/{game_id}/events?after={after}&limit=1000")
    assert answer.status_code == 200
    seqs = [event["seq"] for event in answer.json()["events"]]
    inside = answer.content.removeprefix(b'{"events":[').partition(b'],"next_after":')[0]
    starts = [inside.index(b'{"seq":%d,' % seq) for seq in seqs] + [len(inside) + 1]
    return [inside[start : end - 1] for start, end in pairwise(starts)]


def data_of(messages: list[Message]) -> list[bytes]:
    """What is in each."""
    return [message.data for message in messages]


def open_stream(
    streams: StreamsProcess, game_id: UUID, token: str | None = None, query: str = "", **more: str
) -> Any:
    """A stream of a game's events, in the form that `accept` says or as server-sent events."""
    return streams.ask(f"/games/{game_id}/events?{query}", token, **{"accept": SSE, **more})


def ended(messages: list[Message]) -> tuple[str, int]:
    """The reason of the end and where to resume, from the last message."""
    last = messages[-1]
    assert last.name == last.value["type"] == "stream_ended"
    return last.value["reason"], last.value["resume_after"]


@FORMS
@pytest.mark.parametrize("seat", [0, 1, None])
def test_a_finished_game_comes_from_any_cursor_as_in_the_plain_answer(
    streams: StreamsProcess,
    game: UUID,
    ann: Someone,
    bob: Someone,
    rng: random.Random,
    media: str,
    seat: int | None,
) -> None:
    play_out(game, rng)
    token = None if seat is None else (ann, bob)[seat].token
    version = head_of(game).game.version
    for after in (0, 1, version // 2, version - 1, version):
        with open_stream(streams, game, token, f"after={after}", accept=media) as answer:
            assert (answer.status, answer.media) == (200, media)
            messages = [message for message in answer.messages() if message.name != "alive"]
        assert ended(messages) == ("game_finished", version)
        assert data_of(messages[:-1]) == plain_events(game, token, after)
        assert [message.seq for message in messages[:-1]] == list(range(after + 1, version + 1))


@FORMS
def test_moves_reach_every_viewer_as_the_plain_answer_has_them(
    streams: StreamsProcess,
    game: UUID,
    ann: Someone,
    bob: Someone,
    rng: random.Random,
    media: str,
) -> None:
    tokens = (ann.token, bob.token, None)
    begun = head_of(game).game.version
    seen: dict[str | None, list[Message]] = {}

    def read(token: str | None) -> None:
        with open_stream(streams, game, token, f"after={begun}", accept=media) as answer:
            opened.release()
            seen[token] = [each for each in answer.messages() if each.name != "alive"]

    opened = threading.Semaphore(0)
    readers = [threading.Thread(target=read, args=(token,)) for token in tokens]
    for reader in readers:
        reader.start()
        opened.acquire()
    play_out(game, rng)
    for reader in readers:
        reader.join(20)
    for token in tokens:
        assert ended(seen[token]) == ("game_finished", head_of(game).game.version)
        assert data_of(seen[token][:-1]) == plain_events(game, token, begun)
    assert len({tuple(data_of(messages)) for messages in seen.values()}) == len(tokens)


def test_a_move_is_seen_at_once(
    streams: StreamsProcess, game: UUID, ann: Someone, rng: random.Random
) -> None:
    begun = head_of(game).game.version
    with open_stream(streams, game, ann.token, f"after={begun}") as answer:
        began = time.monotonic()
        for _ in range(6):
            answer.take(len(play_one(game, rng).added))
    # Without hints each move would wait for the next look at the versions, two seconds later.
    assert time.monotonic() - began < 5


def test_streams_go_on_without_the_broker(
    deaf_streams: StreamsProcess, game: UUID, ann: Someone, rng: random.Random
) -> None:
    begun = head_of(game).game.version
    with open_stream(deaf_streams, game, ann.token, f"after={begun}") as answer:
        outcome = play_one(game, rng)
        played = time.monotonic()
        messages = answer.take(len(outcome.added))
        assert time.monotonic() - played < 2
    assert data_of(messages) == plain_events(game, ann.token, begun)


def test_a_stream_does_not_last_for_ever(deaf_streams: StreamsProcess, game: UUID) -> None:
    version = head_of(game).game.version
    with open_stream(deaf_streams, game, query=f"after={version}") as answer:
        assert ended(list(answer.messages())) == ("too_long", version)


@FORMS
def test_silence_has_signs_of_life(streams: StreamsProcess, game: UUID, media: str) -> None:
    version = head_of(game).game.version
    with open_stream(streams, game, query=f"after={version}", accept=media) as answer:
        messages = answer.messages()
        assert [next(messages).name for _ in range(2)] == ["alive", "alive"]


def test_the_last_event_id_wins(
    streams: StreamsProcess, game: UUID, ann: Someone, rng: random.Random
) -> None:
    play_out(game, rng)
    with open_stream(streams, game, ann.token, "after=1", last_event_id="20") as answer:
        assert answer.take(1)[0].seq == 21


@FORMS
def test_a_snapshot_comes_first_and_events_follow_it(
    streams: StreamsProcess, game: UUID, ann: Someone, rng: random.Random, media: str
) -> None:
    version = head_of(game).game.version
    view = Api(ann.token).get(f"/games/{game}").json()
    with open_stream(streams, game, ann.token, "snapshot=true", accept=media) as answer:
        first = answer.take(1)[0]
        play_one(game, rng)
        assert answer.take(1)[0].seq == version + 1
    assert first.name == first.value["type"] == "snapshot"
    assert first.seq == (version if media == SSE else None)
    assert first.value | {"server_time": 0} == view | {"type": "snapshot", "server_time": 0}


def test_a_snapshot_is_of_the_cursor(
    streams: StreamsProcess, game: UUID, bob: Someone, rng: random.Random
) -> None:
    version = play_one(game, rng).head.game.version
    play_one(game, rng)
    then = Api(bob.token).get(f"/games/{game}?at={version}").json()
    for path in ("", "&wait=1"):
        query = f"/games/{game}/events?after={version}&snapshot=true{path}"
        assert Api(bob.token).get(query).json()["view"]["you"] == then["you"]
    with open_stream(streams, game, bob.token, f"after={version}&snapshot=true") as answer:
        snapshot, event = answer.take(2)
    assert snapshot.value["you"] == then["you"]
    assert event.seq == version + 1


def test_a_long_poll_answers_at_once_when_there_is_something(
    streams: StreamsProcess, game: UUID, ann: Someone
) -> None:
    for query in ("after=0&wait=30", "after=2&wait=30&limit=3"):
        with streams.ask(f"/games/{game}/events?{query}", ann.token) as answer:
            body = answer.body()
        assert body == Api(ann.token).get(f"/games/{game}/events?{query}").content


def test_a_long_poll_waits_for_the_next_move(
    streams: StreamsProcess, game: UUID, ann: Someone, rng: random.Random
) -> None:
    version = head_of(game).game.version
    query = f"/games/{game}/events?after={version}&wait=30"
    timer = threading.Timer(0.3, in_thread(lambda: play_one(game, rng)))
    timer.start()
    began = time.monotonic()
    with streams.ask(query, ann.token) as answer:
        body = answer.body()
    assert 0.3 <= time.monotonic() - began < 1.5
    timer.join()
    assert body == Api(ann.token).get(query).content


def in_thread(act: Callable[[], object]) -> Callable[[], None]:
    """The same, leaving no connection behind."""

    def run() -> None:
        try:
            act()
        finally:
            connection.close()

    return run


def test_a_long_poll_gives_up(streams: StreamsProcess, game: UUID, ann: Someone) -> None:
    version = head_of(game).game.version
    began = time.monotonic()
    with streams.ask(f"/games/{game}/events?after={version}&wait=1", ann.token) as answer:
        page = answer.json()
    assert 0.9 < time.monotonic() - began < 2
    assert page == {"events": [], "next_after": version, "finished": False}


def test_a_long_poll_of_a_finished_game_does_not_wait(
    streams: StreamsProcess, game: UUID, ann: Someone
) -> None:
    version = game_resign(game_id=game, player_id=ann.player.id).head.game.version
    with streams.ask(f"/games/{game}/events?after={version}&wait=30") as answer:
        assert answer.json() == {"events": [], "next_after": version, "finished": True}


def test_the_web_process_neither_waits_nor_streams(game: UUID) -> None:
    version = head_of(game).game.version
    answer = Api().get(f"/games/{game}/events?after={version}&wait=60")
    assert answer.json() == {"events": [], "next_after": version, "finished": False}
    assert Api().get(f"/games/{game}/events", accept=SSE).status_code == 406


def test_who_sits_down_sees_his_cards(streams: StreamsProcess, ann: Someone, bob: Someone) -> None:
    game = open_table([ann.player], seats=2)
    begun = head_of(game).game.version
    with open_stream(streams, game, bob.token, f"after={begun}") as answer:
        outcome = game_join(game_id=game, player_id=bob.player.id, kind="human")
        messages = answer.take(len(outcome.added))
    assert data_of(messages) == plain_events(game, bob.token, begun)
    dealt = next(message.value for message in messages if message.value["type"] == "cards_dealt")
    assert "??" not in dealt["data"]["hands"][1]


def test_a_private_game_is_not_there_for_others(
    streams: StreamsProcess, ann: Someone, bob: Someone, eve: Someone
) -> None:
    game = open_table([ann.player], seats=2, visibility="private")
    for token in (None, eve.token):
        with open_stream(streams, game, token) as answer:
            assert refusal(answer) == (404, "game.not_found")
    invite = head_of(game).invite
    game_join(game_id=game, player_id=bob.player.id, kind="human", invite=invite)
    with open_stream(streams, game, bob.token) as answer:
        assert answer.take(1)[0].seq == 1


def test_who_leaves_a_private_table_hears_no_more(
    streams: StreamsProcess, ann: Someone, bob: Someone
) -> None:
    game = open_table([ann.player], seats=3, visibility="private")
    invite = head_of(game).invite
    game_join(game_id=game, player_id=bob.player.id, kind="human", invite=invite)
    version = head_of(game).game.version
    with open_stream(streams, game, bob.token, f"after={version}") as answer:
        game_leave(game_id=game, player_id=bob.player.id)
        messages = [message for message in answer.messages() if message.name != "alive"]
    assert ended(messages) == ("access_lost", version)
    assert len(messages) == 1


def refusal(answer: Answer) -> tuple[int, str]:
    """Status and code of what must be a problem."""
    assert answer.media == "application/problem+json"
    problem = answer.json()
    assert problem.keys() >= {"type", "title", "status", "code", "detail", "instance"}
    assert problem["status"] == answer.status
    return answer.status, problem["code"]


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ("after=-1", "after"),
        ("after=x", "after"),
        ("after=99999", "after"),
        ("after=%00", "after"),
        ("wait=61", "wait"),
        ("wait=-1", "wait"),
        ("limit=0&wait=1", "limit"),
        ("snapshot=maybe", "snapshot"),
    ],
)
def test_bad_parameters_are_named(
    streams: StreamsProcess, game: UUID, query: str, field: str
) -> None:
    plain = Api().get(f"/games/{game}/events?{query}")
    assert plain.status_code == 400
    for accept in (SSE, LINES, "application/json"):
        with open_stream(streams, game, query=query, accept=accept) as answer:
            body = answer.json()
        assert [error["field"] for error in body["errors"]] == [field]
        assert (answer.status, body) == (400, plain.json())


def test_a_bad_last_event_id_is_named(streams: StreamsProcess, game: UUID) -> None:
    for mark in ("x", "-1", "9" * 20, "99999", "\u0663".encode().decode("latin-1")):
        with open_stream(streams, game, last_event_id=mark) as answer:
            assert answer.status == 400
            assert answer.json()["errors"][0]["field"] == "Last-Event-ID"


@pytest.mark.parametrize(
    ("path", "headers", "expected"),
    [
        (f"/games/{NOBODYS}/events", {}, (404, "game.not_found")),
        ("/games/nonsense/events", {}, (404, "game.not_found")),
        ("/games/%ff%fe/events", {}, (404, "game.not_found")),
        (f"/games/{NOBODYS}/events", {"authorization": "Bearer nonsense"}, (401, "auth.invalid")),
        (f"/games/{NOBODYS}/events", {"accept": "image/png"}, (406, "request.not_acceptable")),
        (f"/games/{NOBODYS}/events?x=%ff", {}, (404, "game.not_found")),
        ("/players/me/events", {}, (401, "auth.missing")),
        ("/nowhere", {}, (404, "not_found")),
    ],
)
def test_refusals_are_problems(
    streams: StreamsProcess, path: str, headers: dict[str, str], expected: tuple[int, str]
) -> None:
    with streams.ask(path, **{"accept": SSE, **headers}) as answer:
        assert refusal(answer) == expected


def test_refusals_speak_the_language_asked_for(streams: StreamsProcess) -> None:
    with streams.ask(f"/games/{uuid4()}/events?wait=1", accept_language="ru") as answer:
        assert answer.json()["title"] == "Такой игры нет"


def test_headers_are_those_of_the_plain_answer(
    streams: StreamsProcess, game: UUID, eve: Someone
) -> None:
    path = f"/games/{game}/events"
    plain = Api(eve.token).get(path)
    for accept in (SSE, "application/json"):
        with streams.ask(f"{path}?wait=1", eve.token, accept=accept) as answer:
            headers = answer.response.headers
        for name in ("Vary", "Cache-Control", "RateLimit-Policy"):
            assert headers[name] == plain[name]


def test_a_caller_holds_so_many_streams_and_no_more(
    streams: StreamsProcess, game: UUID, ann: Someone, eve: Someone
) -> None:
    answers = [open_stream(streams, game, eve.token) for _ in range(MOST)]
    for answer in answers:
        answer.__enter__().take(1)
    with open_stream(streams, game, eve.token) as answer:
        assert answer.response.headers["Retry-After"] == "1"
        problem = answer.json()
        assert (answer.status, problem["code"]) == (429, "rate.limited")
        assert (problem["bucket"], problem["limit"]) == ("streams", MOST)
        assert str(MOST) in problem["detail"]
    with open_stream(streams, game, ann.token) as answer:
        assert answer.take(1)
    for answer in answers:
        answer.__exit__(None, None, None)
    assert soon(lambda: opens(streams, game, eve))


def opens(streams: StreamsProcess, game: UUID, someone: Someone) -> bool:
    """Whether one more stream can be had."""
    with open_stream(streams, game, someone.token) as answer:
        return answer.status == 200


def soon(question: Callable[[], bool], seconds: float = 5) -> bool:
    """Ask until the answer is yes, or time is up."""
    deadline = time.monotonic() + seconds
    while not (answer := question()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return answer


def test_who_waits_holds_no_connection(streams: StreamsProcess, game: UUID) -> None:
    version = head_of(game).game.version
    answers = [open_stream(streams, game, query=f"after={version}") for _ in range(MOST)]
    for answer in answers:
        next(answer.__enter__().messages())
    with psycopg.connect(database_url()) as database:
        (busy,) = database.execute(
            "SELECT count(*) FILTER (WHERE state <> 'idle') FROM pg_stat_activity"
            " WHERE application_name = 'durak_streams'"
        ).fetchone() or (None,)
    for answer in answers:
        answer.__exit__(None, None, None)
    assert busy == 0


def test_streams_outlive_a_lost_database_connection(
    streams: StreamsProcess, game: UUID, rng: random.Random
) -> None:
    version = head_of(game).game.version
    with open_stream(streams, game, query=f"after={version}") as answer:
        with psycopg.connect(database_url()) as database:
            lost = database.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE application_name = 'durak_streams'"
            ).fetchall()
        outcome = play_one(game, rng)
        messages = answer.take(len(outcome.added))
    assert lost
    assert data_of(messages) == plain_events(game, None, version)
    for _ in range(3):
        with open_stream(streams, game) as answer:
            assert answer.status == 200


def test_who_does_not_read_is_dropped(streams: StreamsProcess, ann: Someone, bob: Someone) -> None:
    game = open_table([ann.player], seats=2)
    head = head_of(game)
    joined = PlayerJoined(seat=1, player=str(bob.player.id), kind="human")
    left = PlayerLeft(seat=1, player=str(bob.player.id))
    with transaction.atomic():
        log.append(head, [joined, left] * 4000, timezone.now())
    with open_stream(streams, game) as answer:
        # One second too slow, one more for the last word, and some for a busy machine.
        time.sleep(4)
        messages = list(answer.messages())
    # What was on its way arrives, then the connection breaks off.
    assert messages[-1].name != "stream_ended"
    assert len(messages) < head_of(game).game.version / 2


@FORMS
def test_shutting_down_says_where_to_go_on(
    folder: Path, game: UUID, ann: Someone, rng: random.Random, media: str
) -> None:
    (folder / media.replace("/", "-")).mkdir()
    process = StreamsProcess(folder / media.replace("/", "-"))
    process.start()
    version = head_of(game).game.version
    try:
        with open_stream(process, game, ann.token, accept=media) as answer:
            answer.take(version)
            stop_soon(process)
            with process.ask(f"/games/{game}/events?after={version}&wait=60") as poll:
                assert poll.json() == {"events": [], "next_after": version, "finished": False}
            assert ended(list(answer.messages())) == ("server_shutdown", version)
        process.process.wait(time.monotonic() + 10)
    finally:
        process.process.kill()
    assert "Traceback" not in process.log


def stop_soon(process: StreamsProcess) -> None:
    """SIGTERM, when whoever asks meanwhile is waiting."""
    threading.Timer(0.5, process.process.ask_to_stop).start()


def test_a_dead_broker_does_not_slow_a_move() -> None:
    hints = Hints(f"redis://127.0.0.1:{free_port()}/0")
    assert hints.publish(uuid4(), 1) is False
    began = time.perf_counter()
    assert not any(hints.publish(uuid4(), 1) for _ in range(100))
    assert time.perf_counter() - began < 0.05


def test_a_hint_is_heard() -> None:
    assert Hints(configured.REDIS_URL).publish(uuid4(), 1) is True
