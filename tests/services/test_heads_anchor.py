"""Heads whose anchors were lost are anchored later; what was tampered with never is."""

import os
import random
import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from pytest_django import Settings

from games.models import Game, GameEvent
from games.services import heads_anchor as module
from games.services.heads_anchor import heads_anchor, heads_swept
from games.services.token_issue import token_issue
from games.store.anchored import anchors
from games.tasks import sweep_anchors
from tests.api.serving import WebServer
from tests.durak_api.stack import eventually
from tests.scores import new_players
from tests.store.tampering import cut, rechain, verify
from tests.tables import head_of, move_for, open_table, play_one, player_at

# Heads are anchored after the commit.
pytestmark = pytest.mark.django_db(transaction=True)
AT_ONCE = timedelta(0)


@pytest.fixture(autouse=True)
def file(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    settings.ANCHOR_FILE = str(tmp_path / "anchors")
    yield tmp_path / "anchors"
    GameEvent.objects.all().delete()


@pytest.fixture
def game_id(file: Path) -> UUID:
    """A game of some moves that runs."""
    found = open_table(new_players(2))
    play(found, 6)
    return found


def play(game_id: UUID, number: int) -> None:
    """So many moves."""
    rng = random.Random(number)
    for _ in range(number):
        play_one(game_id, rng)


def play_unseen(game_id: UUID, settings: Settings) -> None:
    """A move whose line is lost: the disk is full."""
    path, settings.ANCHOR_FILE = settings.ANCHOR_FILE, "/dev/full"
    play(game_id, 1)
    settings.ANCHOR_FILE = path


def is_anchored(game_id: UUID, file: Path) -> bool:
    """Whether the game's head is."""
    return anchors(file).of(game_id)[-1].hash == head_of(game_id).hash


def test_a_lost_line_is_written_later(game_id: UUID, file: Path, settings: Settings) -> None:
    play_unseen(game_id, settings)
    assert not is_anchored(game_id, file)
    assert verify().endswith("1 heads anchored, 0 at fault\n")
    assert heads_anchor(quiet=AT_ONCE) == 1
    assert is_anchored(game_id, file)
    assert "0 at fault" in verify()
    size = file.stat().st_size
    assert heads_anchor(quiet=AT_ONCE) == 0
    assert file.stat().st_size == size


def test_so_is_every_line_of_a_game(file: Path, settings: Settings) -> None:
    settings.ANCHOR_FILE = ""
    games = [open_table(new_players(2)) for _ in range(3)]
    assert heads_anchor(quiet=AT_ONCE) == 0
    settings.ANCHOR_FILE = str(file)
    assert heads_anchor(quiet=AT_ONCE) == 3
    assert all(is_anchored(game, file) for game in games)


def test_a_process_that_is_killed_after_the_commit_loses_no_evidence(
    game_id: UUID, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It hangs between commit and anchor: nobody reads the pipe that it takes for the file."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setenv("ANCHOR_FILE", str(pipe))
    server = WebServer(tmp_path)
    server.start()
    before = head_of(game_id)
    seat, body = move_for(before.game, random.Random(1))
    token = token_issue(player_id=player_at(game_id, seat)).text
    request = ("POST", f"/games/{game_id}/moves", token, body)
    waiting = threading.Thread(target=server.try_call, args=request)
    waiting.start()
    assert eventually(lambda: head_of(game_id).game.version > before.game.version)
    server.kill()
    waiting.join()
    assert not is_anchored(game_id, file)
    assert heads_anchor(quiet=AT_ONCE) == 1
    assert is_anchored(game_id, file)


def test_what_was_committed_just_now_is_left_to_its_process(
    game_id: UUID, file: Path, settings: Settings
) -> None:
    play_unseen(game_id, settings)
    assert sweep_anchors() == 0
    assert heads_swept().event == 0
    GameEvent.objects.update(at="2020-01-01T00:00Z")
    assert sweep_anchors() == 0
    assert heads_swept().refused == (game_id,)


def test_it_goes_on_where_it_stopped(
    game_id: UUID, file: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "BATCH", 4)
    heads_anchor(quiet=AT_ONCE)
    last = GameEvent.objects.latest("id").id
    assert heads_swept().event == last
    play_unseen(game_id, settings)
    monkeypatch.setattr(module, "SECONDS_A_RUN", 0)
    assert heads_anchor(quiet=AT_ONCE) == 1
    assert last < heads_swept().event <= last + 4


def test_it_asks_for_no_more_than_what_is_new(
    game_id: UUID, django_assert_num_queries: pytest.FixtureRequest
) -> None:
    heads_anchor(quiet=AT_ONCE)
    with django_assert_num_queries(1):
        heads_anchor(quiet=AT_ONCE)
    with connection.cursor() as cursor:
        cursor.execute("SET enable_seqscan = off")
        cursor.execute(f"EXPLAIN {module._FRESH}", [1, 1])
        plan = " ".join(row[0] for row in cursor.fetchall())
        cursor.execute("RESET enable_seqscan")
    assert "Index Scan using games_gameevent_pkey" in plan


@pytest.mark.usefixtures("fresh_pages")
@pytest.mark.parametrize("name", ["changed", "cut", "cut and played on", "rechained", "row"])
def test_what_was_tampered_with_is_never_signed(
    game_id: UUID, file: Path, settings: Settings, name: str, caplog: pytest.LogCaptureFixture
) -> None:
    kept = anchors(file).of(game_id)
    play_unseen(game_id, settings)
    if name == "changed":
        GameEvent.objects.filter(game=game_id, seq=4).update(data={"seat": 1})
    if name in {"cut", "cut and played on"}:
        cut(game_id, kept[-3].seq)
    if name == "cut and played on":
        for _ in range(4):
            play_unseen(game_id, settings)
    if name == "rechained":
        GameEvent.objects.filter(game=game_id, seq=kept[-2].seq).update(at="2020-01-01T00:00Z")
        rechain(game_id)
    if name == "row":
        Game.objects.filter(id=game_id).update(rated=True)
    size = file.stat().st_size
    for _ in range(2):
        assert heads_anchor(quiet=AT_ONCE) == 0
    assert heads_swept().refused == (game_id,)
    assert file.stat().st_size == size
    errors = [one for one in caplog.messages if f"game {game_id} is not anchored: event" in one]
    assert len(errors) == 2
    assert "durak_log_heads_refused 1.0" in Client().get("/metrics").content.decode()


def test_a_game_that_was_put_right_is_anchored(
    game_id: UUID, file: Path, settings: Settings
) -> None:
    play_unseen(game_id, settings)
    Game.objects.filter(id=game_id).update(rated=True)
    assert heads_anchor(quiet=AT_ONCE) == 0
    Game.objects.filter(id=game_id).update(rated=False)
    assert heads_anchor(quiet=AT_ONCE) == 1
    assert heads_swept().refused == ()
    assert is_anchored(game_id, file)


def test_a_file_that_cannot_be_written_is_tried_again(
    game_id: UUID, file: Path, settings: Settings
) -> None:
    heads_anchor(quiet=AT_ONCE)
    before = heads_swept()
    play_unseen(game_id, settings)
    aside = file.rename(file.with_name("aside"))
    file.mkdir()
    with pytest.raises(IsADirectoryError):
        heads_anchor(quiet=AT_ONCE)
    assert heads_swept() == before
    file.rmdir()
    aside.rename(file)
    assert heads_anchor(quiet=AT_ONCE) == 1


def test_a_new_key_continues_what_a_former_one_signed(
    game_id: UUID, file: Path, settings: Settings
) -> None:
    play_unseen(game_id, settings)
    former, settings.SECRET_KEY = settings.SECRET_KEY, "another"
    settings.SECRET_KEY_FALLBACKS = [former]
    assert heads_anchor(quiet=AT_ONCE) == 1
    assert "0 at fault" in verify()
    cut(game_id, anchors(file).of(game_id)[0].seq)
    assert "cut: there were" in verify()
