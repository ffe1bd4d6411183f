"""Appending: one transaction, one next version, one writer."""

import random
from threading import Barrier
from uuid import UUID

import pytest
from django.db import IntegrityError, connection, transaction

from games.models import Game, GameEvent
from games.rules.events import PlayerJoined
from games.store import log
from games.store.log import Head, VersionConflict
from tests.scores import new_player, new_players
from tests.tables import head_of, open_table, play_out
from tests.threads import at_once

pytestmark = pytest.mark.django_db
threads = pytest.mark.django_db(transaction=True)
MANY = 8


def joined(head: Head) -> PlayerJoined:
    """Some event that may follow while a seat is free."""
    return PlayerJoined(seat=1, player=head.game.creator, kind="human")


def append(head: Head) -> None:
    """The event, in a transaction of its own."""
    with transaction.atomic():
        log.append(head, [joined(head)], head.created_at)


def stored(game_id: UUID) -> list[int]:
    """The numbers in the log."""
    rows = GameEvent.objects.filter(game=game_id).order_by("seq")
    return list(rows.values_list("seq", flat=True))


@pytest.fixture
def game_id() -> UUID:
    """A table with a free seat."""
    return open_table([new_player()], seats=3)


def test_the_row_says_what_the_log_says() -> None:
    game_id = open_table(new_players(2))
    play_out(game_id, random.Random(2))
    row, folded = Game.objects.get(id=game_id), log.replay(game_id)
    assert stored(game_id) == list(range(1, row.version + 1))
    assert (row.version, row.status) == (folded.version, folded.status)
    last = GameEvent.objects.get(game=game_id, seq=row.version)
    assert (row.finished_at, bytes(row.head_hash)) == (last.at, bytes(last.hash))


def test_a_head_appends_once(game_id: UUID) -> None:
    head = head_of(game_id)
    append(head)
    with pytest.raises(VersionConflict):
        append(head)
    assert stored(game_id) == [1, 2, 3]
    assert head_of(game_id).game.version == 3


def test_the_new_head_appends_on(game_id: UUID) -> None:
    head = head_of(game_id)
    with transaction.atomic():
        head, added = log.append(head, [joined(head), joined(head)], head.created_at)
        head, more = log.append(head, [joined(head)], head.created_at)
    assert [item.seq for item in (*added, *more)] == [3, 4, 5]
    assert head_of(game_id).hash == head.hash == more[-1].hash


@threads
def test_one_of_many_writers_that_saw_the_same_version(game_id: UUID) -> None:
    gate = Barrier(MANY)

    def write() -> str:
        head = head_of(game_id)
        gate.wait()
        try:
            append(head)
        except VersionConflict:
            return "conflict"
        return "stored"

    assert sorted(at_once([write] * MANY)) == ["conflict"] * (MANY - 1) + ["stored"]
    assert stored(game_id) == [1, 2, 3]


def test_a_transaction_that_fails_leaves_nothing(game_id: UUID) -> None:
    before = head_of(game_id)

    def fail() -> None:
        with transaction.atomic():
            log.append(before, [joined(before)], before.created_at)
            raise LookupError

    with pytest.raises(LookupError):
        fail()
    assert head_of(game_id) == before
    assert stored(game_id) == [1, 2]


@pytest.mark.parametrize("seq", [0, 1, 2])
def test_the_database_refuses_a_number_twice_and_none(game_id: UUID, seq: int) -> None:
    copied = """
        INSERT INTO games_gameevent (game_id, seq, type, schema_version, data, at, hash)
        SELECT game_id, %s, type, schema_version, data, at, hash FROM games_gameevent LIMIT 1
    """
    with pytest.raises(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(copied, [seq])


def test_a_game_that_is_not_there_has_no_head() -> None:
    nobody = new_player().id
    assert log.load(nobody) is None
    assert log.peek(nobody, nobody) is None
    with transaction.atomic():
        assert log.lock(nobody) is None
    with pytest.raises(ValueError, match="empty log"):
        log.replay(nobody)


@threads
def test_a_lock_that_waited_knows_who_has_sat_down(game_id: UUID) -> None:
    """The statement's snapshot is older than the row that the lock hands over."""
    late = new_player("late")
    gate = Barrier(2, timeout=10)

    def sit_down() -> list[str | None]:
        with transaction.atomic():
            head = log.lock(game_id)
            assert head is not None
            gate.wait()
            wait_for_waiter()
            row = "INSERT INTO games_gameseat (game_id, seat, player_id) VALUES (%s, 1, %s)"
            with connection.cursor() as cursor:
                cursor.execute(row, [game_id, late.id])
            event = PlayerJoined(seat=1, player=str(late.id), kind="human")
            log.append(head, [event], head.created_at)
        return []

    def look() -> list[str | None]:
        gate.wait()
        with transaction.atomic():
            head = log.lock(game_id)
        assert head is not None
        return [sitter.name if sitter else None for sitter in head.sitters]

    _, seen = at_once([sit_down, look])
    assert seen[1:] == ["late", None]


def wait_for_waiter() -> None:
    """Return when another connection waits for a lock."""
    waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted"
    for _ in range(10_000):
        with connection.cursor() as cursor:
            cursor.execute(waiting)
            if cursor.fetchone()[0]:
                return
    raise AssertionError("nobody waits")
