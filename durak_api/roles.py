"""Two database roles: the owner migrates, the application may only do what it needs.

The application reads and writes rows; it never truncates, and migrations take UPDATE and DELETE
on the log away from it. Grants are made as default privileges before tables exist, so that a
later `REVOKE` of a migration is the last word.
"""

from typing import Any

from django.conf import settings
from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models.signals import pre_migrate
from django.dispatch import receiver
from psycopg import sql

GRANTS = """
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {role};
ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO {role};
"""
APP_ROLE_EXISTS = (
    "SELECT EXISTS (SELECT FROM pg_roles WHERE rolname = %s AND rolname <> current_user)"
)


@receiver(pre_migrate, dispatch_uid="durak_api.roles")
def app_role_grant(using: str = DEFAULT_DB_ALIAS, **_kwargs: Any) -> None:
    """Let the application's role use the tables that this run of `migrate` will make."""
    role = settings.DATABASE_APP_ROLE
    with connections[using].cursor() as cursor:
        cursor.execute(APP_ROLE_EXISTS, [role])
        if cursor.fetchone()[0]:
            cursor.execute(sql.SQL(GRANTS).format(role=sql.Identifier(role)))
