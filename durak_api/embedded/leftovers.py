"""One stack per data folder: the lock, and what a killed stack has left running."""

import contextlib
import fcntl
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from durak_api.embedded.process import MARK


class AlreadyRunningError(Exception):
    """Another stack holds the data folder; the text says which."""


@contextlib.contextmanager
def folder_lock(folder: Path, address: str) -> Iterator[None]:
    """Hold the folder; the lock goes with the process, however that ends."""
    with (folder / "lock").open("a+", encoding="utf-8") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            file.seek(0)
            holder = file.read().strip() or "another process"
            raise AlreadyRunningError(f"{folder} is in use by {holder}") from error
        file.truncate(0)
        file.write(f"process {os.getpid()}, serving {address}\n")
        file.flush()
        yield


def end_leftovers(folder: Path, seconds: float = 10.0) -> None:
    """Wait for processes of an earlier stack on `folder` to end, then end them."""
    deadline = time.monotonic() + seconds
    while pids := marked_processes(folder):
        for pid in pids if time.monotonic() > deadline else []:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)


def marked_processes(folder: Path) -> list[int]:
    """Return the processes that were started for `folder`, this one excepted."""
    mark = f"{MARK}={folder}"
    found = _from_proc(mark) if sys.platform == "linux" else _from_ps(mark)
    return [pid for pid in found if pid != os.getpid()]


def _from_proc(mark: str) -> Iterator[int]:
    wanted = mark.encode()
    for path in Path("/proc").glob("[0-9]*/environ"):
        with contextlib.suppress(OSError):
            if wanted in path.read_bytes().split(b"\0"):
                yield int(path.parent.name)


def _from_ps(mark: str) -> Iterator[int]:
    command = ["ps", "-A", "-E", "-ww", "-o", "pid=,command="]
    listing = subprocess.run(command, check=False, capture_output=True, text=True).stdout
    for line in listing.splitlines():
        pid, _, rest = line.strip().partition(" ")
        if mark in rest.split():
            yield int(pid)
