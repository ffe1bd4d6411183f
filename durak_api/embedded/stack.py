"""The whole stack of `make run`, from an empty folder to an address that answers."""

import contextlib
import os
import signal
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

from bots.brains.search.compiled.keeping import is_kept, kept_in
from durak_api.embedded import postgres, services
from durak_api.embedded.config import (
    LOOPBACK_HOSTS,
    Config,
    ConfigError,
    private_folder,
    secret_key,
)
from durak_api.embedded.leftovers import end_leftovers, folder_lock
from durak_api.embedded.probes import port_is_free
from durak_api.embedded.process import Process, Service, log_tail
from durak_api.embedded.supervisor import StartError, Supervisor
from durak_api.environment import RUN_FILE

STOP_ORDER = (
    ("front",),
    ("web", "streams", "worker", "thinker", "courier", "beat"),
    ("valkey", "postgres"),
)
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
WATCH_SECONDS = 0.2

ONE_ROLE = (
    "DATABASE_URL names the owner's role: only a trigger protects the log, and not from it. "
    "Set DATABASE_OWNER_URL to another role (docs/operations.md)."
)

Say = Callable[[str], None]


class Stopped(Exception):
    """A signal or the end of our parent asks us to stop."""


class StopRequest:
    """Remembers a signal until it suits us to look: no start is ever cut in half."""

    def __init__(self, parent: int | None) -> None:
        self._parent = parent
        self._requested = False

    @contextlib.contextmanager
    def listening(self) -> Iterator[None]:
        """Take signals for the time of the block."""
        before = {number: signal.signal(number, self._on_signal) for number in STOP_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _on_signal(self, _number: int, _frame: FrameType | None) -> None:
        self._requested = True

    def check(self) -> None:
        """Raise Stopped when it is time to go."""
        if self._requested or (self._parent is not None and os.getppid() != self._parent):
            raise Stopped


def serve(
    config: Config, say: Say, *, parent: int | None = None, without: frozenset[str] = frozenset()
) -> None:
    """Run until told to stop, or until `parent` has gone (None: whoever it is does not matter).

    `without` names parts that run elsewhere: worker, thinker, courier, beat, streams.
    Raises ConfigError, AlreadyRunningError, PostgresError or StartError when it cannot start.
    """
    private_folder(config.data_dir)
    request = StopRequest(parent)
    with folder_lock(config.data_dir, config.address), request.listening():
        sockets = private_folder(config.sockets)
        supervisor = Supervisor(folder(config, "log"), sockets, say, request.check)
        try:
            start(config, supervisor, say, without)
            while True:
                supervisor.tick()
                time.sleep(WATCH_SECONDS)
        except Stopped:
            say("Stopping")
        finally:
            (config.data_dir / RUN_FILE).unlink(missing_ok=True)
            supervisor.stop(STOP_ORDER)
        say("Stopped")


def folder(config: Config, name: str) -> Path:
    """Return a private folder within the data folder."""
    return private_folder(config.data_dir / name)


def start(config: Config, supervisor: Supervisor, say: Say, without: frozenset[str]) -> None:
    """Bring everything up, in the order in which one needs the other."""
    began = time.monotonic()
    clear_the_way(config)
    if config.one_role:
        say(ONE_ROLE)
    names = start_servers(config, supervisor, say)
    os.environ.update(application_environment(config))
    # Loading the application takes a second, in which the servers come up.
    from durak_api.embedded import applications  # noqa: PLC0415

    compiler = Process(applications.compiler(), folder(config, "log"))
    if "thinker" not in without and not is_kept():
        compiler.start()
    supervisor.wait_ready(*names)
    migrate(config, applications.migrate())
    write_run_file(config)
    wait_for(compiler, supervisor, say)
    say("Starting the front, the API, the streams, the workers and beat")
    parts = applications.all_of(config.sockets)
    wanted = [service for service in parts if service.name not in without]
    supervisor.start(*wanted, front(config))
    supervisor.wait_ready(*(service.name for service in wanted), "front")
    say(welcome(config, time.monotonic() - began))


def wait_for(compiler: Process, supervisor: Supervisor, say: Say) -> None:
    """Wait until the thinkers find what they need; how it went is theirs to tell."""
    if not compiler.handle:
        return
    if compiler.exit_code() is None:
        say("Compiling what the bots think with (a quarter of a minute, once)")
    try:
        while compiler.exit_code() is None:
            supervisor.tick()
            time.sleep(WATCH_SECONDS)
    finally:
        compiler.kill()


def clear_the_way(config: Config) -> None:
    """End what a killed stack has left; raise ConfigError when somebody else has the port."""
    end_leftovers(folder(config, "log"))
    for sign in config.sockets.glob("*.ready"):
        sign.unlink()
    if not port_is_free(config.host, config.port):
        raise ConfigError(
            f"port {config.port} on {config.host} is taken or not ours; choose another: PORT=8001"
        )


def front(config: Config) -> Service:
    """Return the front at the address of the configuration."""
    return services.front(config.sockets, folder(config, "front"), config.host, config.port)


def start_servers(config: Config, supervisor: Supervisor, say: Say) -> list[str]:
    """Start our own database and broker, where none is given; return their names."""
    names = []
    if config.redis_url is None:
        supervisor.start(services.valkey(config.sockets))
        names.append("valkey")
    if config.database_url is None:
        cluster = config.data_dir / "postgres"
        say("Starting PostgreSQL" if cluster.exists() else "Making a PostgreSQL cluster")
        postgres.prepare(cluster)
        supervisor.start(postgres.service(cluster, config.sockets))
        names.append("postgres")
    return names


def application_environment(config: Config) -> dict[str, str]:
    """Return the settings of the application's processes."""
    hosts = "localhost,127.0.0.1,[::1]" if config.host in LOOPBACK_HOSTS else "*"
    # The data folder can always be written to.
    keeping = {} if kept_in() else {"NUMBA_CACHE_DIR": str(config.data_dir / "compiled")}
    return {
        "ALLOWED_HOSTS": os.environ.get("ALLOWED_HOSTS") or hosts,
        "ANCHOR_FILE": os.environ.get("ANCHOR_FILE", str(config.data_dir / "anchors")),
        "DJANGO_SETTINGS_MODULE": "durak_api.settings",
        "SECRET_KEY": os.environ.get("SECRET_KEY") or secret_key(config.data_dir),
        **keeping,
        **config.servers,
    }


def migrate(config: Config, service: Service) -> None:
    """Bring the schema up to date; raise StartError with what Django said."""
    process = Process(service, folder(config, "log"))
    process.log.unlink(missing_ok=True)
    process.start()
    process.wait()
    if process.exit_code() != 0:
        raise StartError(f"The database cannot be migrated:\n{log_tail(process.log, 30)}")


def write_run_file(config: Config) -> None:
    """Let `manage.py` find this stack's servers while it runs."""
    own = application_environment(config)
    values = {**config.servers, **{name: own[name] for name in ("ANCHOR_FILE", "SECRET_KEY")}}
    path = config.data_dir / RUN_FILE
    path.touch(mode=0o600)
    path.write_text("".join(f"{name}={value}\n" for name, value in values.items()))


def welcome(config: Config, seconds: float) -> str:
    """Return what a newcomer wants to know first."""
    database = "at DATABASE_URL" if config.database_url else config.data_dir / "postgres"
    return f"""\
Ready after {seconds:.1f} s

  address   {config.address}/api/v1/docs
  data      {database}
  logs      {config.data_dir / "log"}
  stop      Ctrl-C

  curl -s {config.address}/api/v1/players -H 'Content-Type: application/json' -d '{{"name": "ann"}}'
"""
