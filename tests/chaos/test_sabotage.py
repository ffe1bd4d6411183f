"""The judge of a run on the real service finds a promise that was broken on purpose."""

import os
import subprocess
import sys

import pytest

from tests.durak_api.stack import OTHER_SERVERS

# One process of the test run has a whole service to itself at a time.
pytestmark = pytest.mark.xdist_group("stack")


@pytest.mark.parametrize(
    ("sabotage", "reason"),
    [
        ("lost", "BROKEN: lost: POST /games/"),
        ("doubled", "moves that nobody knows of"),
        ("skipped", "event 8 follows 6"),
    ],
)
def test_a_broken_promise_is_noticed(sabotage: str, reason: str) -> None:
    command = [sys.executable, "-m", "tests.chaos", "--kills", "2", "--games", "4"]
    done = subprocess.run(
        [*command, "--seed", "3", "--calm", "25", "--sabotage", sabotage],
        env={name: text for name, text in os.environ.items() if name not in OTHER_SERVERS},
        text=True,
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert reason in done.stdout
