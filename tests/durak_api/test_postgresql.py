"""Transactions of our own backend are Django's in all that others see of them."""

import pytest
from django.db import IntegrityError, InternalError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from psycopg.pq import TransactionStatus
from uuid_utils.compat import uuid7

from games.models import GameSeat, Ladder

pytestmark = pytest.mark.django_db(transaction=True)


def status() -> TransactionStatus:
    """Where the session stands."""
    return TransactionStatus(connection.connection.info.transaction_status)


def ladders() -> set[str]:
    """What another session sees."""
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT id FROM games_ladder")
        found = {row[0] for row in cursor.fetchall()}
    other.close()
    return found


def fail() -> None:
    """Write in a transaction that comes to nothing."""
    with transaction.atomic():
        Ladder.objects.create(id="lost")
        raise LookupError


def test_what_is_written_is_there_for_others_after_the_commit() -> None:
    with transaction.atomic():
        Ladder.objects.create(id="kept")
        assert (status(), ladders()) == (TransactionStatus.INTRANS, set())
    assert (status(), ladders()) == (TransactionStatus.IDLE, {"kept"})


def test_psycopg_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    connection.ensure_connection()
    with monkeypatch.context() as patch:
        patch.setattr(connection.connection, "wait", None)
        with transaction.atomic():
            assert status() == TransactionStatus.INTRANS
    assert status() == TransactionStatus.IDLE


def test_a_failure_leaves_nothing() -> None:
    with pytest.raises(LookupError):
        fail()
    assert (status(), ladders()) == (TransactionStatus.IDLE, set())


def test_an_inner_failure_takes_back_no_more_than_its_own() -> None:
    with transaction.atomic():
        Ladder.objects.create(id="kept")
        with pytest.raises(LookupError):
            fail()
    assert ladders() == {"kept"}


def test_whoever_waits_for_the_commit_is_told_after_it() -> None:
    told: list[set[str]] = []
    with transaction.atomic():
        Ladder.objects.create(id="kept")
        transaction.on_commit(lambda: told.append(ladders()))
        assert not told
    with transaction.atomic():
        transaction.on_commit(lambda: told.append(set()))
        transaction.set_rollback(True)
    assert told == [{"kept"}]


def seat_nobody() -> None:
    """Write what the database looks at when it commits."""
    with transaction.atomic():
        GameSeat.objects.create(game_id=uuid7(), seat=0, player_id=uuid7())


def test_a_commit_that_fails_is_told_and_leaves_nothing() -> None:
    with pytest.raises(IntegrityError):
        seat_nobody()
    assert status() == TransactionStatus.IDLE
    assert not GameSeat.objects.exists()


def test_whoever_watches_sees_the_transaction() -> None:
    with CaptureQueriesContext(connection) as captured, transaction.atomic():
        Ladder.objects.create(id="kept")
    said = [query["sql"].split()[0] for query in captured.captured_queries]
    assert said == ["BEGIN", "INSERT", "COMMIT"]


@pytest.mark.parametrize("watched_first", [True, False])
def test_watching_may_begin_or_end_within(watched_first: bool) -> None:
    watch, write = CaptureQueriesContext(connection), transaction.atomic()
    for context in (watch, write) if watched_first else (write, watch):
        context.__enter__()
    Ladder.objects.create(id="kept")
    for context in (watch, write) if watched_first else (write, watch):
        context.__exit__(None, None, None)
    assert (status(), ladders()) == (TransactionStatus.IDLE, {"kept"})


def test_transactions_by_hand_are_as_ever() -> None:
    transaction.set_autocommit(False)
    Ladder.objects.create(id="lost")
    transaction.rollback()
    Ladder.objects.create(id="kept")
    transaction.commit()
    transaction.set_autocommit(True)
    assert ladders() == {"kept"}


def test_a_connection_that_died_is_told_and_replaced() -> None:
    connection.ensure_connection()
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [connection.connection.info.backend_pid])
    other.close()
    with pytest.raises(OperationalError):
        seat_nobody()
    connection.close_if_unusable_or_obsolete()
    with transaction.atomic():
        Ladder.objects.create(id="kept")
    assert ladders() == {"kept"}


def end_within() -> None:
    """Lose the connection in the middle of a transaction."""
    with transaction.atomic(), connection.cursor() as cursor:
        Ladder.objects.create(id="lost")
        cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")


def test_a_connection_that_dies_in_a_transaction_leaves_nothing() -> None:
    with pytest.raises(OperationalError):
        end_within()
    assert not connection.in_atomic_block
    assert ladders() == set()


def fail_unseen() -> None:
    """Have a statement fail without anybody here being told."""
    with transaction.atomic():
        Ladder.objects.create(id="lost")
        connection.connection.pgconn.exec_(b"SELECT 1/0")


def test_a_commit_of_what_had_failed_is_no_success() -> None:
    with pytest.raises(InternalError):
        fail_unseen()
    assert (status(), ladders()) == (TransactionStatus.IDLE, set())
