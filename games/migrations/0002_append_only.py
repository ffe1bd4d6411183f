"""The log can only grow: the application's role may not change events, and a trigger says no to
every role but the owner of the table, through whatever statement.
"""

from typing import Any

from django.conf import settings
from django.db import migrations
from psycopg import sql

TRIGGERS = """
CREATE FUNCTION games_event_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF current_user <> (SELECT tableowner FROM pg_tables
        WHERE schemaname = TG_TABLE_SCHEMA AND tablename = TG_TABLE_NAME)
    THEN
        RAISE EXCEPTION 'events are never changed' USING ERRCODE = 'insufficient_privilege';
    END IF;
    RETURN CASE TG_OP WHEN 'UPDATE' THEN NEW WHEN 'DELETE' THEN OLD END;
END
$$;
CREATE TRIGGER games_event_no_change BEFORE UPDATE OR DELETE ON games_gameevent
    FOR EACH ROW EXECUTE FUNCTION games_event_append_only();
CREATE TRIGGER games_event_no_truncate BEFORE TRUNCATE ON games_gameevent
    FOR EACH STATEMENT EXECUTE FUNCTION games_event_append_only();
"""
NO_TRIGGERS = """
DROP TRIGGER games_event_no_truncate ON games_gameevent;
DROP TRIGGER games_event_no_change ON games_gameevent;
DROP FUNCTION games_event_append_only();
"""
ROLE_EXISTS = "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = %s AND rolname <> current_user)"


def revoke(_apps: Any, schema_editor: Any) -> None:
    """Leave the application's role reading and inserting, nothing else."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute(ROLE_EXISTS, [settings.DATABASE_APP_ROLE])
        if cursor.fetchone()[0]:
            role = sql.Identifier(settings.DATABASE_APP_ROLE)
            statement = "REVOKE UPDATE, DELETE, TRUNCATE ON games_gameevent FROM {role}"
            cursor.execute(sql.SQL(statement).format(role=role))


class Migration(migrations.Migration):
    """Privileges first, a trigger second."""

    dependencies = [("games", "0001_initial")]

    operations = [
        # Each move rewrites the row of its game: room beside it keeps the indexes out of that.
        migrations.RunSQL(
            "ALTER TABLE games_game SET (fillfactor = 70)",
            "ALTER TABLE games_game RESET (fillfactor)",
        ),
        migrations.RunPython(revoke, migrations.RunPython.noop),
        migrations.RunSQL(TRIGGERS, NO_TRIGGERS),
    ]
