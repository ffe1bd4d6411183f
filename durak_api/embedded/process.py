"""One server process: what to run, and the running of it."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

Identity = Literal["same", "namespace", "nobody"]

LAUNCHER = Path(__file__).with_name("launch.py")
LOG_LIMIT = 10_000_000
# Every process of a stack carries this name, with its data folder as the value.
MARK = "DURAK_STACK"


@dataclass(frozen=True, slots=True, kw_only=True)
class Service:
    """What to run, how to see that it serves, and how to stop it (seconds)."""

    name: str
    command: tuple[str | Path, ...]
    is_ready: Callable[[], bool]
    environment: Mapping[str, str] = field(default_factory=dict)
    identity: Identity = "same"
    nice: int = 0
    stop_signal: signal.Signals = signal.SIGTERM
    stop_seconds: float = 12.0


class Process:
    """A service in one process group of its own, its output in `<logs>/<name>.log`."""

    def __init__(self, service: Service, logs: Path) -> None:
        self.service = service
        self.log = logs / f"{service.name}.log"
        self.popen: subprocess.Popen[bytes] | None = None
        self.started_at = 0.0

    def start(self) -> None:
        """Start it; the kernel passes the stop signal on should this process die."""
        self.started_at = time.monotonic()
        rotate(self.log)
        with self.log.open("ab") as log:
            self.popen = subprocess.Popen(
                self._command(),
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                env={**os.environ, **self.service.environment},
                # Its own group, yet the same session: the kernel heeds `nice` within one only.
                process_group=0,
            )

    def _command(self) -> list[str]:
        service = self.service
        launcher = [sys.executable, "-I", "-S", LAUNCHER, "--signal", int(service.stop_signal)]
        options = ["--parent", os.getpid(), "--identity", service.identity, "--nice", service.nice]
        return [str(part) for part in (*launcher, *options, "--", *service.command)]

    def exit_code(self) -> int | None:
        """Return how it ended; None while it runs."""
        return self.popen.poll() if self.popen else None

    def ask_to_stop(self) -> None:
        """Send the signal that lets it finish what it is doing."""
        if self.popen and self.exit_code() is None:
            self.popen.send_signal(self.service.stop_signal)

    def wait(self, deadline: float) -> None:
        """Wait for its end until `deadline` (monotonic), then end it and all its children."""
        if self.popen is None:
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.popen.wait(max(0.0, deadline - time.monotonic()))
        self.kill()

    def kill(self) -> None:
        """End the whole group at once, what a dead leader left behind included."""
        if self.popen:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.popen.pid, signal.SIGKILL)
            self.popen.wait()

    def stop(self) -> None:
        """Ask, wait, and insist."""
        self.ask_to_stop()
        self.wait(time.monotonic() + self.service.stop_seconds)


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
