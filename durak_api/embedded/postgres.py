"""A private PostgreSQL: made once, reached by a socket in a folder that only we may enter."""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
import time
from functools import cache
from pathlib import Path
from urllib.parse import quote

from durak_api.embedded.binaries import postgres_binary
from durak_api.embedded.process import Command, Identity, Service, launched

OWNER, APP, DATABASE = "durak_owner", "durak_app", "durak"
NOBODY = 65534
# One statement a line: the single-user mode reads it so.
ROLES = f"""\
CREATE ROLE {OWNER} LOGIN CREATEDB;
CREATE ROLE {APP} LOGIN;
GRANT {APP} TO {OWNER};
CREATE DATABASE {DATABASE} OWNER {OWNER};
"""
UNSAFE_BUT_FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


class PostgresError(Exception):
    """The data folder cannot be made or used."""


def database_url(sockets: Path, role: str, database: str = DATABASE) -> str:
    """Return the URL of `database` for `role`."""
    return f"postgres://{role}@{quote(str(sockets), safe='')}/{database}"


@cache
def identity() -> Identity:
    """Return who PostgreSQL runs as: it refuses to be root, so root has to pretend."""
    if os.geteuid() != 0:
        return "same"
    probe = run_as("namespace", (sys.executable, "-I", "-S", "-c", ""))
    return "namespace" if probe.returncode == 0 else "nobody"


def run_as(
    who: Identity, command: Command, text: str | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a short command as `who`; its output is in `stdout`."""
    return subprocess.run(
        launched(command, signal.SIGTERM, who),
        input=text,
        check=False,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def prepare(folder: Path, *, durable: bool = True) -> None:
    """Make the cluster with its roles and its database, unless it is there; raise PostgresError."""
    if not folder.exists():
        unfinished = folder.with_name(folder.name + ".new")
        shutil.rmtree(unfinished, ignore_errors=True)
        unfinished.mkdir(mode=0o700)
        hand_over(unfinished)
        initdb(unfinished, durable=durable)
        create_roles(unfinished)
        unfinished.rename(folder)
    hand_over(folder)
    check_version(folder)
    end_leftover(folder)


def hand_over(folder: Path) -> None:
    """Let the cluster belong to whoever runs it today."""
    if os.geteuid() != 0:
        return
    uid = NOBODY if identity() == "nobody" else 0
    if folder.stat().st_uid != uid:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, uid, uid, follow_symlinks=False)


def initdb(folder: Path, *, durable: bool) -> None:
    """Make an empty cluster."""
    sync = ["--no-sync"]
    if durable:
        sync = ["--sync-method=syncfs"] if sys.platform == "linux" else []
    locale = ["--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    access = ["--username=postgres", "--auth=trust", "--encoding=UTF8"]
    made = run_as(
        identity(),
        (postgres_binary("initdb"), f"--pgdata={folder}", *access, *locale, *sync),
    )
    if made.returncode != 0:
        raise PostgresError(f"initdb failed:\n{made.stdout}")


def create_roles(folder: Path) -> None:
    """Make the owner, the application's role and the database, before any server runs."""
    command = (postgres_binary("postgres"), "--single", "-D", folder, "postgres")
    made = run_as(identity(), command, ROLES)
    if made.returncode != 0 or "ERROR" in made.stdout:
        raise PostgresError(f"the roles could not be made:\n{made.stdout}")


def check_version(folder: Path) -> None:
    """Refuse a cluster of another major release."""
    ours = run_as("same", (postgres_binary("postgres"), "--version")).stdout.split()[-1]
    theirs = (folder / "PG_VERSION").read_text().strip()
    if ours.split(".")[0] != theirs:
        raise PostgresError(
            f"{folder} was made by PostgreSQL {theirs}, this is {ours}: "
            "dump it with the old release and restore it here (docs/operations.md)"
        )


def end_leftover(folder: Path, seconds: float = 15.0) -> None:
    """See off a server that outlived its supervisor; nobody else may use this folder."""
    pid = leftover_pid(folder)
    if pid is None:
        return
    deadline = time.monotonic() + seconds
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGINT)
        while time.monotonic() < deadline:
            os.kill(pid, 0)
            time.sleep(0.02)
        os.kill(pid, signal.SIGQUIT)
        time.sleep(1)
    (folder / "postmaster.pid").unlink(missing_ok=True)


def leftover_pid(folder: Path) -> int | None:
    """Return the process that holds the cluster; forget a number that somebody else has now."""
    lock = folder / "postmaster.pid"
    try:
        pid = int(lock.read_text().split("\n", 1)[0])
        os.kill(pid, 0)
    except (FileNotFoundError, ValueError, ProcessLookupError):
        return None
    if sys.platform == "linux" and not is_postgres(pid):
        lock.unlink()
        return None
    return pid


def is_postgres(pid: int) -> bool:
    """Tell whether that process is a PostgreSQL server."""
    with contextlib.suppress(OSError):
        return b"postgres" in Path(f"/proc/{pid}/cmdline").read_bytes()
    return False


def service(folder: Path, sockets: Path, *, durable: bool = True) -> Service:
    """Return the server of the cluster in `folder`."""
    settings = [
        "listen_addresses=",
        f"unix_socket_directories={sockets}",
        "unix_socket_permissions=0700",
        "timezone=UTC",
        *(() if durable else UNSAFE_BUT_FAST),
    ]
    if sys.platform == "linux":
        settings.append("recovery_init_sync_method=syncfs")
    options = [part for setting in settings for part in ("-c", setting)]
    return Service(
        name="postgres",
        run=(postgres_binary("postgres"), "-D", folder, *options),
        is_ready=lambda: is_ready(folder),
        identity=identity(),
        stop_signal=signal.SIGINT,
        stop_seconds=20.0,
    )


def is_ready(folder: Path) -> bool:
    """Tell whether the server has written that it takes connections."""
    with contextlib.suppress(OSError):
        lines = (folder / "postmaster.pid").read_text().splitlines()
        return len(lines) > 7 and lines[7].strip() == "ready"
    return False
