"""The cap on thinking, and the chance of a turn."""

import math
import signal
import threading
import time
from uuid import UUID

import pytest

from bots.thinking import OvertimeError, turn_random, wall_cap

GAME, OTHER = UUID(int=1), UUID(int=2)


def test_a_block_in_time_is_left_alone() -> None:
    with wall_cap(0.05):
        value = 1
    time.sleep(0.1)
    assert value == 1


def think(kept: type[BaseException], times: float) -> None:
    """Think for ever, and keep exceptions of one kind so many times."""
    with wall_cap(0.05):
        while True:
            try:
                time.sleep(10)
            except kept:
                times -= 1
                if times <= 0:
                    raise


def test_a_block_that_swallows_exceptions_is_interrupted() -> None:
    began = time.monotonic()
    with pytest.raises(OvertimeError):
        think(Exception, math.inf)
    assert time.monotonic() - began < 1


def test_one_that_swallows_the_interruption_is_interrupted_again() -> None:
    began = time.monotonic()
    with pytest.raises(OvertimeError):
        think(OvertimeError, 3)
    assert 0.2 < time.monotonic() - began < 1


def test_the_alarm_is_given_back() -> None:
    before = signal.getsignal(signal.SIGALRM)
    with pytest.raises(OvertimeError), wall_cap(0.01):
        time.sleep(1)
    assert signal.getsignal(signal.SIGALRM) is before
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_other_threads_cannot_be_capped() -> None:
    failures: list[BaseException] = []

    def capped() -> None:
        try:
            with wall_cap(1):
                pass
        except RuntimeError as error:
            failures.append(error)

    thread = threading.Thread(target=capped)
    thread.start()
    thread.join()
    assert len(failures) == 1


def test_a_turn_has_the_same_chance_each_time_it_is_played() -> None:
    assert turn_random(b"s", GAME, 7).random() == turn_random(b"s", GAME, 7).random()


def test_another_game_version_or_secret_has_another_chance() -> None:
    streams = [(b"s", GAME, 7), (b"s", GAME, 8), (b"s", OTHER, 7), (b"t", GAME, 7)]
    assert len({turn_random(*stream).random() for stream in streams}) == 4
