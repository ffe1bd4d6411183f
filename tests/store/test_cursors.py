"""Kept cursors are Django's in all that others see of them."""

from threading import Event, Thread
from typing import Any, Final

import pytest
from django.db import DataError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext
from psycopg.pq import TransactionStatus

from games.models import Heartbeat
from games.store.cursors import executed

HALF: Final = "SELECT 10 / %s::int"
BACKEND: Final = "SELECT pg_backend_pid()"
# psycopg prepares a statement once it has run five times.
OFTEN: Final = 7


def one(statement: str, *parameters: object) -> Any:
    """The only value of the only row."""
    row = executed(statement, parameters).row
    assert row is not None
    return row[0]


@pytest.mark.django_db
def test_the_same_statement_answers_anew_each_time() -> None:
    assert [one(HALF, number) for number in (1, 2, 5)] == [10, 5, 2]


@pytest.mark.django_db
def test_errors_are_djangos_and_spoil_the_transaction_only() -> None:
    with pytest.raises(DataError), transaction.atomic():
        executed(HALF, [0])
    assert one(HALF, 5) == 2


@pytest.mark.django_db
def test_nothing_runs_in_a_transaction_that_is_broken() -> None:
    with transaction.atomic():
        transaction.set_rollback(True)
        with pytest.raises(transaction.TransactionManagementError):
            executed(HALF, [5])


@pytest.mark.django_db
def test_whoever_watches_statements_sees_them() -> None:
    one(HALF, 5)
    with CaptureQueriesContext(connection) as captured:
        one(HALF, 5)
    assert [query["sql"] for query in captured.captured_queries] == ["SELECT 10 / 5::int"]


@pytest.mark.django_db(transaction=True)
def test_another_connection_has_cursors_of_its_own() -> None:
    first = one(BACKEND)
    connection.close()
    assert one(BACKEND) != first


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_died_is_told_as_such_and_replaced() -> None:
    first = one(BACKEND)
    with pytest.raises(OperationalError):
        one("SELECT pg_terminate_backend(pg_backend_pid())")
    connection.close_if_unusable_or_obsolete()
    assert one(BACKEND) != first


@pytest.mark.django_db(transaction=True)
def test_threads_share_no_cursor() -> None:
    seen = [one(BACKEND)]

    def look() -> None:
        seen.append(one(BACKEND))
        connection.close()

    thread = Thread(target=look)
    thread.start()
    thread.join()
    assert len(set(seen)) == 2


def prepared() -> list[str]:
    """The statements that the session has prepared."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT statement FROM pg_prepared_statements")
        return [row[0] for row in cursor.fetchall()]


def run_often(statement: str, *parameters: object) -> None:
    """Run a statement until psycopg has prepared it."""
    for _ in range(OFTEN):
        one(statement, *parameters)


@pytest.mark.django_db
def test_what_is_prepared_is_not_waited_for_in_python(monkeypatch: pytest.MonkeyPatch) -> None:
    run_often(HALF, 5)
    assert "SELECT 10 / $1::int" in prepared()
    with monkeypatch.context() as patch:
        patch.setattr(connection.connection, "wait", None)
        assert [one(HALF, number) for number in (1, 2, 5)] == [10, 5, 2]


@pytest.mark.django_db
def test_parameters_of_other_types_are_another_statement() -> None:
    for parameter in (5, None, "5"):
        run_often(HALF, parameter)
    assert [one(HALF, number) for number in (1 << 30, None, "5", 1)] == [0, None, 2, 10]


@pytest.mark.django_db
def test_a_prepared_statement_gives_no_row_and_some() -> None:
    count = "SELECT number FROM generate_series(1, %s::int) AS number"
    run_often(count, 1)
    assert executed(count, [0]) == (0, None)
    assert executed(count, [3]) == (3, (1,))


@pytest.mark.django_db
def test_errors_of_a_prepared_statement_are_djangos_and_spoil_the_transaction_only() -> None:
    run_often(HALF, 5)
    with pytest.raises(DataError, match="division by zero"), transaction.atomic():
        executed(HALF, [0])
    # psycopg has forgotten all that was prepared.
    assert "SELECT 10 / $1::int" not in prepared()
    run_often(HALF, 5)
    assert one(HALF, 2) == 5


@pytest.mark.django_db(transaction=True)
def test_a_prepared_statement_belongs_to_the_transaction_that_it_begins() -> None:
    add = "INSERT INTO games_heartbeat (id, at) VALUES (%s, now()) RETURNING id"
    for number in range(OFTEN):
        with transaction.atomic():
            one(add, number)
    with transaction.atomic():
        one(add, OFTEN)
        transaction.set_rollback(True)
    assert set(Heartbeat.objects.values_list("id", flat=True)) == {*range(OFTEN)}


@pytest.mark.django_db(transaction=True)
def test_a_prepared_statement_of_its_own_leaves_no_transaction_open() -> None:
    run_often(HALF, 5)
    assert connection.connection.info.transaction_status == TransactionStatus.IDLE


@pytest.mark.django_db(transaction=True)
def test_a_connection_that_died_is_told_by_a_prepared_statement_too() -> None:
    run_often(BACKEND)
    first = one(BACKEND)
    killer = connection.copy()
    with killer.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [first])
    killer.close()
    with pytest.raises(OperationalError):
        one(BACKEND)
    connection.close_if_unusable_or_obsolete()
    assert one(BACKEND) != first


@pytest.mark.django_db(transaction=True)
def test_other_threads_run_while_a_prepared_statement_waits() -> None:
    nap = "SELECT pg_sleep(%s::float8)::text"
    run_often(nap, 0.0)
    ran, over = [], Event()

    def run() -> None:
        while not over.wait(0.001):
            ran.append(1)

    thread = Thread(target=run)
    thread.start()
    one(nap, 0.3)
    over.set()
    thread.join()
    assert len(ran) > 20


@pytest.mark.django_db
def test_a_statement_may_give_no_rows_at_all() -> None:
    forget = "DELETE FROM games_heartbeat WHERE id = %s"
    assert {executed(forget, [1]) for _ in range(OFTEN)} == {(0, None)}
    with CaptureQueriesContext(connection):
        assert executed(forget, [1]) == (0, None)
