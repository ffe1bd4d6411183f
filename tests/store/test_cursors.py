"""Kept cursors are Django's in all that others see of them."""

from threading import Thread
from typing import Any, Final

import pytest
from django.db import DataError, OperationalError, connection, transaction
from django.test.utils import CaptureQueriesContext

from games.store.cursors import executed

HALF: Final = "SELECT 10 / %s::int"
BACKEND: Final = "SELECT pg_backend_pid()"


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
