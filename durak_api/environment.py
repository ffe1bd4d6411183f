"""Where settings come from: the environment, then what a running `make run` left for us."""

import os
from pathlib import Path

import environ

BASE_DIR = Path(__file__).resolve().parent.parent
RUN_FILE = "environment"


def data_dir() -> Path:
    """Return the folder of the embedded servers' data (`DATA_DIR`, default `.data`)."""
    return Path(os.environ.get("DATA_DIR") or BASE_DIR / ".data").resolve()


def run_file_read(folder: Path) -> dict[str, str]:
    """Return the addresses of the stack that runs on `folder`; empty when none does."""
    try:
        lines = (folder / RUN_FILE).read_text(encoding="utf-8").splitlines()
    except OSError:
        return {}
    return dict(line.split("=", 1) for line in lines if "=" in line)


def environment() -> environ.Env:
    """Return a reader of settings; the process's own environment wins.

    `manage.py` typed beside a running stack thus talks to that stack's servers.
    """
    env = environ.Env()
    env.ENVIRON = {**run_file_read(data_dir()), **os.environ}
    return env
