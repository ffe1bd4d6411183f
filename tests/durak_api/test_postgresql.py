"""Transactions of our own backend are Django's in all that others see of them."""

from collections.abc import Callable, Iterator

import pytest
from django.db import (
    DatabaseError,
    IntegrityError,
    InternalError,
    OperationalError,
    connection,
    transaction,
)
from django.test.utils import CaptureQueriesContext
from psycopg import IsolationLevel
from psycopg.pq import TransactionStatus
from uuid_utils.compat import uuid7

from durak_api.postgresql import base
from games.api.handlers import as_problem
from games.models import GameSeat, Ladder
from games.store.cursors import executed
from tests.durak_api.interruptions import Interrupted, interrupted_at

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


def elsewhere(statement: str) -> None:
    """Run a statement in another session."""
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute(statement)
    other.close()


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
    elsewhere(f"SELECT pg_terminate_backend({connection.connection.info.backend_pid})")
    with pytest.raises(OperationalError):
        seat_nobody()
    # Within the same request or task.
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


def interrupted(step: int, *, fails: bool) -> bool:
    """Write, and be interrupted at a step of the backend's; whether it takes so many."""
    try:
        with interrupted_at(step, base), transaction.atomic():
            Ladder.objects.create(id="first")
            if fails:
                raise LookupError
    except Interrupted:
        return True
    except LookupError:
        pass
    return False


@pytest.mark.parametrize("fails", [False, True])
def test_nothing_joins_a_transaction_that_a_signal_interrupted(fails: bool) -> None:
    connection.ensure_connection()
    steps = 1
    while interrupted(steps, fails=fails):
        # The end of a task.
        connection.close_if_unusable_or_obsolete()
        written = ladders()
        Ladder.objects.create(id="alone")
        assert ladders() == written | {"alone"}, steps
        with transaction.atomic():
            Ladder.objects.create(id="next")
        assert ladders() == written | {"alone", "next"}, steps
        Ladder.objects.all().delete()
        steps += 1
    assert steps > 10


Ask = Callable[[], object]


def ask_by_django() -> list[Ladder]:
    """A statement that psycopg prepares."""
    return list(Ladder.objects.filter(id="kept"))


def ask_straight() -> object:
    """The same, past psycopg's waiting."""
    return executed("SELECT id FROM games_ladder WHERE id = %s", ["kept"])


@pytest.fixture
def widened() -> Iterator[Callable[[], None]]:
    """Gives a column another type, as a migration beside requests may."""
    change = "ALTER TABLE games_ladder ALTER COLUMN id TYPE "
    field = Ladder._meta.get_field("id")
    yield lambda: elsewhere(change + "text")
    connection.close()
    elsewhere(f"{change}{field.db_type(connection)}")


def forgotten() -> None:
    """Lose all prepared statements without psycopg's knowing, as behind a pooler."""
    connection.connection.pgconn.exec_(b"DEALLOCATE ALL")


def answers(act: Ask) -> list[str]:
    """What clients are told, one after the other on this connection."""
    said = []
    for _ in range(3):
        try:
            act()
        except DatabaseError as error:
            problem = as_problem(error)
            said.append(problem.code if problem else "server.error")
        else:
            said.append("")
    return said


@pytest.mark.parametrize("within", [False, True])
@pytest.mark.parametrize("ask", [ask_by_django, ask_straight])
@pytest.mark.parametrize("gone", [False, True])
def test_statements_that_are_outdated_are_prepared_anew(
    ask: Ask, within: bool, gone: bool, widened: Callable[[], None]
) -> None:
    act = transaction.atomic(ask) if within else ask
    for _ in range(7):
        act()
    (forgotten if gone else widened)()
    assert answers(act) == ["server.unavailable", "", ""]


def test_a_database_that_takes_no_writes_is_told_as_such() -> None:
    executed("SET default_transaction_read_only = on", [])
    with pytest.raises(OperationalError):
        Ladder.objects.create(id="lost")
    executed("RESET default_transaction_read_only", [])


def test_a_cursor_of_the_database_belongs_to_its_transaction() -> None:
    Ladder.objects.create(id="kept")
    with transaction.atomic():
        rows = Ladder.objects.select_for_update().iterator(1)
        assert next(rows).id == "kept"
    with pytest.raises(DatabaseError):
        list(rows)


def test_a_cursor_outside_of_transactions_outlives_them() -> None:
    Ladder.objects.bulk_create([Ladder(id=str(number)) for number in range(3)])
    rows = Ladder.objects.order_by("id").iterator(1)
    assert next(rows).id == "0"
    with transaction.atomic():
        assert [row.id for row in rows] == ["1", "2"]


def test_the_level_of_isolation_is_the_one_asked_for() -> None:
    connection.ensure_connection()
    connection.connection.isolation_level = IsolationLevel.SERIALIZABLE
    with transaction.atomic():
        assert executed("SHOW transaction_isolation", []).row == ("serializable",)
    connection.close()
