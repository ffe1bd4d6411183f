"""A short storm, in which each process of the service is killed once."""

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

from tests.chaos.killer import LEADERS
from tests.chaos.report import Report
from tests.durak_api.stack import OTHER_SERVERS

# One process of the test run has a whole service to itself at a time.
pytestmark = pytest.mark.xdist_group("stack")


def test_nothing_is_lost_when_each_process_is_killed(tmp_path: Path) -> None:
    told = tmp_path / "report.json"
    command = [sys.executable, "-m", "tests.chaos", "--kills", str(len(LEADERS)), "--games", "4"]
    done = subprocess.run(
        [*command, "--seed", "7", "--json", told],
        env={name: text for name, text in os.environ.items() if name not in OTHER_SERVERS},
        text=True,
        capture_output=True,
        check=False,
        timeout=300,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = msgspec.json.decode(told.read_bytes(), type=Report)
    assert {kill.removesuffix(" child") for kill in report.kills} == set(LEADERS)
    assert report.games >= 4
    assert report.moves > 20
    assert report.read > report.events
    assert sum(report.cuts.values()) > 20
    assert report.duplicates > 0
    assert "0 at fault" in report.verified
