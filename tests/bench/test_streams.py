"""The benchmark of streams runs, in its short form, and notices what is missing or doubled."""

import os
import subprocess
import sys
from pathlib import Path
from uuid import UUID

import msgspec
import pytest

from bench.report import Report, report_text
from bench.streams.breaks import EXACT
from bench.streams.followers import Follower, Told
from bench.streams.idle import KILOBYTES, OPENED, TOLD
from bench.streams.latency import ANSWERED, COMMITTED, PUBLISH
from bench.streams.moving import Run, Stored, faults_of, versions_of

GAME = UUID(int=1)


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("bench")
    command = [sys.executable, "-m", "bench", "streams", "--quick", "--idle", "30", "--json"]
    environment = {**os.environ, "DATA_DIR": str(folder)}
    done = subprocess.run(
        [*command, folder / "report.json"],
        env=environment,
        text=True,
        check=False,
        capture_output=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    found = msgspec.json.decode((folder / "report.json").read_bytes(), type=Report)
    assert done.stdout == report_text(found)
    return found


@pytest.mark.xdist_group("bench")
def test_every_table_has_its_rows(report: Report) -> None:
    rows = [[row.name for row in section.rows] for section in report.sections]
    assert rows == [
        [OPENED, TOLD],
        [COMMITTED, ANSWERED, PUBLISH],
        ["event, broker there", "event, broker away", "event, broker back"],
    ]
    assert report.sections[0].title == "30 streams, one process"
    assert all(row.p99 for section in report.sections[:2] for row in section.rows)


@pytest.mark.xdist_group("bench")
def test_nothing_is_missed_and_memory_is_held_against_its_aim(report: Report) -> None:
    binding = {
        ratio.name: ratio
        for section in report.sections
        for ratio in section.ratios
        if ratio.binding
    }
    assert binding.keys() == {KILOBYTES, EXACT}
    assert binding[EXACT].value == 1.0


def follower(*seqs: int, after: int) -> Follower:
    """Somebody who was told these events of the game, whose hashes are their numbers."""
    one = Follower(Path("nowhere"), GAME, "", after)
    for seq in seqs:
        one.take(seq, msgspec.json.encode({"hash": f"h{seq}"}))
    return one


def run_of(one: Follower) -> Run:
    """A run in which the game went on from 1 to 4."""
    stored = {(GAME, seq): Stored(f"h{seq}", 0.0) for seq in (2, 3, 4)}
    return Run([one], stored, versions_of(stored), {}, 1.0)


@pytest.mark.parametrize(
    ("seqs", "missed", "doubled"),
    [
        ((2, 3, 4), 0, 0),
        ((2, 4), 1, 0),
        ((2, 3), 1, 0),
        ((2, 2, 3, 4), 0, 1),
        ((2, 3, 4, 3), 0, 1),
        ((4,), 2, 0),
    ],
)
def test_what_a_stream_missed_or_had_twice_is_counted(
    seqs: tuple[int, ...], missed: int, doubled: int
) -> None:
    assert faults_of(run_of(follower(*seqs, after=1))) == (missed, doubled)


def test_another_event_than_the_stored_one_counts() -> None:
    one = follower(2, 3, 4, after=1)
    one.told[1] = Told(3, "other", 0.0)
    assert faults_of(run_of(one)) == (0, 1)
