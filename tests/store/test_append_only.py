"""Nobody but the owner of the tables can change or remove an event."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.db import DatabaseError, ProgrammingError, connection, transaction

from games.models import GameEvent
from tests.scores import new_player
from tests.tables import head_of, open_table

CHANGES = [
    "UPDATE games_gameevent SET type = 'x'",
    "DELETE FROM games_gameevent",
    "TRUNCATE games_gameevent",
    "TRUNCATE games_game CASCADE",
    """INSERT INTO games_gameevent (game_id, seq, type, schema_version, data, at, hash)
       SELECT game_id, seq, 'x', 1, data, at, hash FROM games_gameevent
       ON CONFLICT (game_id, seq) DO UPDATE SET type = 'x'""",
    """MERGE INTO games_gameevent e USING (SELECT 1 AS seq) s ON e.seq = s.seq
       WHEN MATCHED THEN DELETE""",
]
WAYS_ROUND = [
    "ALTER TABLE games_gameevent DISABLE TRIGGER ALL",
    "DROP TRIGGER games_event_no_change ON games_gameevent",
    "SET session_replication_role = replica",
    """CREATE OR REPLACE FUNCTION games_event_append_only() RETURNS trigger
       LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'""",
    "ALTER TABLE games_gameevent OWNER TO CURRENT_USER",
    "DROP TABLE games_gameevent",
]
RIGHTS = """
    SELECT privilege_type FROM information_schema.table_privileges
    WHERE table_name = 'games_gameevent' AND grantee = %s ORDER BY 1
"""


@pytest.fixture
def logged(transactional_db: None) -> list[tuple[Any, ...]]:
    """A log of a few events."""
    open_table([new_player()], seats=3)
    return rows()


@pytest.fixture
def as_app(logged: None, app_role: Any) -> Any:
    """The rights of the application, once the log is there."""
    return app_role


@pytest.fixture
def rights_given_back(logged: None) -> Iterator[None]:
    """Somebody granted the application what migrations had taken away."""
    role = settings.DATABASE_APP_ROLE
    execute(f"GRANT UPDATE, DELETE, TRUNCATE ON ALL TABLES IN SCHEMA public TO {role}")
    yield
    execute(f"REVOKE TRUNCATE ON ALL TABLES IN SCHEMA public FROM {role}")
    execute(f"REVOKE UPDATE, DELETE ON games_gameevent FROM {role}")


def execute(statement: str) -> None:
    """Run it in a transaction of its own."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement)


def rows() -> list[tuple[Any, ...]]:
    """The log, row by row."""
    return list(GameEvent.objects.order_by("game", "seq").values_list())


@pytest.mark.parametrize("statement", CHANGES)
def test_the_application_has_no_right_to_change_events(
    logged: Any, as_app: Any, statement: str
) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        execute(statement)
    assert rows() == logged


@pytest.mark.parametrize("statement", CHANGES)
def test_with_the_right_the_trigger_still_says_no(
    logged: Any, rights_given_back: None, app_role: Any, statement: str
) -> None:
    with pytest.raises(ProgrammingError, match="events are never changed"):
        execute(statement)
    assert rows() == logged


@pytest.mark.parametrize("statement", WAYS_ROUND)
def test_the_application_cannot_go_round(
    logged: Any, rights_given_back: None, app_role: Any, statement: str
) -> None:
    with pytest.raises(DatabaseError, match=r"permission denied|must be owner"):
        execute(statement)
    assert rows() == logged


def test_the_application_reads_and_appends(as_app: Any) -> None:
    with connection.cursor() as cursor:
        cursor.execute(RIGHTS, [settings.DATABASE_APP_ROLE])
        assert cursor.fetchall() == [("INSERT",), ("SELECT",)]
    game_id = open_table([new_player()], seats=3)
    assert head_of(game_id).game.version == 2
