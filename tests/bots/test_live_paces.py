"""Deep and quick bots on the real stack: broker, workers and sweeper are processes of their own."""

import time
from collections.abc import Callable
from itertools import pairwise
from statistics import median

import pytest

from tests.bots.ponderer import EARLY
from tests.bots.test_live import GAME, assert_gapless, eventually, finished
from tests.live import LiveStack
from tests.live_client import Client

WAITING = "SELECT count(*)::int FROM due_turn WHERE brain = 'ponderer'"
TIMES = "SELECT DISTINCT at FROM games_gameevent WHERE game_id = %s AND seq > 5 ORDER BY at"
TROUBLE = "SELECT trouble FROM bots_decision WHERE game_id = %s AND brain = %s ORDER BY seq"
LOST = "SELECT sum(count)::int FROM bots_incident WHERE brain = 'hanger' AND kind = 'lost'"
TABLES = 8


@pytest.fixture
def client(live_stack: LiveStack) -> Client:
    """A new player of the running stack."""
    return Client(live_stack)


def version_of(stack: LiveStack, game_id: str) -> int:
    version: int = stack.rows(GAME, game_id)[0][1]
    return version


def moved(stack: LiveStack, game_id: str, before: int) -> Callable[[], bool]:
    return lambda: version_of(stack, game_id) > before


def pause(stack: LiveStack, game_id: str) -> float:
    """The median of the seconds between two moves of a finished game."""
    times = [at for (at,) in stack.rows(TIMES, game_id)]
    return median((after - before).total_seconds() for before, after in pairwise(times))


def test_deep_bots_do_not_delay_quick_ones(live_stack: LiveStack, client: Client) -> None:
    deep = [client.open(2, "ponderer", "ponderer") for _ in range(TABLES)]
    begun = [version_of(live_stack, game_id) for game_id in deep]
    assert live_stack.rows(WAITING)[0][0] > TABLES / 2, "one process cannot be through already"
    quick = client.open(2, "greedy", "random")
    eventually(finished(live_stack, quick), 60)
    slowest = min(version_of(live_stack, game_id) for game_id in deep)
    print(f"\nquick bots: {pause(live_stack, quick):.3f} s a move beside {TABLES} deep tables")
    assert slowest < EARLY, "a whole quick game takes less than a few deep moves"
    assert pause(live_stack, quick) < 0.5
    assert_gapless(live_stack, quick)
    for game_id, before in zip(deep, begun, strict=True):
        eventually(moved(live_stack, game_id, before), 60)


def test_a_brain_that_no_signal_reaches_loses_its_process_and_its_turn(
    live_stack: LiveStack, client: Client
) -> None:
    game_id = client.open(2, "hanger", "greedy")
    began = time.monotonic()
    eventually(finished(live_stack, game_id), 90)
    print(f"\na hanging brain held its game up for {time.monotonic() - began:.1f} s")
    assert_gapless(live_stack, game_id)
    made = [trouble for (trouble,) in live_stack.rows(TROUBLE, game_id, "hanger")]
    assert made[0] == "lost"
    assert set(made) == {"lost", ""}
    assert live_stack.rows(LOST)[0][0] >= 1
    again = client.open(2, "greedy", "greedy")
    eventually(finished(live_stack, again), 60)
