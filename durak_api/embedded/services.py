"""The processes of others, PostgreSQL aside, each as a `Service`."""

from pathlib import Path

from durak_api.embedded.binaries import script, valkey_binary
from durak_api.embedded.probes import answers_http, answers_ping
from durak_api.embedded.process import Service

CADDYFILE = Path(__file__).resolve().parent.parent / "Caddyfile"
# Where somebody on this machine finds a server that listens everywhere.
LOOPBACK = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104 (compared, not bound)


def valkey(sockets: Path) -> Service:
    """Hints, the broker and throttling; nothing in it has to survive a restart."""
    path = sockets / "valkey.sock"
    keep_nothing = ("--save", "", "--appendonly", "no", "--maxmemory-policy", "noeviction")
    where = ("--port", "0", "--unixsocket", path, "--unixsocketperm", "700", "--dir", sockets)
    return Service(
        name="valkey",
        run=(valkey_binary(), *where, *keep_nothing),
        is_ready=lambda: answers_ping(path),
    )


def valkey_url(sockets: Path, database: int = 0) -> str:
    """Return the URL of that server."""
    return f"unix://{sockets / 'valkey.sock'}?db={database}"


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
        run=(script("caddy"), "run", "--adapter", "caddyfile", "--config", CADDYFILE),
        is_ready=lambda: answers_http((LOOPBACK.get(host, host), port)),
        environment=environment,
    )
