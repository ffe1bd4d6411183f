"""Cursors that stay with their connection, one for each statement of the path of a move.

A cursor finds out once how its statement's parameters are sent and its rows are read. That, and
making it, costs more than running it through, and Django makes a new one each time.
"""

from collections.abc import Sequence
from typing import Any, Final
from weakref import WeakKeyDictionary

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper
from psycopg.pq import Format

# Of each connection of Django's: psycopg's, which may be another after an outage, and its cursors.
_KEPT: Final[WeakKeyDictionary[BaseDatabaseWrapper, tuple[object, dict[str, Any]]]] = (
    WeakKeyDictionary()
)


def executed(statement: str, parameters: Sequence[Any]) -> CursorWrapper:
    """The cursor that has just run a statement; its rows are gone when that runs again.

    Transactions, errors and whoever watches the statements are Django's, as with any cursor.
    Statements are to be constants, whose cursors live as long as the connection, and give JSON as
    text: rows come in the database's own form, which spares both sides spelling them out.
    """
    database = connections[DEFAULT_DB_ALIAS]
    database.close_if_health_check_failed()
    database.ensure_connection()
    database.validate_thread_sharing()
    wrap = database.make_debug_cursor if database.queries_logged else database.make_cursor
    cursor = wrap(_kept(database, statement))
    cursor.execute(statement, parameters)
    return cursor


def _kept(database: BaseDatabaseWrapper, statement: str) -> Any:
    connection, cursors = _KEPT.get(database, (None, {}))
    if connection is not database.connection:
        cursors = {}
        _KEPT[database] = database.connection, cursors
    if statement not in cursors:
        cursors[statement] = database.create_cursor()
        cursors[statement].format = Format.BINARY
    return cursors[statement]
