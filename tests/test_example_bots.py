"""The bots of `examples/` play on a running server, like anybody else's."""

import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count
from pathlib import Path

import pytest

from tests.bots.test_live import eventually
from tests.live import LiveStack
from tests.live_client import Client
from tests.node import node

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
PASSWORD = "its-password"
BOTH = pytest.mark.parametrize("program", ["bot.py", "bot.mjs"])
_names = (f"robot_{number}" for number in count())


def command(program: str, stack: LiveStack, name: str) -> list[str]:
    """How a bot is started."""
    runner = sys.executable if program.endswith(".py") else node()
    return [runner, str(EXAMPLES / program), stack.base_url, name, PASSWORD]


@contextmanager
def running(program: str, stack: LiveStack, name: str) -> Iterator[None]:
    """A bot that waits for invitations."""
    process = subprocess.Popen(command(program, stack, name))
    try:
        yield
        assert process.poll() is None
    finally:
        process.kill()
        process.wait()


def played(program: str, stack: LiveStack, name: str, table: str) -> str:
    """Let a bot play at one table; the address of the game."""
    told = [*command(program, stack, name), table]
    done = subprocess.run(told, capture_output=True, check=False, text=True, timeout=240)
    assert done.returncode == 0, done.stderr
    *_, last = done.stdout.splitlines()
    game = re.fullmatch(r"/api/v1(/games/\S+) is over", last)
    assert game is not None
    return game[1]


@BOTH
def test_it_opens_a_table_and_plays_it_to_the_end(program: str, live_stack: LiveStack) -> None:
    name, client = next(_names), Client(live_stack)
    for _ in ("registers", "signs in again"):
        view = client.get(played(program, live_stack, name, "new"))
        assert [seat["player"] for seat in view["seats"]] == [name, "greedy"]
        assert view["result"]["reason"] in ("played_out", "repetition")


@BOTH
def test_it_joins_the_table_that_it_is_sent_to(program: str, live_stack: LiveStack) -> None:
    name, client = next(_names), Client(live_stack)
    game_id = client.open(3, "greedy", auto_start=False)
    client.post(f"/games/{game_id}/bots", {"brain": "random"})
    client.post(f"/games/{game_id}/leave", {})
    process = subprocess.Popen([*command(program, live_stack, name), game_id])
    view = partial(client.get, f"/games/{game_id}")
    try:
        eventually(lambda: view()["seats"][0]["player"] == name, 90)
        client.post(f"/games/{game_id}/start", {})
        assert process.wait(120) == 0
    finally:
        process.kill()
    assert view()["status"] == "finished"


def accepts(client: Client, name: str) -> bool:
    """Whether the bot is listed."""
    items = client.get("/bots?kind=player&ruleset=throw_in&seats=3&limit=100")["items"]
    return name in [item["id"] for item in items]


@BOTH
def test_it_is_invited_and_plays(program: str, live_stack: LiveStack) -> None:
    name, client = next(_names), Client(live_stack)
    with running(program, live_stack, name):
        eventually(partial(accepts, client, name), 90)
        game_id = client.open(3, "greedy")
        client.post(f"/games/{game_id}/bots", {"player": name})
        client.post(f"/games/{game_id}/leave", {})
        view = partial(client.get, f"/games/{game_id}")
        eventually(lambda: view()["status"] == "finished", 120)
    by_name = {seat["player"]: seat for seat in view()["seats"]}
    assert (by_name[name]["kind"], by_name[name]["bot"]) == ("bot", None)
    assert view()["result"]["reason"] in ("played_out", "repetition")
    seat = by_name[name]["seat"]
    events = client.get(f"/games/{game_id}/events?limit=1000")["events"]
    moved = {"bout_opened", "card_beaten", "cards_thrown_in", "take_declared", "seat_passed"}
    assert [event for event in events if event["seat"] == seat and event["type"] in moved]


def test_both_play_each_other(live_stack: LiveStack) -> None:
    client, names = Client(live_stack), [next(_names), next(_names)]
    with running("bot.py", live_stack, names[0]), running("bot.mjs", live_stack, names[1]):
        for name in names:
            eventually(partial(accepts, client, name), 90)
        game_id = client.open(3)
        for name in names:
            client.post(f"/games/{game_id}/bots", {"player": name})
        client.post(f"/games/{game_id}/leave", {})
        eventually(lambda: client.get(f"/games/{game_id}")["status"] == "finished", 120)
