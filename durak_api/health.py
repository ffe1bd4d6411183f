"""What `/readyz` and `/metrics` know about the parts of a running server."""

from functools import cache
from typing import Any

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader

from bots.queues import turns_waiting
from durak_api.celery import BEAT_KEY, THINKER_KEY, WORKER_KEY

LOG_TABLE = "games_gameevent"
HAS_MIGRATED = "SELECT to_regclass('django_migrations') IS NOT NULL"
APPLIED = "SELECT app, name FROM django_migrations"
# Rights that no application role should have on the log.
LOG_RIGHTS = """
SELECT coalesce(bool_or(has_table_privilege(c.oid, r)), false)
FROM pg_class c, unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) r
WHERE c.oid = to_regclass(%s)
"""


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


def turns_report() -> dict[str, Any]:
    """Return how many bot turns wait, and for how long the oldest has, in all and by queue."""
    waiting = turns_waiting()
    return {
        "oldest_bot_turn_seconds": round(max(one.oldest for one in waiting.values()), 3),
        "bot_turns": {
            pace: {"waiting": one.turns, "oldest_seconds": round(one.oldest, 3)}
            for pace, one in waiting.items()
        },
    }


def broker_report() -> dict[str, Any]:
    """Return whether the broker answers, how many workers and thinkers have signed lately, and
    whether beat has.

    What a silent broker cannot tell is None.
    """
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1
        ) as client:
            workers, thinkers = signed(client, WORKER_KEY), signed(client, THINKER_KEY)
            beat = bool(client.exists(BEAT_KEY))
    except redis.RedisError:
        return {"broker": "down", "workers": None, "thinkers": None, "beat": None}
    signs = {"workers": workers, "thinkers": thinkers, "beat": "ok" if beat else "down"}
    return {"broker": "ok", **signs}


def signed(client: redis.Redis, key: str) -> int:
    """Return how many processes have lately set a key of this kind."""
    return sum(1 for _ in client.scan_iter(key.format("*"), count=1000))


def readiness() -> tuple[bool, dict[str, Any]]:
    """Return whether requests can be served, and the state of each part."""
    report = broker_report()
    try:
        missing = migrations_missing()
        report |= {"database": "ok", "migrations_missing": missing}
        if not missing:
            report |= turns_report()
            report["log_can_be_changed"] = log_can_be_changed()
    except DatabaseError:
        report |= {"database": "down"}
        missing = ["unknown"]
    return not missing, {"status": "unready" if missing else "ready", **report}
