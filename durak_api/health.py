"""What `/readyz` and `/metrics` know about the parts of a running server."""

from functools import cache
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader

from durak_api.celery import BEAT_KEY, WORKER_KEY

LOG_TABLE = "games_gameevent"
HAS_MIGRATED = "SELECT to_regclass('django_migrations') IS NOT NULL"
APPLIED = "SELECT app, name FROM django_migrations"
# Rights that no application role should have on the log.
LOG_RIGHTS = """
SELECT coalesce(bool_or(has_table_privilege(c.oid, r)), false)
FROM pg_class c, unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) r
WHERE c.oid = to_regclass(%s)
"""
OLDEST_DUE = "SELECT extract(epoch FROM now() - min(due_at)) FROM due_turn WHERE due_at <= now()"


@cache
def wanted_migrations() -> frozenset[tuple[str, str]]:
    """Return every migration that this release brings."""
    return frozenset(MigrationLoader(None).disk_migrations)


def query(sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """Return the rows of a short statement."""
    with connection.cursor() as cursor:
        cursor.execute(sql, values or None)
        return list(cursor.fetchall())


def migrations_missing() -> list[str]:
    """Return the migrations that the database lacks; raise DatabaseError when it cannot say."""
    applied = set(query(APPLIED)) if query(HAS_MIGRATED)[0][0] else set()
    missing = wanted_migrations() - applied
    return sorted(f"{app}.{name}" for app, name in missing)


def log_can_be_changed() -> bool:
    """Tell whether this process's role could change or remove events."""
    return bool(query(LOG_RIGHTS, LOG_TABLE)[0][0])


def oldest_due_seconds() -> float:
    """Return how long the longest waiting bot turn has been due; 0 when none waits."""
    return max(0.0, float(query(OLDEST_DUE)[0][0] or 0))


def broker_report() -> dict[str, Any]:
    """Return whether the broker answers, how many workers have signed lately, and whether beat has.

    What a silent broker cannot tell is None.
    """
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1
        ) as client:
            workers = sum(1 for _ in client.scan_iter(WORKER_KEY.format("*"), count=1000))
            beat = bool(client.exists(BEAT_KEY))
    except redis.RedisError:
        return {"broker": "down", "workers": None, "beat": None}
    return {"broker": "ok", "workers": workers, "beat": "ok" if beat else "down"}


def readiness() -> tuple[bool, dict[str, Any]]:
    """Return whether requests can be served, and the state of each part."""
    report = broker_report()
    try:
        missing = migrations_missing()
        report |= {"database": "ok", "migrations_missing": missing}
        if not missing:
            report["oldest_bot_turn_seconds"] = round(oldest_due_seconds(), 3)
            report["log_can_be_changed"] = log_can_be_changed()
    except DatabaseError:
        report |= {"database": "down"}
        missing = ["unknown"]
    return not missing, {"status": "unready" if missing else "ready", **report}
