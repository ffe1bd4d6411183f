"""Webhooks on the real stack, with a broker that dies and a worker that is killed."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from bots.brains.patterns import safe_move
from durak_api.embedded import services
from durak_api.embedded.process import Process
from tests.live import LiveStack
from tests.live_client import Client
from tests.receiver import Message, Receiver, receiving
from tests.servers import wait_until_ready

pytestmark = pytest.mark.xdist_group("live_webhooks")


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Process]:
    """A broker of this module's own."""
    process = Process(services.valkey(folder := tmp_path_factory.mktemp("v")), folder)
    process.start()
    wait_until_ready(process)
    yield process
    process.kill()


@pytest.fixture(scope="module")
def stack(broker: Process, tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveStack]:
    """A stack on it."""
    url = services.valkey_url(Path(broker.log).parent)
    found = LiveStack(tmp_path_factory.mktemp("w"), os.environ["DATABASE_URL"], url)
    try:
        found.start()
        yield found
    finally:
        found.stop()


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver on this machine."""
    with receiving() as found:
        yield found


def play(client: Client, game_id: str, number: int) -> None:
    """So many moves of the client's, or as many as the game has."""
    while number and (view := client.get(f"/games/{game_id}"))["status"] == "running":
        if view["you"]["legal_moves"]:
            client.post(f"/games/{game_id}/moves", safe_move(view))
            number -= 1


def has_last_turn(client: Client, messages: list[Message]) -> bool:
    """Whether everything is told that the player's own list has."""
    events = client.get("/players/me/events?limit=1000")["events"]
    told = {
        (each.value["data"].get("game_id"), each.value["data"].get("version")) for each in messages
    }
    return {(each["game_id"], each["version"]) for each in events} <= told


def test_a_whole_game_is_told(stack: LiveStack, receiver: Receiver) -> None:
    client = Client(stack)
    secret = client.post("/webhooks", {"url": receiver.url})["secret"]
    game_id = client.open(2, "greedy")
    play(client, game_id, -1)
    messages = receiver.wait(lambda found: has_last_turn(client, found))
    for message in messages:
        message.check(secret)
    assert [each.value["type"] for each in (messages[0], messages[-1])] == [
        "game.started",
        "game.finished",
    ]
    versions = [each.value["data"]["version"] for each in messages]
    assert versions == sorted(versions)


def test_a_dead_broker_and_a_killed_worker_lose_nothing(
    stack: LiveStack, broker: Process, receiver: Receiver
) -> None:
    client = Client(stack)
    client.post("/webhooks", {"url": receiver.url, "events": ["game.started", "turn.yours"]})
    other = Client(stack)
    broker.kill()
    games = []
    for _ in range(3):
        game_id = client.post("/games", {"ruleset": "throw_in", "seats": 2})["id"]
        other.post(f"/games/{game_id}/join", {})
        games.append(game_id)
    stack.kill_worker()
    assert receiver.messages == []
    broker.start()
    wait_until_ready(broker)
    stack.restart_worker()
    messages = receiver.wait(lambda found: has_last_turn(client, found), seconds=60)
    assert {each.value["data"]["game_id"] for each in messages} == set(games)
