"""The benchmark runs, in its short form, and reports everything it is there for."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from bench import bots, endgame, log, simulated
from bench.engine import EIGHTS, MAU_MAU, PLAYOUTS, STEPS, TABLE, YARDSTICK
from bench.report import Report, report_text
from bench.web import API, BARE, FRONT, PSYCOPG

# One process runs it for all of these tests.
pytestmark = pytest.mark.xdist_group("bench")
ENGINE = [PLAYOUTS, YARDSTICK, TABLE, MAU_MAU, EIGHTS, *STEPS.values()]
BOTS = [
    name
    for name in (bots.GREEDY, bots.MAU_MAU_2, bots.MAU_MAU_4, bots.UNO, bots.EIGHTS)
    for _ in ("moves/s", "games/s")
]
SEARCH = [
    simulated.STEPS,
    simulated.WALK,
    simulated.ROLLS,
    "greedy roll-outs, 4 players",
    *("flat roll-outs, 2 players", "tree iterations, 2 players"),
    *("flat roll-outs, 4 players", "tree iterations, 4 players"),
]
VERIFYING, APPENDING = [log.CHAIN, log.RULES, log.HASHES], [log.STORE, log.PSYCOPG]
MOVES, VIEWS = [API, BARE, PSYCOPG], [API, BARE, FRONT]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    folder = tmp_path_factory.mktemp("bench")
    command = [sys.executable, "-m", "bench", "--quick", "--json", folder / "report.json"]
    environment = {**os.environ, "DATA_DIR": str(folder)}
    done = subprocess.run(
        command, env=environment, text=True, check=False, capture_output=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert [path.name for path in folder.iterdir()] == ["report.json"]
    found = msgspec.json.decode((folder / "report.json").read_bytes(), type=Report)
    assert done.stdout == report_text(found)
    return found


def test_every_contender_has_a_row_with_figures(report: Report) -> None:
    rows = [[row.name for row in section.rows] for section in report.sections]
    brains = [SEARCH, [endgame.NAME], BOTS]
    assert rows == [ENGINE, *brains, VERIFYING, APPENDING, MOVES, VIEWS, VIEWS]
    assert all(row.rate > 0 for section in report.sections for row in section.rows)


def test_requests_have_latencies(report: Report) -> None:
    for row in (row for section in report.sections[6:] for row in section.rows):
        assert row.p50 is not None
        assert row.p99 is not None
        assert 0 < row.p50 <= row.p99


def test_what_is_binding_is_compared_in_the_same_run(report: Report) -> None:
    binding = [
        (ratio.name, ratio.wanted)
        for section in report.sections
        for ratio in section.ratios
        if ratio.binding
    ]
    moves, views = (f"{API} / {BARE}", 0.55), (f"{API} / {BARE}", 0.60)
    engine = (f"{STEPS[2]} / {YARDSTICK}", 1.2)
    store = (f"{log.STORE} / {log.PSYCOPG}", 0.85)
    assert binding == [engine, (log.BYTES, 1.0), store, moves, views, views]


def test_the_log_is_measured_against_what_is_wanted(report: Report) -> None:
    wanted = {ratio.name: ratio.wanted for section in report.sections for ratio in section.ratios}
    assert wanted[f"{log.CHAIN} / 100,000 a second"] == 1.0
    assert wanted[f"{log.RULES} / 10,000 a second"] == 1.0
    assert wanted[f"{log.STORE} / {log.PSYCOPG}"] == log.STORE_WANTED


def test_brains_are_measured_beside_other_projects(report: Report) -> None:
    brains = report.sections[3]
    assert {row.unit for row in brains.rows} == {"moves/s", "games/s"}
    compared = [ratio.name for ratio in brains.ratios]
    assert f"{bots.MAU_MAU_2} / {bots.UNO}" in compared
    assert f"{bots.MAU_MAU_4} / {bots.EIGHTS}" in compared


def test_the_machine_is_named(report: Report) -> None:
    assert report.machine.cores == os.cpu_count()
    assert report.machine.fsync > 0


def test_a_folder_without_a_run_is_left_empty(report: Report, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "bench", "engine", "--quick"]
    environment = {**os.environ, "DATA_DIR": str(tmp_path)}
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=120)
    assert list(tmp_path.iterdir()) == []
