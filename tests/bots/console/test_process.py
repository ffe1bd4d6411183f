"""The console as a process: without servers, interrupted, and in odd terminals."""

import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
# Nobody answers at these addresses: the console must not want anybody.
NOWHERE = {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/none", "REDIS_URL": "redis://127.0.0.1:1"}


def command(*arguments: str) -> list[str]:
    return [sys.executable, str(ROOT / "manage.py"), "play", "--lang", "en", *arguments]


def environment(encoding: str = "utf-8") -> dict[str, str]:
    return {**os.environ, **NOWHERE, "PYTHONIOENCODING": encoding, "PYTHONUNBUFFERED": "1"}


def test_ctrl_c_leaves_the_game_quietly() -> None:
    process = subprocess.Popen(
        command("--seed", "five"),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stdout is not None
    seen = b""
    while b"Your move >" not in seen:
        seen += os.read(process.stdout.fileno(), 4096)
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(timeout=20)
    assert (process.returncode, errors) == (130, b"")
    assert output.decode().rstrip().endswith("The game is left unfinished.")


def test_a_reader_that_goes_away_is_no_accident() -> None:
    script = f"{shlex.join(command('--auto', '--bots', '5'))} | head -n 1"
    done = subprocess.run(
        ["sh", "-c", script], capture_output=True, env=environment(), timeout=60, check=False
    )
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_terminal_without_the_symbols_gets_something_else() -> None:
    done = subprocess.run(
        command("--auto", "--seed", "five"),
        capture_output=True,
        env=environment("latin-1"),
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"Places: " in done.stdout
