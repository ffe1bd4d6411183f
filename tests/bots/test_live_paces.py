"""Deep and quick bots on the real stack: broker, workers and sweeper are processes of their own."""

import time
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
TABLES = 12


@pytest.fixture
def client(live_stack: LiveStack) -> Client:
    """A new player of the running stack."""
    return Client(live_stack)


def pause(stack: LiveStack, game_id: str) -> float:
    """The median of the seconds between two moves of a finished game."""
    times = [at for (at,) in stack.rows(TIMES, game_id)]
    return median((after - before).total_seconds() for before, after in pairwise(times))


def test_deep_bots_do_not_delay_quick_ones(live_stack: LiveStack, client: Client) -> None:
    deep = [client.open(2, "ponderer", "ponderer", rated=False) for _ in range(TABLES)]
    waiting = live_stack.rows(WAITING)[0][0]
    assert waiting > TABLES / 2, "one process cannot have thought about all of them yet"
    quick = client.open(2, "greedy", "random")
    eventually(finished(live_stack, quick), 60)
    thinking = [live_stack.rows(GAME, game_id)[0][1] for game_id in deep]
    print(f"\nquick bots: {pause(live_stack, quick):.3f} s a move beside {TABLES} deep tables")
    assert min(thinking) < EARLY, (
        "the quick game was over before the deep ones had begun in earnest"
    )
    assert_gapless(live_stack, quick)
    for game_id in deep:
        eventually(finished(live_stack, game_id), 120)
        assert_gapless(live_stack, game_id)


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
