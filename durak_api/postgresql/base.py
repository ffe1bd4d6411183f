"""The backend, by the name under which Django looks for it.

Django takes a transaction for a time in which psycopg does not commit by itself, and has psycopg
change over and back: in Python, and psycopg waits in Python for what it then sends. Here psycopg
commits by itself all the time, and `BEGIN` and `COMMIT` go to libpq in one call each, as a backend
may that Django expects to begin transactions under autocommit. `atomic` is Django's, and so is
everything that is not about a plain beginning and a good end.

Between transactions the session is to be idle. One that is not, because it was lost or a signal
came in the way, is closed: nothing joins a transaction that somebody else left open.
"""

from typing import Any, Final

from django.db.backends.postgresql import base
from django.utils.functional import cached_property
from psycopg import InternalError
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus, TransactionStatus

from durak_api.postgresql.errors import Errors

# Enumerations are slow to ask.
_DONE: Final = ExecStatus.COMMAND_OK
_IDLE: Final = TransactionStatus.IDLE


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to the database."""

    @cached_property
    def wrap_database_errors(self) -> Errors:
        """What raises Django's errors for psycopg's."""
        return Errors(self)

    def create_cursor(self, name: str | None = None) -> Any:
        """A cursor; Django takes psycopg's autocommit for the lack of a transaction."""
        if name is None:
            return super().create_cursor()
        return self.connection.cursor(name, scrollable=False, withhold=self.autocommit)

    def set_autocommit(
        self, autocommit: bool, force_begin_transaction_with_broken_autocommit: bool = False
    ) -> None:
        """Begin a transaction for `atomic`, or look back at one; the rest is Django's."""
        if autocommit and self.connection is not None and self.connection.autocommit:
            self._ended()
        elif force_begin_transaction_with_broken_autocommit and not autocommit:
            self._begun()
        else:
            super().set_autocommit(autocommit)

    def commit(self) -> None:
        """Commit, and remember that whoever waits for it is to be told."""
        if not self._is_plain():
            super().commit()
            return
        self.validate_thread_sharing()
        self.validate_no_atomic_block()
        self._command(b"COMMIT")
        self.errors_occurred = False
        self.run_commit_hooks_on_set_autocommit_on = True

    def _is_plain(self) -> bool:
        """Whether psycopg commits by itself, and nobody writes down or changes what is sent."""
        session = self.connection
        return (
            session is not None
            and session.autocommit
            and session.isolation_level is None
            and not self.queries_logged
        )

    def _begun(self) -> None:
        self.validate_no_atomic_block()
        self.close_if_health_check_failed()
        self._close_unless_idle()
        self.ensure_connection()
        if not self._is_plain():
            super().set_autocommit(False)
            return
        try:
            self._command(b"BEGIN")
            self.autocommit = False
        except BaseException:
            self.close()
            raise

    def _ended(self) -> None:
        self.validate_no_atomic_block()
        self.autocommit = True
        self._close_unless_idle()
        if self.run_commit_hooks_on_set_autocommit_on:
            self.run_and_clear_commit_hooks()
            self.run_commit_hooks_on_set_autocommit_on = False

    def _close_unless_idle(self) -> None:
        if self.connection and self.connection.pgconn.transaction_status != _IDLE:
            self.close()

    def _command(self, command: bytes) -> None:
        with self.wrap_database_errors, self.connection.lock:
            result = self.connection.pgconn.exec_(command)
            if result.status != _DONE:
                raise error_from_result(result)
            # A transaction that came to nothing is rolled back, and its COMMIT does not fail.
            if result.command_status == b"ROLLBACK":
                raise InternalError("what was to be committed had failed before")
