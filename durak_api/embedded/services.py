"""The processes of a stack besides PostgreSQL, each as a `Service`."""

import sys
from collections.abc import Mapping
from pathlib import Path

from durak_api.embedded.binaries import script, valkey_binary
from durak_api.embedded.probes import answers_http, answers_ping
from durak_api.embedded.process import Service

CADDYFILE = Path(__file__).resolve().parent.parent / "Caddyfile"
THINKING_NICE = 10
# Where somebody on this machine finds a server that listens everywhere.
LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (compared, not bound)


def valkey(sockets: Path) -> Service:
    """Hints, the broker and throttling; nothing in it has to survive a restart."""
    path = sockets / "valkey.sock"
    keep_nothing = ("--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction")
    where = ("--port", "0", "--unixsocket", path, "--unixsocketperm", "700", "--dir", sockets)
    return Service(
        name="valkey",
        command=(valkey_binary(), *where, *keep_nothing),
        is_ready=lambda: answers_ping(path),
    )


def valkey_url(sockets: Path, database: int = 0) -> str:
    """Return the URL of that server."""
    return f"unix://{sockets / 'valkey.sock'}?db={database}"


def web(sockets: Path, environment: Mapping[str, str]) -> Service:
    """The API: WSGI processes with a few threads each."""
    path = sockets / "web.sock"
    size = ("--workers", "2", "--blocking-threads", "4", "--backlog", "2048")
    protocol = ("--interface", "wsgi", "--http", "1", "--no-ws", "--uds", path)
    care = ("--respawn-failed-workers", "--respawn-interval", "0.5", "--workers-kill-timeout", "8")
    return Service(
        name="web",
        command=(script("granian"), *protocol, *size, *care, "durak_api.wsgi:application"),
        is_ready=lambda: answers_http(path),
        environment=environment,
    )


def streams(sockets: Path, environment: Mapping[str, str]) -> Service:
    """Streams and long polls: one event loop holds thousands of them."""
    path = sockets / "streams.sock"
    quiet = ("--no-access-log", "--log-level", "warning", "--timeout-graceful-shutdown", "3")
    command = (sys.executable, "-m", "uvicorn", "durak_api.asgi:application", "--uds", path)
    return Service(
        name="streams",
        command=(*command, "--lifespan", "off", *quiet),
        is_ready=lambda: answers_http(path),
        environment={**environment, "DATABASE_POOL": "true"},
    )


def worker(sockets: Path, environment: Mapping[str, str]) -> Service:
    """Bot turns. Thinking yields to serving: a busy core makes every commit wait."""
    sign = sockets / "worker.ready"
    quiet = ("--without-gossip", "--without-mingle", "--loglevel", "info")
    command = (sys.executable, "-m", "celery", "-A", "durak_api", "worker", "--concurrency", "2")
    return Service(
        name="worker",
        command=(*command, "-O", "fair", *quiet),
        is_ready=sign.exists,
        environment={**environment, "WORKER_READY_FILE": str(sign)},
        nice=THINKING_NICE,
    )


def beat(environment: Mapping[str, str]) -> Service:
    """The clock of periodic tasks; its plan lives in the settings, not in a file."""
    command = (sys.executable, "-m", "celery", "-A", "durak_api", "beat", "--loglevel", "info")
    return Service(
        name="beat",
        command=(*command, "--scheduler", "celery.beat:Scheduler", "--pidfile", ""),
        is_ready=lambda: True,
        environment=environment,
    )


def front(sockets: Path, home: Path, host: str, port: int) -> Service:
    """The one address."""
    environment = {
        "FRONT_ADDRESS": f"http://:{port}",
        "FRONT_BIND": host,
        "WEB_UPSTREAM": f"unix/{sockets / 'web.sock'}",
        "STREAMS_UPSTREAM": f"unix/{sockets / 'streams.sock'}",
        "XDG_DATA_HOME": str(home),
        "XDG_CONFIG_HOME": str(home),
    }
    return Service(
        name="front",
        command=(script("caddy"), "run", "--adapter", "caddyfile", "--config", CADDYFILE),
        is_ready=lambda: answers_http((LOOPBACK.get(host, host), port)),
        environment=environment,
    )
