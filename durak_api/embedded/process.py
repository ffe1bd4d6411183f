"""One server process: what to run, and the running of it."""

import contextlib
import multiprocessing
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from setproctitle import setproctitle

from durak_api.embedded.launch import follow_parent

Identity = Literal["same", "namespace", "nobody"]
Command = tuple[str | Path, ...]

LAUNCHER = Path(__file__).with_name("launch.py")
LOG_LIMIT = 10_000_000
HANDLED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What to run, how to see that it serves, and how to stop it (seconds).

    `run` is a command, or a function for a fork of this process, which has loaded the application
    already. `identity` is for commands only.
    """

    name: str
    run: Command | Callable[[], None]
    is_ready: Callable[[], bool]
    environment: Mapping[str, str] = field(default_factory=dict)
    identity: Identity = "same"
    nice: int = 0
    stop_signal: signal.Signals = signal.SIGTERM
    stop_seconds: float = 12.0


class Handle(Protocol):
    """What commands and forks have in common."""

    @property
    def pid(self) -> int:
        """The process, which leads a group of the same number."""

    def poll(self) -> int | None:
        """Return the exit code; None while it runs."""

    def wait(self, timeout: float | None = None) -> object:
        """Wait for the end, `timeout` seconds at most."""


class Fork:
    """A function running in a fork of this process."""

    def __init__(self, service: Service, function: Callable[[], None], log: Path) -> None:
        context = multiprocessing.get_context("fork")
        self._process = context.Process(
            target=run_forked, args=(service, function, log, os.getpid()), name=service.name
        )
        with signals_held():
            self._process.start()
        with contextlib.suppress(OSError):
            os.setpgid(self.pid, self.pid)

    @property
    def pid(self) -> int:
        """The process number."""
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """Return the exit code; None while it runs."""
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> None:
        """Wait for the end."""
        self._process.join(timeout)


@contextlib.contextmanager
def signals_held() -> Iterator[None]:
    """Let signals wait, so that a new fork gets those that are meant for it."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, HANDLED)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def run_forked(service: Service, function: Callable[[], None], log: Path, parent: int) -> None:
    """Turn this fork into the service: its own group, log, signals and priority."""
    os.setpgid(0, 0)
    with log.open("ab") as file:
        os.dup2(file.fileno(), 1)
        os.dup2(file.fileno(), 2)
    for number in HANDLED:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, HANDLED)
    follow_parent(int(service.stop_signal), parent)
    os.nice(service.nice)
    os.environ.update(service.environment)
    setproctitle(f"durak: {service.name}")
    function()


class Process:
    """A service in one process group of its own, its output in `<logs>/<name>.log`."""

    def __init__(self, service: Service, logs: Path) -> None:
        self.service = service
        self.log = logs / f"{service.name}.log"
        self.handle: Handle | None = None
        self.started_at = 0.0

    def start(self) -> None:
        """Start it; the kernel passes the stop signal on should this process die."""
        self.started_at = time.monotonic()
        rotate(self.log)
        run = self.service.run
        if isinstance(run, tuple):
            self.handle = self._spawn(run)
        else:
            self.handle = Fork(self.service, run, self.log)

    def _spawn(self, command: Command) -> Handle:
        service = self.service
        with self.log.open("ab") as log:
            return subprocess.Popen(
                launched(command, service.stop_signal, service.identity, service.nice),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **service.environment},
                # Its own group, yet the same session: the kernel heeds `nice` within one only.
                process_group=0,
            )

    def exit_code(self) -> int | None:
        """Return how it ended; None while it runs."""
        return self.handle.poll() if self.handle else None

    def ask_to_stop(self) -> None:
        """Send the signal that lets it finish what it is doing."""
        if self.handle and self.exit_code() is None:
            os.kill(self.handle.pid, self.service.stop_signal)

    def wait(self, deadline: float | None = None) -> None:
        """Wait for its end, until `deadline` (monotonic), then end it and all its children."""
        if self.handle:
            seconds = None if deadline is None else max(0.0, deadline - time.monotonic())
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.handle.wait(seconds)
            self.kill()

    def kill(self) -> None:
        """End the whole group at once, what a dead leader left behind included."""
        if self.handle:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.handle.pid, signal.SIGKILL)
            self.handle.wait()

    def stop(self) -> None:
        """Ask, wait, and insist."""
        self.ask_to_stop()
        self.wait(time.monotonic() + self.service.stop_seconds)


def launched(
    command: Command, stop_signal: signal.Signals, identity: Identity = "same", nice: int = 0
) -> list[str]:
    """Return `command` behind the launcher, a child of this process."""
    launcher = (sys.executable, "-I", "-S", LAUNCHER, "--signal", int(stop_signal))
    options = ("--parent", os.getpid(), "--identity", identity, "--nice", nice)
    return [str(part) for part in (*launcher, *options, "--", *command)]


def rotate(log: Path) -> None:
    """Keep one older log beside the current one."""
    with contextlib.suppress(FileNotFoundError):
        if log.stat().st_size > LOG_LIMIT:
            log.replace(log.with_suffix(".log.1"))


def log_tail(log: Path, lines: int = 15) -> str:
    """Return the last lines of a log."""
    with contextlib.suppress(FileNotFoundError):
        return "\n".join(log.read_text(errors="replace").splitlines()[-lines:])
    return ""
