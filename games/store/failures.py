"""What went wrong, by what the database says, or libpq in its place.

A session that is lost is one kind of error, `OperationalError`, however it was lost: whoever asked
is told to ask again. psycopg sees that kind by SQLSTATE, of which libpq knows none when nobody
answers, and which PostgreSQL takes from other classes for some of its last words.
"""

from typing import Final

from django.db import DatabaseError
from psycopg import Error, OperationalError
from psycopg.errors import error_from_result
from psycopg.pq import DiagnosticField
from psycopg.pq.abc import PGresult

_LAST_WORDS: Final = frozenset({b"FATAL", b"PANIC"})


def failure(result: PGresult) -> Error:
    """The error that a result of libpq's tells."""
    state = result.error_field(DiagnosticField.SQLSTATE)
    severity = result.error_field(DiagnosticField.SEVERITY_NONLOCALIZED)
    if state is None or severity in _LAST_WORDS:
        return OperationalError(result.get_error_message(), info=result)
    return error_from_result(result)


def is_lost(error: DatabaseError) -> bool:
    """Whether a session of the database ended with this error of Django's."""
    said = error.__cause__
    severity = said.diag.severity_nonlocalized if isinstance(said, Error) else None
    return severity is not None and severity.encode() in _LAST_WORDS
