"""Bots on the real stack: API, broker, worker and beat are processes of their own."""

import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from bots.brains.patterns import safe_move
from tests.bots.misfits import OUTRIGHT
from tests.live import LiveStack
from tests.live_client import Client

GAME = "SELECT status, version FROM games_game WHERE id = %s"
ATTEMPTS = "SELECT attempts FROM due_turn WHERE game_id = %s"
SEQUENCE = "SELECT seq FROM games_gameevent WHERE game_id = %s ORDER BY seq"
INCIDENTS = "SELECT kind, sum(count)::int FROM bots_incident WHERE brain = ANY(%s) GROUP BY kind"


@pytest.fixture
def client(live_stack: LiveStack) -> Client:
    """A new player of the running stack."""
    return Client(live_stack)


def eventually(question: Callable[[], Any], seconds: float) -> float:
    """Ask until the answer is true; return the seconds that it took."""
    began = time.monotonic()
    while not question():
        assert time.monotonic() - began < seconds, "not in time"
        time.sleep(0.02)
    return time.monotonic() - began


def finished(stack: LiveStack, game_id: str) -> Callable[[], bool]:
    return lambda: stack.rows(GAME, game_id)[0][0] == "finished"


def assert_gapless(stack: LiveStack, game_id: str) -> None:
    version = stack.rows(GAME, game_id)[0][1]
    assert [seq for (seq,) in stack.rows(SEQUENCE, game_id)] == list(range(1, version + 1))


@pytest.mark.parametrize("brains", [("greedy", "random"), ("greedy",) * 6])
def test_a_game_of_bots_alone_ends_with_nobody_polling(
    live_stack: LiveStack, client: Client, brains: tuple[str, ...]
) -> None:
    game_id = client.open(len(brains), *brains)
    eventually(finished(live_stack, game_id), 60)
    assert client.get(f"/games/{game_id}")["result"]["reason"] in ("played_out", "repetition")
    assert_gapless(live_stack, game_id)


def test_one_human_and_five_bots_play_to_the_end(live_stack: LiveStack, client: Client) -> None:
    game_id = client.open(6, *["greedy", "random"] * 2, "greedy")
    deadline = time.monotonic() + 90
    while (view := client.get(f"/games/{game_id}"))["status"] == "running":
        assert time.monotonic() < deadline
        if view["you"]["legal_moves"]:
            client.post(f"/games/{game_id}/moves", safe_move(view))
        time.sleep(0.01)
    assert view["result"]["reason"] in ("played_out", "repetition")
    assert_gapless(live_stack, game_id)


@pytest.fixture
def restarted(live_stack: LiveStack) -> Iterator[LiveStack]:
    """The stack, with a worker again at the end whatever the test does to it."""
    yield live_stack
    live_stack.kill_worker()
    live_stack.restart_worker()


def test_a_worker_killed_in_mid_turn_delays_the_game_by_five_seconds_at_most(
    restarted: LiveStack, client: Client
) -> None:
    game_id = client.open(2, "slow", "slow")
    eventually(lambda: restarted.rows(ATTEMPTS, game_id)[0][0] == 1, 10)
    before = restarted.rows(GAME, game_id)[0][1]
    restarted.kill_worker()
    assert restarted.rows(GAME, game_id)[0][1] == before
    restarted.restart_worker()
    # The brain itself thinks for a second and a half of this.
    assert eventually(lambda: restarted.rows(GAME, game_id)[0][1] > before, 20) <= 5
    eventually(finished(restarted, game_id), 90)
    assert_gapless(restarted, game_id)


def test_turns_wait_for_a_worker_that_was_away(restarted: LiveStack, client: Client) -> None:
    restarted.kill_worker()
    game_id = client.open(3, "greedy", "random", "greedy")
    # Beat goes on sending sweeps that nobody takes.
    time.sleep(3)
    restarted.restart_worker()
    before = restarted.rows(GAME, game_id)[0][1]
    assert eventually(lambda: restarted.rows(GAME, game_id)[0][1] > before, 20) <= 5
    eventually(finished(restarted, game_id), 60)
    assert_gapless(restarted, game_id)


def test_bad_brains_cost_the_table_nothing(live_stack: LiveStack, client: Client) -> None:
    games = [client.open(5, *OUTRIGHT, "greedy"), client.open(2, "sleeper", "greedy")]
    for game_id in games:
        eventually(finished(live_stack, game_id), 60)
        assert client.get(f"/games/{game_id}")["result"]["reason"] in ("played_out", "repetition")
        assert_gapless(live_stack, game_id)
    met = {kind for kind, _ in live_stack.rows(INCIDENTS, [*OUTRIGHT, "sleeper"])}
    assert met == {"raised", "illegal", "overtime"}


def test_a_brain_that_kills_its_process_is_played_for(
    live_stack: LiveStack, client: Client
) -> None:
    game_id = client.open(2, "crasher", "greedy")
    eventually(finished(live_stack, game_id), 60)
    assert_gapless(live_stack, game_id)
    assert "lost" in dict(live_stack.rows(INCIDENTS, ["crasher"]))
