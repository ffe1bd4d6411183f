"""A real stack for end-to-end tests: front, API, streams, beat, thinker and a Celery worker."""

import os
import secrets
import signal
import socket
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import psycopg
from django.conf import settings
from psycopg import sql

from durak_api.embedded import postgres
from durak_api.embedded.probes import answers_http
from durak_api.embedded.process import Process, Service
from tests.servers import wait_until_ready

WORKER = ("-m", "celery", "-A", "durak_api", "worker", "--concurrency", "2", "-O", "fair")


class LiveStack:
    """Real processes on a database of their own, which they use as the application's role.

    `base_url` is the front's address, without a path. Nothing else writes to the database, so
    tests may look into it with `rows`, and must not expect it to be empty.
    """

    def __init__(self, folder: Path, database_url: str, redis_url: str) -> None:
        self._folder = folder
        self._admin_url = database_url
        self._name = f"durak_live_{secrets.token_hex(4)}"
        self._port = free_port()
        self.base_url = f"http://127.0.0.1:{self._port}"
        owner_url = with_database(database_url, self._name)
        ours = f"//{postgres.OWNER}@" in owner_url
        self._environment = {
            "DATABASE_OWNER_URL": owner_url,
            "DATABASE_URL": as_role(owner_url, postgres.APP) if ours else owner_url,
            "REDIS_URL": with_redis_database(redis_url, 8 + process_number() % 8),
            "DATA_DIR": str(folder / "data"),
            "BOT_MODULES": "tests.bots.misfits",
            "THINKER_CONCURRENCY": "1",
            "BOT_QUICK_SECONDS": "0",
            "BOT_DEEP_SECONDS": "0",
            "TURN_SECONDS_MIN": "1",
            "WEBHOOK_PRIVATE_ADDRESSES": "true",
            "HOST": "127.0.0.1",
            "PORT": str(self._port),
        }
        self._stack = Process(self._stack_service(), folder)
        self._worker = Process(self._worker_service(), folder)

    def _stack_service(self) -> Service:
        return Service(
            name="stack",
            run=(
                sys.executable,
                "-m",
                "durak_api.embedded",
                "--without",
                "worker",
                "--without",
                "courier",
            ),
            is_ready=lambda: answers_http(("127.0.0.1", self._port)),
            environment=self._environment,
            stop_seconds=30,
        )

    def _worker_service(self) -> Service:
        sign = self._folder / "worker.ready"
        return Service(
            name="worker",
            run=(sys.executable, *WORKER, "-Q", queues(), "--without-gossip", "--without-mingle"),
            is_ready=sign.exists,
            environment={**self._environment, "WORKER_READY_FILE": str(sign)},
        )

    def start(self) -> None:
        """Make the database, start everything, return when all of it serves."""
        with psycopg.connect(self._admin_url, autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(self._name)))
        self._stack.start()
        wait_until_ready(self._stack)
        self.restart_worker()

    def stop(self) -> None:
        """Stop everything and drop the database."""
        self.kill_worker()
        self._stack.stop()
        drop = sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)")
        with psycopg.connect(self._admin_url, autocommit=True) as connection:
            connection.execute(drop.format(sql.Identifier(self._name)))

    def restart(self) -> None:
        """Stop everything but the worker and start it again; return when it serves."""
        self._stack.stop()
        self._stack.start()
        wait_until_ready(self._stack)

    def kill_worker(self) -> None:
        """SIGKILL the worker and its pool, whatever they are doing; nobody starts it again."""
        self._worker.kill()

    def kill_process(self, name: str) -> None:
        """SIGKILL another service of the stack (`beat`); its supervisor starts it again."""
        pid = int((self._folder / "data" / "run" / f"{name}.pid").read_text())
        os.kill(pid, signal.SIGKILL)

    def restart_worker(self) -> None:
        """Start a worker; return when it takes tasks."""
        (self._folder / "worker.ready").unlink(missing_ok=True)
        self._worker.start()
        wait_until_ready(self._worker)

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """Return the rows of a query, read as the owner."""
        with psycopg.connect(self._environment["DATABASE_OWNER_URL"]) as connection:
            return connection.execute(statement, values).fetchall()


def queues() -> str:
    """Return the queues of the worker: all but that of the thinker."""
    names = (settings.BOT_QUEUES["quick"], settings.BOT_SWEEP_QUEUE, settings.WEBHOOK_QUEUE)
    return ",".join(names)


def process_number() -> int:
    """Return which process of the test run this is: each has a broker of its own."""
    return int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port: int = server.getsockname()[1]
        return port


def with_database(url: str, name: str) -> str:
    """Return `url` with another database."""
    return urlunsplit(urlsplit(url)._replace(path=f"/{name}"))


def as_role(url: str, role: str) -> str:
    """Return `url` (without a password) with another role."""
    parts = urlsplit(url)
    return urlunsplit(parts._replace(netloc=f"{role}@{parts.netloc.rpartition('@')[2]}"))


def with_redis_database(url: str, number: int) -> str:
    """Return a Redis URL with another database number."""
    if url.startswith("unix://"):
        return f"{url.partition('?')[0]}?db={number}"
    return urlunsplit(urlsplit(url)._replace(path=f"/{number}"))
