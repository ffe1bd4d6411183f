"""Errors of the database, of one kind where the same may be asked again.

A session that is lost is an `OperationalError`, however it was lost, and so is whatever else passes
by itself: whoever asked is told to ask again. psycopg sees kinds by SQLSTATE, of which libpq knows
none when nobody answers, and which PostgreSQL takes from other classes for some of its last words.
"""

from contextlib import suppress
from types import TracebackType
from typing import Final

from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.utils import DatabaseErrorWrapper
from psycopg import DatabaseError, Error
from psycopg.errors import (
    FeatureNotSupported,
    InvalidSqlStatementName,
    ReadOnlySqlTransaction,
)
from psycopg.pq import TransactionStatus

_LAST_WORDS: Final = frozenset({"FATAL", "PANIC"})
# Where PostgreSQL finds that a plan gives other columns than it did; its words are translated.
_REPLANNING: Final = "RevalidateCachedQuery"


def is_lost(error: Error) -> bool:
    """Whether a session of the database ended with this error."""
    diag = error.diag
    nobody_said = type(error) is DatabaseError and diag.sqlstate is None
    return nobody_said or diag.severity_nonlocalized in _LAST_WORDS


def is_outdated(error: Error) -> bool:
    """Whether a prepared statement is of no more use: a table is another now, or it is gone."""
    if isinstance(error, FeatureNotSupported):
        return error.diag.source_function == _REPLANNING
    return isinstance(error, InvalidSqlStatementName)


class Errors(DatabaseErrorWrapper):
    """Raises Django's errors for psycopg's, and has outdated statements prepared anew."""

    wrapper: BaseDatabaseWrapper

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if error is None:
            return
        if isinstance(error, Error) and self._passes(error):
            self.wrapper.errors_occurred = True
            raise OperationalError(*error.args).with_traceback(traceback) from error
        super().__exit__(kind, error, traceback)

    def _passes(self, error: Error) -> bool:
        if is_outdated(error):
            self._forget()
            return True
        # Of a standby, or while nobody is to write.
        return is_lost(error) or isinstance(error, ReadOnlySqlTransaction)

    def _forget(self) -> None:
        session = self.wrapper.connection
        # The end of a transaction that failed has psycopg forget what it had prepared anyway.
        if session.info.transaction_status == TransactionStatus.IDLE:
            with suppress(Error):
                session.execute("DEALLOCATE ALL")
