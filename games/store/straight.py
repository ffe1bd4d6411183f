"""A statement of psycopg's that is handed to the database in one call.

psycopg waits for an answer in Python, so that Ctrl-C can cancel a statement, and that takes several
times what libpq takes. A statement that psycopg has prepared goes to libpq straight away here. The
interpreter serves other threads meanwhile; a signal is heard when the answer is there, and the
session's `statement_timeout` says when that is at the latest.

Which statements are prepared, and how parameters and rows are told, stays psycopg's to know, in
the parts of a cursor that it keeps for itself and its subclasses; a test notices when they move.
"""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple, cast

from psycopg import Connection, Cursor
from psycopg._preparing import Prepare
from psycopg._queries import PostgresQuery
from psycopg.abc import Params, Query
from psycopg.adapt import PyFormat
from psycopg.errors import error_from_result
from psycopg.pq import ExecStatus, Format

# Enumerations are slow to ask.
_YES: Final = Prepare.YES
_BINARY: Final = Format.BINARY
_ROWS: Final = ExecStatus.TUPLES_OK
_DONE: Final = ExecStatus.COMMAND_OK


class Answer(NamedTuple):
    """How many rows a statement gave, and the first of them."""

    rows: int
    row: tuple[Any, ...] | None


class StraightCursor(Cursor[tuple[Any, ...]]):
    """A cursor for one statement; rows come in the database's own form.

    While psycopg is to begin transactions, it runs its statement as any cursor does.
    """

    __slots__ = ("_asked", "_known")

    def __init__(self, connection: Connection[Any]) -> None:
        super().__init__(connection)
        self.format = _BINARY
        self._known: PostgresQuery | None = None
        self._asked: list[PyFormat] = []

    def answer(self, statement: str, parameters: Sequence[Any]) -> Answer:
        """Run the statement. Raises psycopg.Error."""
        with self._conn.lock:
            name = self._name(parameters) if self._conn.autocommit else None
            if name is not None:
                return self._answered(name)
        self.execute(statement, parameters)
        return self.told()

    def told(self) -> Answer:
        """What the statement gave that `execute` has just run."""
        rows = self.pgresult.ntuples if self.pgresult else 0
        return Answer(rows, self.fetchone() if rows else None)

    def _convert_query(self, query: Query, params: Params | None = None) -> PostgresQuery:
        self._known = super()._convert_query(query, params)
        self._asked = [PyFormat.AUTO] * len(params or ())
        return self._known

    def _name(self, parameters: Sequence[Any]) -> bytes | None:
        """What the statement is called in this session, once its parameters are told."""
        query = self._known
        if query is None or len(parameters) != len(self._asked):
            return None
        tell = self._tx
        query.params = tell.dump_sequence(parameters, self._asked)
        query.types, query.formats = tell.types or (), tell.formats
        prepared, name = self._get_prepared(query)
        return name if prepared is _YES else None

    def _answered(self, name: bytes) -> Answer:
        query = self._known
        assert query is not None
        # Parameters may be NULL, whatever the types of `exec_prepared` say.
        told = cast("Sequence[bytes]", query.params)
        result = self._pgconn.exec_prepared(name, told, query.formats, _BINARY)
        if result.status != _ROWS and result.status != _DONE:
            raise error_from_result(result)
        self._tx.set_pgresult(result)
        rows = result.ntuples
        return Answer(rows, self._tx.load_row(0, tuple) if rows else None)
