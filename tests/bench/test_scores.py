"""Scores are measured in short form, on a database that is kept and asked again."""

import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from bench.report import Report

# One process runs the benchmarks.
pytestmark = pytest.mark.xdist_group("bench")


def measured(folder: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """What the benchmark says, of a crowd in the folder."""
    kept = ("--keep", str(folder / "kept"), "--json", str(folder / "report.json"))
    command = [sys.executable, "-m", "bench", "scores", "--quick", *kept, *more]
    return subprocess.run(command, text=True, check=False, capture_output=True, timeout=300)


def test_a_crowd_is_loaded_once_and_asked_again(tmp_path: Path) -> None:
    loads = []
    for _ in range(2):
        done = measured(tmp_path)
        assert done.returncode == 0, done.stderr
        loads.append("games_ratingchange: 40,000 rows in" in done.stderr)
        report = msgspec.json.decode((tmp_path / "report.json").read_bytes(), type=Report)
        (section,) = report.sections
        assert section.title == "Scores: 2,000 players, 20,000 results, at the database"
        assert len(section.rows) == len(section.ratios) == 12
        assert all(row.rate > 0 for row in section.rows)
        assert all("ms without waiting for a core, CPU" in note for note in section.notes)
    assert loads == [True, False]
    other = measured(tmp_path, "--players", "1000")
    assert other.returncode != 0
    assert "has 2,000 players and 20,000 results" in other.stderr


def test_half_a_crowd_is_refused(tmp_path: Path) -> None:
    assert measured(tmp_path).returncode == 0
    (tmp_path / "kept" / "crowd.json").unlink()
    done = measured(tmp_path)
    assert done.returncode != 0
    assert "a load that was broken off is in the folder" in done.stderr
