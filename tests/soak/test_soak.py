"""The soak plays, says what it saw, and goes on where it stopped."""

import subprocess
import sys
from pathlib import Path

import msgspec

from tests.soak.__main__ import CHUNK, Progress


def soak(games: int, state: Path) -> str:
    """The report of a run that keeps its state there."""
    command = [sys.executable, "-m", "tests.soak", "--games", str(games), "--every", "100"]
    done = subprocess.run(
        [*command, "--state", str(state)], text=True, capture_output=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_sample_of_the_soak_breaks_no_law_and_can_be_taken_up_again(tmp_path: Path) -> None:
    state = tmp_path / "soak.json"
    assert f"games {CHUNK:,} " in soak(CHUNK, state)
    first = msgspec.json.decode(state.read_bytes(), type=Progress)
    assert f"games {2 * CHUNK:,} " in soak(2 * CHUNK, state)
    both = msgspec.json.decode(state.read_bytes(), type=Progress)
    assert (first.done, both.done) == ([0], [0, 1])
    assert sum(first.tally.endings.values()) == CHUNK
    assert sum(both.tally.endings.values()) == 2 * CHUNK
    assert both.tally.costly == 2 * CHUNK // 100
