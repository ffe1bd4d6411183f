"""Cursors that stay with their connection, one for each statement of the path of a move.

A cursor finds out once how its statement's parameters are sent and its rows are read. That, and
making it, costs more than running it through, and Django makes a new one each time.
"""

from collections.abc import Sequence
from typing import Any, Final
from weakref import WeakKeyDictionary

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from games.store.straight import Answer, StraightCursor

_Cursors = dict[str, StraightCursor]
# Of each connection of Django's: psycopg's, which may be another after an outage, and its cursors.
_KEPT: Final[WeakKeyDictionary[BaseDatabaseWrapper, tuple[object, _Cursors]]] = WeakKeyDictionary()


def executed(statement: str, parameters: Sequence[Any]) -> Answer:
    """Run a statement.

    Transactions, errors and whoever watches the statements are Django's, as with any cursor.
    Statements are to be constants, whose cursors live as long as the connection, and give JSON as
    text: rows come in the database's own form, which spares both sides spelling them out.
    """
    database = connections[DEFAULT_DB_ALIAS]
    # A transaction has looked after its connection when it began.
    if database.connection is None or not database.in_atomic_block:
        database.close_if_health_check_failed()
        database.ensure_connection()
    kept = _kept(database, statement)
    if database.queries_logged or database.execute_wrappers:
        return _watched(database, kept, statement, parameters)
    database.validate_no_broken_transaction()
    with database.wrap_database_errors:
        return kept.answer(statement, parameters)


def _watched(
    database: BaseDatabaseWrapper, kept: Any, statement: str, parameters: Sequence[Any]
) -> Answer:
    wrap = database.make_debug_cursor if database.queries_logged else database.make_cursor
    wrap(kept).execute(statement, parameters)
    with database.wrap_database_errors:
        answer: Answer = kept.told()
        return answer


def _kept(database: BaseDatabaseWrapper, statement: str) -> StraightCursor:
    connection, cursors = _KEPT.get(database, (None, {}))
    if connection is not database.connection:
        cursors = {}
        _KEPT[database] = database.connection, cursors
    if statement not in cursors:
        database.validate_thread_sharing()
        cursors[statement] = StraightCursor(database.connection)
    return cursors[statement]
