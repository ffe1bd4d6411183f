"""The servers of a benchmark: a durable PostgreSQL of its own, a Valkey, and the web processes."""

import os
import shutil
import socket
import sys
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple, Self

from durak_api.embedded import postgres, services
from durak_api.embedded.config import private_folder
from durak_api.embedded.probes import answers_http
from durak_api.embedded.process import Process, Service, log_tail
from durak_api.environment import data_dir

API, BARE, FRONT, POSTGRES = "web", "bare", "front", "postgres"
STREAMS, BROKER = "streams", "valkey"


class Addresses(NamedTuple):
    """Where the web processes answer: socket files, and the front's host and port."""

    api: Path
    bare: Path
    front: tuple[str, int]


class Flow(NamedTuple):
    """Where moves are made and where streams are read: socket files."""

    api: Path
    streams: Path


class Servers:
    """A folder beside the data, so that fsync is that of the same disk, and all that runs in it.

    To be used in a `with` statement, which ends the servers and removes the folder, unless it is
    one to `keep`, which may be there already. `settings` are PostgreSQL's (`name = value`) beside
    those of every server.
    """

    def __init__(self, *settings: str, keep: Path | None = None) -> None:
        self._settings = settings
        self._is_kept = keep is not None
        self._folder = (
            Path(tempfile.mkdtemp(prefix="bench-", dir=private_folder(data_dir())))
            if keep is None
            else private_folder(keep.resolve())
        )
        self._sockets = Path(tempfile.mkdtemp(prefix="durak-bench-"))
        self._running: dict[str, Process] = {}

    def __enter__(self) -> Self:
        """Start the database and Valkey, and bring the database up to date."""
        try:
            cluster = self._folder / "postgres"
            postgres.prepare(cluster)
            with (cluster / "postgresql.conf").open("a", encoding="utf-8") as file:
                file.writelines(f"{setting}\n" for setting in self._settings)
            database = postgres.service(cluster, self._sockets)
            self.start(database)
            self.start_broker()
            self._migrate()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        """End everything, at once where nobody wants the data."""
        for process in reversed(self._running.values()):
            (process.stop if self._is_kept else process.kill)()
        if not self._is_kept:
            shutil.rmtree(self._folder)
        shutil.rmtree(self._sockets)

    @property
    def folder(self) -> Path:
        """Where the data lies."""
        return self._folder

    @property
    def environment(self) -> dict[str, str]:
        """The settings of everything that uses the servers."""
        return {
            "SECRET_KEY": "for-the-benchmark-only",
            "ALLOWED_HOSTS": "localhost",
            "DATABASE_URL": postgres.database_url(self._sockets, postgres.APP),
            "DATABASE_OWNER_URL": postgres.database_url(self._sockets, postgres.OWNER),
            "REDIS_URL": services.valkey_url(self._sockets),
            "BENCH_EXCHANGES": str(self.exchanges),
        }

    @property
    def superuser_url(self) -> str:
        """For what not even the owner of the tables may do."""
        return postgres.database_url(self._sockets, "postgres")

    @property
    def exchanges(self) -> Path:
        """Where the exchanges lie that the rivals run."""
        return self._folder / "exchanges"

    def start(self, *services: Service) -> None:
        """Start servers; return when all of them serve."""
        started = [Process(service, self._folder) for service in services]
        for process in started:
            self._running[process.service.name] = process
            process.start()
        for process in started:
            _wait(process)

    def start_broker(self) -> None:
        """Start Valkey; return when it serves."""
        self.start(services.valkey(self._sockets))

    def kill(self, name: str) -> None:
        """SIGKILL a server."""
        self._running[name].kill()

    def start_flow(self, **settings: str) -> Flow:
        """Start the API and a streams process with settings of its own."""
        api, streams = self._sockets / "web.sock", self._sockets / "streams.sock"
        serving = Service(
            name=STREAMS,
            run=(sys.executable, "-m", "bench.streams.serve", streams),
            is_ready=lambda: answers_http(streams),
            environment={**self.environment, **settings},
        )
        self.start(self._wsgi(API, "durak_api.wsgi:application", api), serving)
        return Flow(api, streams)

    def start_web(self) -> Addresses:
        """Start the API, the bare view with the same flags, and the front before the API."""
        api, bare = self._sockets / "web.sock", self._sockets / "bare.sock"
        front = ("127.0.0.1", _free_port())
        self.start(
            self._wsgi(API, "durak_api.wsgi:application", api),
            self._wsgi(BARE, "bench.bare.wsgi:application", bare),
            services.front(self._sockets, self._folder, *front),
        )
        return Addresses(api, bare, front)

    def _wsgi(self, name: str, application: str, path: Path) -> Service:
        return Service(
            name=name,
            run=(sys.executable, "-m", "bench.serve", application, path),
            is_ready=lambda: answers_http(path),
            environment=self.environment,
        )

    def pid(self, name: str) -> int:
        """The process of a server that runs."""
        handle = self._running[name].handle
        assert handle is not None
        return handle.pid

    def _migrate(self) -> None:
        manage = Path(__file__).resolve().parent.parent / "manage.py"
        command = (sys.executable, manage, "migrate", "--verbosity", "0")
        service = Service(
            name="migrate", run=command, is_ready=lambda: True, environment=self.environment
        )
        process = Process(service, self._folder)
        process.start()
        process.wait()
        if process.exit_code() != 0:
            raise RuntimeError(log_tail(process.log, 40))


def _wait(process: Process, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not process.service.is_ready():
        if process.exit_code() is not None or time.monotonic() > deadline:
            raise RuntimeError(f"{process.service.name} does not start:\n{log_tail(process.log)}")
        time.sleep(0.02)


def environment_use(environment: Mapping[str, str]) -> None:
    """Make this process an application of those servers too."""
    os.environ.update(environment, DJANGO_SETTINGS_MODULE="durak_api.settings")


def _free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        port: int = server.getsockname()[1]
        return port
