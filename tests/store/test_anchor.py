"""Signed heads in a file beside the database: cuts and losses show, forged lines do not count."""

import random
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

import pytest
from pytest_django import Settings

from games.models import Game, GameEvent
from games.store import anchored
from games.store.anchor import Anchor, anchor_heads
from games.store.anchored import Anchored, anchors, anchors_of
from tests.scores import new_players
from tests.store.tampering import cut, lose, verify
from tests.tables import open_table, play_one

# Heads are anchored after the commit.
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def file(tmp_path: Path, settings: Settings) -> Iterator[Path]:
    settings.ANCHOR_FILE = str(tmp_path / "anchors")
    yield tmp_path / "anchors"
    GameEvent.objects.all().delete()


@pytest.fixture
def game_id() -> UUID:
    """A game of some moves that runs."""
    found = open_table(new_players(2))
    rng = random.Random(3)
    for _ in range(6):
        play_one(found, rng)
    return found


def test_every_head_is_anchored(game_id: UUID, file: Path) -> None:
    game = Game.objects.get(id=game_id)
    found = anchors(file)
    assert found.marks.keys() == {game_id}
    assert found.of(game_id)[-1] == Anchor(game_id, game.version, bytes(game.head_hash))
    hashes = GameEvent.objects.filter(game=game_id).values_list("seq", "hash")
    known = {f"{game_id} {seq} {bytes(digest).hex()}" for seq, digest in hashes}
    lines = [line.rpartition(" ")[0] for line in file.read_text().split("\n") if line]
    assert len(lines) > 6
    assert set(lines) <= known
    assert "1 heads anchored, 0 at fault" in verify()
    assert file.stat().st_mode & 0o077 == 0


def test_a_cut_shows_with_the_anchors_and_only_with_them(game_id: UUID) -> None:
    version = Game.objects.get(id=game_id).version
    paused = max(
        event.seq for event in GameEvent.objects.filter(game=game_id)
        if "next" in event.data and event.seq < version
    )  # fmt: skip
    cut(game_id, paused)
    assert verify("--anchors", "").endswith("no anchor file: cuts do not show, 0 at fault\n")
    assert f"game {game_id}, event {paused + 1}: cut: there were {version} events" in verify()


def test_a_lost_game_shows(game_id: UUID) -> None:
    lose(game_id)
    assert "0 at fault" in verify("--anchors", "")
    assert f"game {game_id}, event 1: there is no such game" in verify()
    assert "there is no such game" in verify("--game", str(game_id))


def test_another_log_in_its_place_shows(game_id: UUID, file: Path) -> None:
    *_, before, head = anchors(file).of(game_id)
    file.write_text("\n".join(line for line in file.read_text().split("\n")[:-1]))
    anchor_heads([Anchor(game_id, head.seq, bytes(32))])
    assert f"event {before.seq + 1}: another event {head.seq} was anchored" in verify()


def test_a_log_may_have_grown_past_its_anchor(game_id: UUID, settings: Settings) -> None:
    path, settings.ANCHOR_FILE = settings.ANCHOR_FILE, ""
    play_one(game_id, random.Random(1))
    assert "0 at fault" in verify("--anchors", path)


def test_a_former_key_is_believed_another_is_not(
    game_id: UUID, file: Path, settings: Settings
) -> None:
    former, settings.SECRET_KEY = settings.SECRET_KEY, "another"
    lines = sum(map(bool, file.read_bytes().split(b"\n")))
    assert verify().endswith(f", {lines} lines not signed")
    settings.SECRET_KEY_FALLBACKS = [former]
    assert "0 at fault" in verify()
    play_one(game_id, random.Random(1))
    assert "0 at fault" in verify()


@pytest.mark.parametrize("line", [b"nonsense", b"x 1 00 00", b"\xff\xfe", b"0 0 0 0 0"])
def test_a_line_that_nobody_wrote_is_named_and_the_others_count(
    game_id: UUID, file: Path, line: bytes
) -> None:
    good = file.read_bytes()
    file.write_bytes(good + b"\n" + line)
    assert anchors(file).unsigned == ((file, good.count(b"\n") + 2),)
    assert "1 heads anchored, 0 at fault, 1 lines not signed" in verify()
    lose(game_id)
    assert f"game {game_id}, event 1: there is no such game" in verify()


def test_a_line_cut_short_by_a_full_disk_spoils_no_other(game_id: UUID, file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-20])
    play_one(game_id, random.Random(1))
    found = anchors(file)
    assert found.of(game_id)[-1].seq == Game.objects.get(id=game_id).version
    assert found.unsigned == ()


def test_a_forged_line_is_named(game_id: UUID, file: Path) -> None:
    game, seq, digest, signature = file.read_text().splitlines()[-1].split(" ")
    file.write_text(f"{game} {int(seq) + 5} {digest} {signature}\n")
    assert anchors(file) == Anchored({}, ((file, 1),))


def test_the_beginning_of_a_line_says_nothing(game_id: UUID, file: Path) -> None:
    whole = file.read_bytes().split(b"\n")[-1]
    for size in range(len(whole)):
        file.write_bytes(whole[:size])
        assert anchors(file) == Anchored({}, ())
    file.write_bytes(whole)
    assert anchors(file).of(game_id)


def test_a_log_that_was_cut_and_grew_again_shows(game_id: UUID, file: Path) -> None:
    """No head that was ever anchored is forgotten for a newer one."""
    seqs = [head.seq for head in anchors(file).of(game_id)]
    cut(game_id, seqs[-2])
    rng = random.Random(1)
    while Game.objects.get(id=game_id).version <= seqs[-1] + 4:
        play_one(game_id, rng)
    assert "0 at fault" in verify("--anchors", "")
    said = f"game {game_id}, event {seqs[-2] + 1}: another event {seqs[-1]} was anchored"
    assert said in verify()


def test_older_files_count_too(game_id: UUID, file: Path) -> None:
    older = file.rename(file.with_suffix(".1"))
    play_one(game_id, random.Random(1))
    assert len(anchors(older, file).of(game_id)) == len(anchors(older).of(game_id)) + 1
    first = anchors(older).of(game_id)[0].seq
    cut(game_id, first)
    assert "cut: there were" in verify("--anchors", str(older))
    assert "cut: there were" in verify("--anchors", str(file), "--anchors", str(older))


def test_some_games_are_read_from_the_end(
    game_id: UUID, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = open_table(new_players(2))
    monkeypatch.setattr(anchored, "_BLOCK", 100)
    every = anchors(file).of(game_id)
    assert anchors_of(file, {game_id: every[-1]}) == {game_id: every[-1:]}
    wanted = {game_id: Anchor(game_id, 1000, bytes(32)), other: every[0]}
    found = anchors_of(file, wanted)
    assert found == {game_id: every, other: anchors(file).of(other)}
    assert anchors_of(file.with_suffix(".none"), wanted) == {game_id: [], other: []}


def test_no_room_for_an_anchor_loses_no_move(game_id: UUID, settings: Settings) -> None:
    settings.ANCHOR_FILE = "/dev/full"
    before = Game.objects.get(id=game_id).version
    play_one(game_id, random.Random(1))
    assert Game.objects.get(id=game_id).version > before


def test_without_a_file_nothing_is_written_or_missed(game_id: UUID, tmp_path: Path) -> None:
    assert "no heads are anchored yet" not in verify("--anchors", "")
    assert "0 at fault" in verify("--anchors", str(tmp_path / "none"))
