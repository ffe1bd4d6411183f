"""Settings of the database and the broker from their URLs."""

from typing import Any
from urllib.parse import unquote

import environ

SESSION_LIMITS = {
    "statement_timeout": "5s",
    "lock_timeout": "2s",
    "idle_in_transaction_session_timeout": "10s",
}
# There are connections for all who read at once, so who waits for one waits for a database that is
# away. He is told so soon, and his next try is the pool's too: left to itself it would double its
# pauses, and after an outage be away for as long again.
POOL = {"min_size": 1, "max_size": 8, "timeout": 2, "reconnect_timeout": 0}


def database_settings(url: str, *, pool: bool) -> dict[str, Any]:
    """Return the DATABASES entry for `url` (`postgres://role@host/name`).

    A socket directory stands percent-encoded in place of the host. `pool` is for the streams
    process: its many short-lived threads share a few connections instead of keeping one each.
    """
    entry: dict[str, Any] = environ.Env.db_url_config(url)
    options = {
        "server_side_binding": True,
        # Django turns prepared statements off for the sake of poolers that mix sessions; planning
        # the same few statements anew is most of what the database would do.
        "prepare_threshold": 5,
        "application_name": "durak",
        "options": " ".join(f"-c {name}={value}" for name, value in SESSION_LIMITS.items()),
        **entry.get("OPTIONS", {}),
    }
    if pool:
        options["pool"] = POOL
    return {
        **entry,
        "ENGINE": "durak_api.postgresql",
        "HOST": unquote(entry["HOST"]),
        "CONN_MAX_AGE": 0 if pool else None,
        # A pool would hand out what died with the last restart of the database.
        "CONN_HEALTH_CHECKS": pool,
        "OPTIONS": options,
    }


def broker_url(redis_url: str) -> str:
    """Return Celery's spelling of a Redis URL; only that of a socket file differs."""
    if not redis_url.startswith("unix://"):
        return redis_url
    return redis_url.replace("unix://", "redis+socket://", 1).replace("?db=", "?virtual_host=", 1)
