"""All of a player's games as one stream, and the end of streams whose token ends."""

import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.utils import timezone

from games.api.tickets import ticket_issue
from games.models import ApiToken, Notice
from games.services.player_delete import player_delete
from games.services.token_revoke import token_revoke
from tests.api.conftest import Api
from tests.api.streaming import LINES, SSE, StreamsProcess
from tests.api.test_streams import Someone, running, soon, stop_soon
from tests.live import free_port
from tests.tables import head_of, open_table, play_one, play_out

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("streams")]
FORMS = pytest.mark.parametrize("media", [SSE, LINES])
MINE = "/players/me/events"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short path: sockets live in it."""
    return tmp_path_factory.mktemp("p")


@pytest.fixture(scope="module")
def streams(folder: Path, django_db_setup: None) -> Iterator[StreamsProcess]:
    """A process that hears hints."""
    yield from running(StreamsProcess(folder, STREAM_KEEP_ALIVE_SECONDS=0.5))


@pytest.fixture(scope="module")
def deaf_streams(folder: Path, django_db_setup: None) -> Iterator[StreamsProcess]:
    """A process whose broker is down."""
    (folder / "deaf").mkdir()
    nowhere = f"redis://127.0.0.1:{free_port()}/0"
    yield from running(StreamsProcess(folder / "deaf", REDIS_URL=nowhere))


@pytest.fixture
def ann(db: None) -> Someone:
    """A player."""
    return Someone("ann")


@pytest.fixture
def bob(db: None) -> Someone:
    """Another."""
    return Someone("bob")


def page(who: Someone, query: str = "") -> dict[str, Any]:
    """The plain answer."""
    found: dict[str, Any] = Api(who.token).get(f"{MINE}?limit=1000&{query}").json()
    return found


def plain(who: Someone) -> list[dict[str, Any]]:
    """All events of the plain answer."""
    events: list[dict[str, Any]] = page(who)["events"]
    return events


@FORMS
def test_the_stream_says_what_the_page_says(
    streams: StreamsProcess, ann: Someone, bob: Someone, media: str
) -> None:
    for _ in range(2):
        play_out(open_table([ann.player, bob.player]), random.Random(2))
    expected = plain(ann)
    for start in (0, 1, len(expected) - 1):
        query = f"after={expected[start - 1]['cursor']}" if start else ""
        with streams.ask(f"{MINE}?{query}", ann.token, accept=media) as answer:
            assert (answer.status, answer.media) == (200, media)
            found = [message.value for message in answer.take(len(expected) - start)]
        assert found == expected[start:]


@FORMS
def test_games_that_begin_and_move_on_are_told_at_once(
    streams: StreamsProcess, ann: Someone, bob: Someone, media: str
) -> None:
    with streams.ask(MINE, ann.token, accept=media) as answer:
        assert next(iter(answer.messages())).name == "alive"
        began = time.monotonic()
        games = [open_table([ann.player, bob.player]) for _ in range(2)]
        for game_id in games:
            for seed in range(5):
                play_one(game_id, random.Random(seed))
        expected = Notice.objects.filter(player_id=ann.player.id).count()
        found = [message.value for message in answer.take(expected)]
        assert time.monotonic() - began < 10
    assert found == plain(ann)
    assert {each["game_id"] for each in found} == {str(game_id) for game_id in games}


def test_last_event_id_resumes(streams: StreamsProcess, ann: Someone, bob: Someone) -> None:
    play_out(open_table([ann.player, bob.player]), random.Random(2))
    expected = plain(ann)
    with streams.ask(MINE, ann.token, accept=SSE) as answer:
        blocks = b""
        while blocks.count(b"\ndata:") < 3:
            blocks += answer.response.readline()
    marks = [line[4:].decode() for line in blocks.splitlines() if line.startswith(b"id: ")]
    assert marks == [event["cursor"] for event in expected[:3]]
    with streams.ask(f"{MINE}?after=", ann.token, accept=SSE, last_event_id=marks[-1]) as answer:
        assert answer.take(1)[0].value == expected[3]


def test_without_hints_the_stream_looks_for_itself(
    deaf_streams: StreamsProcess, ann: Someone, bob: Someone
) -> None:
    with deaf_streams.ask(MINE, ann.token, accept=LINES) as answer:
        game_id = open_table([ann.player, bob.player])
        assert answer.take(1)[0].value["type"] == "game_started"
        for seed in range(4):
            play_one(game_id, random.Random(seed))
        expected = Notice.objects.filter(player_id=ann.player.id).count()
        assert len(answer.take(expected - 1)) == expected - 1


def test_a_move_that_commits_late_is_streamed(
    streams: StreamsProcess, ann: Someone, bob: Someone
) -> None:
    slow, quick = (open_table([ann.player, bob.player]) for _ in range(2))
    after = page(ann, "after=latest")["next_after"]
    with streams.ask(f"{MINE}?after={after}", ann.token, accept=LINES) as answer:
        with transaction.atomic():
            for seed in range(4):
                play_one(slow, random.Random(seed))
            thread = threading.Thread(target=play_elsewhere, args=(quick,))
            thread.start()
            thread.join()
            assert answer.take(1)[0].value["game_id"] == str(quick)
        messages = iter(answer.messages())
        assert soon(lambda: str(slow).encode() in next(messages).data)


def play_elsewhere(game_id: UUID) -> None:
    """Some moves on another connection."""
    try:
        for seed in range(4):
            play_one(game_id, random.Random(seed))
    finally:
        connection.close()


def test_a_long_poll_waits_for_the_next_event(
    streams: StreamsProcess, ann: Someone, bob: Someone
) -> None:
    after = page(ann)["next_after"]
    began = time.monotonic()
    with streams.ask(f"{MINE}?after={after}&wait=1", ann.token) as answer:
        assert answer.json() == {"events": [], "next_after": after}
    assert time.monotonic() - began > 0.9
    timer = threading.Timer(0.5, lambda: open_elsewhere(ann, bob))
    timer.start()
    with streams.ask(f"{MINE}?after={after}&wait=20", ann.token) as answer:
        found = answer.json()
    timer.join()
    assert time.monotonic() - began < 10
    assert found["events"] == plain(ann)[: len(found["events"])] != []
    with streams.ask(f"{MINE}?after={after}&wait=20&limit=1", ann.token) as answer:
        assert answer.json()["next_after"] == found["events"][0]["cursor"]


def open_elsewhere(*players: Someone) -> None:
    """A game that starts on another connection."""
    try:
        open_table([each.player for each in players])
    finally:
        connection.close()


def test_a_ticket_opens_streams_of_both_kinds(streams: StreamsProcess, ann: Someone) -> None:
    table = {"seats": 2, "bots": ("greedy",), "visibility": "private"}
    game_id = open_table([ann.player], **table)
    ticket, _ = ticket_issue(ApiToken.objects.get(player=ann.player).id)
    with streams.ask(f"{MINE}?ticket={ticket}", accept=SSE) as answer:
        assert answer.take(1)[0].value["game_id"] == str(game_id)
    path = f"/games/{game_id}/events"
    with streams.ask(f"{path}?ticket={ticket}", accept=SSE) as answer:
        own = Api(ann.token).get(path).json()["events"]
        assert [message.value for message in answer.take(len(own))] == own
    with streams.ask(f"{MINE}?ticket={ticket}x", accept=SSE) as answer:
        assert (answer.status, answer.json()["code"]) == (401, "auth.invalid")
    assert ticket not in streams.log


@FORMS
def test_a_revoked_token_ends_its_streams_within_seconds(
    streams: StreamsProcess, ann: Someone, bob: Someone, media: str
) -> None:
    game_id = open_table([ann.player, bob.player])
    token = ApiToken.objects.get(player=ann.player)
    last = plain(ann)[-1]["cursor"]
    version = head_of(game_id).game.version
    ticket, _ = ticket_issue(token.id)
    with (
        streams.ask(MINE, ann.token, accept=media) as own,
        streams.ask(f"{MINE}?ticket={ticket}", accept=media) as by_ticket,
        streams.ask(f"/games/{game_id}/events", ann.token, accept=media) as game,
        streams.ask(f"/games/{game_id}/events", bob.token, accept=media) as bobs,
        streams.ask(f"/games/{game_id}/events", accept=media) as anybodys,
    ):
        for answer in (own, by_ticket, game, bobs, anybodys):
            answer.take(1)
        began = time.monotonic()
        token_revoke(player_id=ann.player.id, token_id=token.id)
        for answer, mark in ((own, last), (by_ticket, last), (game, version)):
            ended = [each for each in answer.messages() if each.name != "alive"][-1].value
            assert ended == {"type": "stream_ended", "reason": "token_ended", "resume_after": mark}
        assert time.monotonic() - began < 6
        outcome = play_one(game_id, random.Random(1))
        for answer in (bobs, anybodys):
            answer.take(version - 1 + len(outcome.added))


def test_an_expired_token_and_a_deleted_account_end_streams_too(
    streams: StreamsProcess, ann: Someone, bob: Someone
) -> None:
    with (
        streams.ask(MINE, ann.token, accept=LINES) as anns,
        streams.ask(MINE, bob.token, accept=LINES) as bobs,
    ):
        ApiToken.objects.filter(player=ann.player).update(expires_at=timezone.now())
        player_delete(player_id=bob.player.id)
        for answer in (anns, bobs):
            last = list(answer.messages())[-1].value
            assert last["reason"] == "token_ended"


def test_a_long_poll_of_a_revoked_token_is_refused(streams: StreamsProcess, ann: Someone) -> None:
    token = ApiToken.objects.get(player=ann.player)
    timer = threading.Timer(0.5, lambda: ApiToken.objects.filter(pk=token.pk).delete())
    timer.start()
    with streams.ask(f"{MINE}?wait=30", ann.token) as answer:
        assert (answer.status, answer.json()["code"]) == (401, "auth.invalid")
    timer.join()


@FORMS
def test_shutting_down_says_where_to_go_on(
    folder: Path, ann: Someone, bob: Someone, media: str
) -> None:
    place = folder / media.replace("/", "-")
    place.mkdir()
    process = StreamsProcess(place)
    process.start()
    open_table([ann.player, bob.player])
    expected = plain(ann)
    try:
        with process.ask(MINE, ann.token, accept=media) as answer:
            answer.take(len(expected))
            stop_soon(process)
            last = [each for each in answer.messages() if each.name != "alive"][-1]
        assert last.value["reason"] == "server_shutdown"
        assert last.value["resume_after"] == expected[-1]["cursor"]
        process.process.wait(time.monotonic() + 10)
    finally:
        process.process.kill()
    assert "Traceback" not in process.log
