"""One stack per data folder: the lock, and what a killed stack has left running."""

import contextlib
import fcntl
import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path


class AlreadyRunningError(Exception):
    """Another stack holds the data folder; the text says which."""


@contextlib.contextmanager
def folder_lock(folder: Path, address: str) -> Iterator[None]:
    """Hold the folder; the lock goes with this process, however that ends, and not with forks."""
    with (folder / "lock").open("a+", encoding="utf-8") as file:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            file.seek(0)
            holder = file.read().strip() or "another process"
            raise AlreadyRunningError(f"{folder} is in use by {holder}") from error
        file.truncate(0)
        file.write(f"process {os.getpid()}, serving {address}\n")
        file.flush()
        yield


def end_leftovers(logs: Path, seconds: float = 3.0) -> None:
    """Wait until nobody writes to these logs any more, then end whoever still does.

    All of them were told when their supervisor ended, and none has anything to lose but the
    database, which is left to `postgres.end_leftover`.
    """
    deadline = time.monotonic() + seconds
    while pids := writers(logs, but="postgres.log"):
        for pid in pids if time.monotonic() > deadline else []:
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        time.sleep(0.05)


def writers(logs: Path, but: str = "") -> list[int]:
    """Return the processes whose standard output is a log in that folder (Linux only).

    Services, their children and grandchildren are all told by it, whatever they call themselves;
    those that write to the log named `but` are left out.
    """
    found = []
    for link in Path("/proc").glob("[0-9]*/fd/1"):
        with contextlib.suppress(OSError):
            target = link.readlink()
            if target.parent == logs and target.name != but:
                found.append(int(link.parts[2]))
    return found
