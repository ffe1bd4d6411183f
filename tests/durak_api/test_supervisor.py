"""How long the supervisor waits before it starts a process again."""

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from durak_api.embedded.process import Process, Service
from durak_api.embedded.supervisor import (
    FIRST_DELAY,
    LONGEST_DELAY,
    STEADY_RUNS,
    Supervised,
    Supervisor,
)
from tests.durak_api.stack import eventually


def nothing() -> None:
    """Nobody asks us to stop."""


def service(code: str, is_ready: Callable[[], bool] = lambda: True) -> Service:
    """A process of our own."""
    return Service(name="one", run=(sys.executable, "-c", code), is_ready=is_ready)


@pytest.fixture
def supervised(tmp_path: Path) -> Supervised:
    """A process that was just started."""
    one = Supervised(Process(service(""), tmp_path))
    one.process.started_at = 100.0
    return one


def lives(supervised: Supervised, *seconds: float) -> list[float]:
    """The delays after runs of these lengths."""
    start = supervised.process.started_at
    return [supervised.note_exit(start + run) for run in seconds]


def test_each_early_end_doubles_the_delay_up_to_a_limit(supervised: Supervised) -> None:
    delays = lives(supervised, *[1.9] * 8)
    assert delays[:3] == [FIRST_DELAY, 2 * FIRST_DELAY, 4 * FIRST_DELAY]
    assert delays[-2:] == [LONGEST_DELAY, LONGEST_DELAY]


def test_whoever_ran_ten_times_as_long_as_he_waited_waits_no_longer_than_first(
    supervised: Supervised,
) -> None:
    assert lives(supervised, 2.1, 2.1, 2.1) == [FIRST_DELAY] * 3
    assert lives(supervised, 1.0, 4.1) == [2 * FIRST_DELAY, FIRST_DELAY]
    assert lives(supervised, *[1.0] * 8)[-1] == LONGEST_DELAY
    assert lives(supervised, STEADY_RUNS * LONGEST_DELAY + 0.1) == [FIRST_DELAY]


def test_a_process_that_ends_is_started_again_and_again(tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    said: list[str] = []
    supervisor = Supervisor(tmp_path, tmp_path, said.append, nothing)
    supervisor.start(service(f"open({str(runs)!r}, 'a').write('x')"))

    def three_runs() -> bool:
        supervisor.tick()
        return runs.exists() and len(runs.read_text()) >= 3

    try:
        assert eventually(three_runs, 20)
        assert said[:2] == [
            "one ended (0); starting it again in 0.2 s",
            "one ended (0); starting it again in 0.4 s",
        ]
    finally:
        supervisor.stop([("one",)])
