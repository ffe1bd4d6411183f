"""What `/readyz` and `/metrics` know about the parts of a running server."""

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, NamedTuple

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.loader import MigrationLoader

from bots.queues import turns_waiting
from durak_api.celery import BEAT_KEY, COURIER_KEY, THINKER_KEY, WORKER_KEY
from games.tally import streams_read, tallies_read

# The keys of workers, thinkers, couriers: looking for all at once spares walks through all keys.
SIGNS = "durak:[ctw]*:*"
LOG_TABLE = "games_gameevent"
HAS_MIGRATED = "SELECT to_regclass('django_migrations') IS NOT NULL"
APPLIED = "SELECT app, name FROM django_migrations"
# Rights that no application role should have on the log.
LOG_RIGHTS = """
SELECT coalesce(bool_or(has_table_privilege(c.oid, r)), false)
FROM pg_class c, unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) r
WHERE c.oid = to_regclass(%s)
"""
OLDEST_CLOCK = (
    "SELECT extract(epoch FROM now() - min(due_at)) FROM games_game WHERE due_at <= now()"
)
OLDEST_DELIVERY = """
SELECT extract(epoch FROM now() - min(next_at)) FROM webhook_delivery
WHERE status = 'pending' AND next_at <= now()
"""


class Broker(NamedTuple):
    """What a broker that answers knows: who has signed lately, how many streams each process of
    them holds, and the tallies by kind.
    """

    workers: int
    thinkers: int
    couriers: int
    beat: bool
    streams: list[int]
    tallies: Mapping[str, Mapping[str, int]]


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


def oldest_seconds(statement: str) -> float:
    """Return how long the oldest of what is due has waited; 0 when nothing is due."""
    return max(0.0, float(query(statement)[0][0] or 0))


def broker_look() -> Broker | None:
    """Ask the broker what it knows; None when it is silent."""
    try:
        with redis.Redis.from_url(
            settings.REDIS_URL, socket_timeout=1, socket_connect_timeout=1
        ) as client:
            signs = list(client.scan_iter(SIGNS, count=1000))
            return Broker(
                workers=signed(signs, WORKER_KEY),
                thinkers=signed(signs, THINKER_KEY),
                couriers=signed(signs, COURIER_KEY),
                beat=bool(client.exists(BEAT_KEY)),
                streams=streams_read(client),
                tallies=tallies_read(client),
            )
    except redis.RedisError:
        return None


def signed(signs: Iterable[bytes], key: str) -> int:
    """Return how many processes have signed with such a key lately."""
    prefix = key.format("").encode()
    return sum(sign.startswith(prefix) for sign in signs)


def broker_report() -> dict[str, Any]:
    """Return the state of the broker and of what signs there; None for what nobody can tell."""
    found = broker_look()
    if found is None:
        nobody = dict.fromkeys(("workers", "thinkers", "couriers", "beat", "streams"))
        return {"broker": "down", **nobody}
    return {
        "broker": "ok",
        "workers": found.workers,
        "thinkers": found.thinkers,
        "couriers": found.couriers,
        "beat": "ok" if found.beat else "down",
        "streams": len(found.streams),
    }


def readiness() -> tuple[bool, dict[str, Any]]:
    """Return whether requests can be served, and the state of each part."""
    report = broker_report()
    try:
        missing = migrations_missing()
        report |= {"database": "ok", "migrations_missing": missing}
        if not missing:
            report |= turns_report()
            report["oldest_clock_seconds"] = round(oldest_seconds(OLDEST_CLOCK), 3)
            report["oldest_delivery_seconds"] = round(oldest_seconds(OLDEST_DELIVERY), 3)
            report["log_can_be_changed"] = log_can_be_changed()
    except DatabaseError:
        report |= {"database": "down"}
        missing = ["unknown"]
    return not missing, {"status": "unready" if missing else "ready", **report}
