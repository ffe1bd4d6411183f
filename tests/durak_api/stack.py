"""`python -m durak_api.embedded` as a subprocess, the way a person starts it."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from durak_api.embedded.leftovers import writers
from durak_api.embedded.probes import answers_http
from durak_api.embedded.process import Identity, launched
from tests.live import free_port

START_SECONDS = 120
OTHER_SERVERS = ("DATABASE_URL", "DATABASE_OWNER_URL", "REDIS_URL", "SECRET_KEY")


class Stack:
    """One data folder, one port, and the supervisor that was started last.

    With an `identity` other than "same" the supervisor has no more rights than an ordinary user.
    """

    def __init__(self, folder: Path, identity: Identity = "same") -> None:
        self.folder = folder
        self.port = free_port()
        self.identity = identity
        self.output = folder.with_name(f"{folder.name}.out")
        self.process: subprocess.Popen[bytes] | None = None

    def launch(self) -> subprocess.Popen[bytes]:
        """Start a supervisor without waiting."""
        ours = {"DATA_DIR": str(self.folder), "PORT": str(self.port), "HOME": str(self.folder)}
        command = (sys.executable, "-m", "durak_api.embedded")
        inherited = {name: value for name, value in os.environ.items() if name not in OTHER_SERVERS}
        with self.output.open("ab") as output:
            return subprocess.Popen(
                launched(command, signal.SIGTERM, self.identity),
                env={**inherited, **ours},
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    def start(self) -> float:
        """Start, wait until all of it serves, return the seconds it took."""
        began = time.monotonic()
        self.process = self.launch()
        marker = len(self.said())
        while "Ready after" not in self.said()[marker:]:
            assert self.process.poll() is None, self.said()
            assert time.monotonic() - began < START_SECONDS, self.said()
            time.sleep(0.02)
        assert self.answers()
        return time.monotonic() - began

    def said(self) -> str:
        """Everything that supervisors of this folder have printed."""
        return self.output.read_text() if self.output.exists() else ""

    def answers(self) -> bool:
        """Tell whether the address answers."""
        return answers_http(("127.0.0.1", self.port))

    def signal(self, number: signal.Signals) -> int:
        """Send the supervisor a signal; return its exit code."""
        assert self.process is not None
        self.process.send_signal(number)
        return self.process.wait(60)

    def processes(self) -> list[int]:
        """Everything that runs for this folder, the supervisor aside."""
        return writers(self.folder / "log")

    def pid(self, name: str) -> int:
        """The process that leads the service."""
        return int((self.folder / "run" / f"{name}.pid").read_text())


@contextlib.contextmanager
def stack_at(folder: Path, identity: Identity = "same") -> Iterator[Stack]:
    """Give a stack, and end what is left of it."""
    stack = Stack(folder, identity)
    try:
        yield stack
    finally:
        if stack.process is not None and stack.process.poll() is None:
            stack.signal(signal.SIGTERM)


def eventually(question: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Ask until the answer is yes, or time is up."""
    deadline = time.monotonic() + seconds
    while not (answer := question()) and time.monotonic() < deadline:
        time.sleep(0.05)
    return answer
