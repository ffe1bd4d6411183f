"""Analyses on the real stack: broker, beat and thinker are processes of their own."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from bots.analysis.judging import decision_judge
from bots.analysis.turns import Eyes, turns_of
from bots.console.records import told_by
from tests.bots.test_live import eventually, finished
from tests.bots.test_live_paces import pause
from tests.live import LiveStack
from tests.live_client import Client

SMALL = {"deck_size": 24, "hand_size": 4}
ROW = "SELECT status, done FROM bots_analysis WHERE game_id = %s"


@pytest.fixture
def client(live_stack: LiveStack) -> Client:
    """A new player of the running stack."""
    return Client(live_stack)


def progressed(stack: LiveStack, game_id: str, done: int) -> Callable[[], bool]:
    return lambda: stack.rows(ROW, game_id)[0][1] >= done


def over(stack: LiveStack, game_id: str) -> Callable[[], bool]:
    return lambda: stack.rows(ROW, game_id)[0][0] == "done"


def test_a_thinker_killed_in_mid_analysis_costs_it_little(
    live_stack: LiveStack, client: Client, tmp_path: Path
) -> None:
    game_id = client.open(2, "random", "greedy", options=SMALL)
    eventually(finished(live_stack, game_id), 60)
    asked = client.post(f"/games/{game_id}/analysis", {})
    assert asked["status"] in ("waiting", "running")
    eventually(progressed(live_stack, game_id, 3), 60)
    live_stack.kill_process("thinker")
    before = live_stack.rows(ROW, game_id)[0]
    assert before[0] == "running"
    seconds = eventually(over(live_stack, game_id), 180)
    print(f"\nkilled after {before[1]} moves, done {seconds:.1f} s later")
    shown = client.get(f"/games/{game_id}/analysis")
    decisions = shown["result"]["decisions"]
    assert [one["number"] for one in decisions] == list(range(1, shown["progress"]["of"] + 1))
    assert_same_offline(client.get(f"/games/{game_id}/replay"), decisions, tmp_path)


def test_deep_bots_play_on_beside_analyses(live_stack: LiveStack, client: Client) -> None:
    games = [client.open(2, "greedy", "greedy") for _ in range(2)]
    for game_id in games:
        eventually(finished(live_stack, game_id), 60)
        client.post(f"/games/{game_id}/analysis", {})
    eventually(progressed(live_stack, games[0], 1), 60)
    deep = client.open(2, "ponderer", "ponderer")
    eventually(finished(live_stack, deep), 120)
    assert not all(over(live_stack, game_id)() for game_id in games)
    print(f"\ndeep bots: {pause(live_stack, deep):.3f} s a move beside {len(games)} analyses")
    assert pause(live_stack, deep) < 1.5
    for game_id in games:
        eventually(over(live_stack, game_id), 180)


def assert_same_offline(export: Any, decisions: list[dict[str, Any]], folder: Path) -> None:
    """An export of the game, judged here, says the same of its last real decision."""
    file = folder / "game.json"
    file.write_text(json.dumps(export), encoding="utf-8")
    events = told_by(str(file)).events
    last = next(one for one in reversed(decisions) if one["options"])
    turn = next(turn for turn in turns_of(events) if turn.number == last["number"])
    again = msgspec.to_builtins(decision_judge(turn, Eyes(events)), str_keys=True)
    plain = json.loads(msgspec.json.encode(again))
    assert {**last, "came": None} == plain
