"""Servers and fixtures that every test may use.

A run needs nothing installed: a throw-away PostgreSQL and Valkey start with it, unless
DATABASE_URL and REDIS_URL name others. Tests connect as the owner of the tables, who may
truncate them between tests; `app_role` is for tests of what the application may not do.
"""

import os
from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.db import connection

from durak_api.database import broker_url, database_settings
from tests.live import LiveStack, process_number, with_redis_database
from tests.servers import TestServers

SERVERS = pytest.StashKey[TestServers]()


def pytest_configure(config: pytest.Config) -> None:
    """Start the servers once for the run, and point Django at them in each of its processes."""
    if not hasattr(config, "workerinput"):
        servers = config.stash[SERVERS] = TestServers()
        os.environ.update(servers.start(os.environ))
        config.add_cleanup(servers.stop)
    # What one process of the run sends must not be waiting in another one's queues.
    os.environ["REDIS_URL"] = with_redis_database(os.environ["REDIS_URL"], process_number())
    point_django_at(os.environ["DATABASE_URL"], os.environ["REDIS_URL"])


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep tests of the live stack together, so that only one process starts one."""
    for item in items:
        if "live_stack" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("live_stack"))


def point_django_at(database_url: str, redis_url: str) -> None:
    """Replace the addresses of the settings, which are read before this file is."""
    settings.SECRET_KEY = os.environ["SECRET_KEY"]
    settings.DATABASE_URL = settings.DATABASE_OWNER_URL = database_url
    default = database_settings(database_url, pool=False)
    # A whole test is one transaction, and a slow machine may pause within it.
    default["OPTIONS"]["options"] += " -c idle_in_transaction_session_timeout=0"
    settings.DATABASES["default"].update(default)
    settings.REDIS_URL = redis_url
    settings.CELERY_BROKER_URL = broker_url(redis_url)
    settings.BOT_LEAST_SECONDS = {"quick": 0.0, "deep": 0.0}
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]


@pytest.fixture
def app_role(transactional_db: None) -> Iterator[Any]:
    """Run the test's statements with the rights of the application, not the owner's."""
    role = settings.DATABASE_APP_ROLE
    with connection.cursor() as cursor:
        cursor.execute(f"SET ROLE {role}")
    yield connection
    connection.rollback()
    with connection.cursor() as cursor:
        cursor.execute("RESET ROLE")


@pytest.fixture
def fresh_pages() -> None:
    """Let `/readyz` and `/metrics` look anew: what they found is good for a moment."""
    from durak_api.service_views import metrics_kept, readiness_kept

    metrics_kept.forget()
    readiness_kept.forget()


@pytest.fixture(scope="session")
def live_stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveStack]:
    """A running server with a real worker: `base_url`, `kill_worker()`, `restart_worker()`,
    `rows(sql, *values)`. It has a database of its own; a test that kills restarts.
    """
    folder = tmp_path_factory.mktemp("live")
    stack = LiveStack(folder, os.environ["DATABASE_URL"], os.environ["REDIS_URL"])
    try:
        stack.start()
        yield stack
    finally:
        stack.stop()
