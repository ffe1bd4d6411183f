"""The backend, by the name under which Django looks for it.

Django takes a transaction for a time in which psycopg does not commit by itself, and has psycopg
change over and back: in Python, and psycopg waits in Python for what it then sends. Here psycopg
commits by itself all the time, and `BEGIN` and `COMMIT` go to libpq in one call each, as a backend
may that Django expects to begin transactions under autocommit. `atomic` is Django's, and so is
everything that is not about a plain beginning and a good end.
"""

from django.db.backends.postgresql import base
from psycopg import InternalError
from psycopg.pq import ExecStatus

from games.store.failures import failure


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection to the database."""

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
        """Whether psycopg commits by itself, and nobody writes down what is sent."""
        return (
            self.connection is not None and self.connection.autocommit and not self.queries_logged
        )

    def _begun(self) -> None:
        self.validate_no_atomic_block()
        self.close_if_health_check_failed()
        self.ensure_connection()
        if self._is_plain():
            self._command(b"BEGIN")
            self.autocommit = False
        else:
            super().set_autocommit(False)

    def _ended(self) -> None:
        self.validate_no_atomic_block()
        self.autocommit = True
        if self.run_commit_hooks_on_set_autocommit_on:
            self.run_and_clear_commit_hooks()
            self.run_commit_hooks_on_set_autocommit_on = False

    def _command(self, command: bytes) -> None:
        with self.wrap_database_errors, self.connection.lock:
            result = self.connection.pgconn.exec_(command)
            if result.status != ExecStatus.COMMAND_OK:
                raise failure(result)
            # A transaction that came to nothing is rolled back, and its COMMIT does not fail.
            if result.command_status != command:
                raise InternalError("what was to be committed had failed before")
