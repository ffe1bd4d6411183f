"""GET /games/{id}/replay: whatever was promised can be checked by whoever reads it.

What is computed here uses no code of the project.
"""

import hashlib
import hmac
import json
import random
from typing import Any

import pytest

from tests.api.conftest import Api, refusal
from tests.api.tables import Person, events_of, open_game, people, play_some, view_of
from tests.rules.fair_deal import commitment, shuffled, words

pytestmark = pytest.mark.django_db


def replay_of(client: Api, path: str) -> dict[str, Any]:
    """The record of a finished game."""
    answer = client.get(f"{path}/replay")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture
def players() -> list[Person]:
    """Ann and Bob."""
    return people(2)


@pytest.fixture
def path(players: list[Person]) -> str:
    """A game of theirs that ended after some moves."""
    path = open_game(*players, client_seed="счастье", ruleset="transfer")
    play_some(15, path, random.Random(1), *players)
    assert players[0].post(f"{path}/resign").status_code == 200
    return path


def test_before_the_end_there_is_none(players: list[Person], anybody: Api) -> None:
    for path in (open_game(players[0], seats=2), open_game(*players)):
        for client in (*players, anybody):
            refusal(client.get(f"{path}/replay"), 409, "game.not_finished")


def test_it_is_the_whole_game(players: list[Person], path: str, anybody: Api) -> None:
    record, view = replay_of(anybody, path), view_of(anybody, path)
    assert record["schema_version"] == 1
    assert (record["id"], record["seats"]) == (path[7:], ["ann", "bob"])
    for name in ("ruleset", "options", "ruleset_sha256", "result"):
        assert record[name] == view[name]
    assert record["rules"]["transfer"] is True
    assert [event["seq"] for event in record["events"]] == list(range(1, view["version"] + 1))
    assert "??" not in json.dumps(record)
    assert replay_of(players[1], path) == record


def test_it_says_what_everybody_was_told(players: list[Person], path: str) -> None:
    record = replay_of(players[0], path)
    for told, event in zip(events_of(players[0], path), record["events"], strict=True):
        for name in ("seq", "type", "at", "seat", "hash"):
            assert told[name] == event[name]
        assert ("next" in told) == ("next" in event)
        if told["type"] not in ("game_created", "player_joined", "cards_dealt", "hand_replenished"):
            assert told["data"] == event["data"]


def test_the_deal_follows_from_the_seeds(anybody: Api, path: str) -> None:
    record = replay_of(anybody, path)
    seed, game = bytes.fromhex(record["server_seed"]), record["id"]
    assert record["algorithm"] == "durak-deal-v1"
    created = record["events"][0]["data"]
    assert commitment(seed, game) == created["commitment"]
    assert bytes.fromhex(record["client_seeds"][0]).decode() == "счастье"
    seeds = [bytes.fromhex(text) for text in record["client_seeds"]]
    pack = shuffled(record["initial_pack"], words(seed, game, "deal", seeds))
    facts = {event["type"]: event["data"] for event in record["events"]}
    dealer, dealt = facts["game_started"]["dealer"], facts["cards_dealt"]
    first, second = dealt["hands"][1 - dealer], dealt["hands"][dealer]
    assert [card for pair in zip(first, second, strict=True) for card in pair] == pack[:12]
    assert dealt["talon"] == [*pack[13:], pack[12]]
    assert facts["trump_turned"]["card"] == pack[12]


def test_the_chain_follows_from_its_secret(anybody: Api, path: str) -> None:
    record = replay_of(anybody, path)
    secret, game = bytes.fromhex(record["chain_secret"]), record["id"].encode()
    promised = hashlib.sha256(b"durak-chain-v1" + game + secret).hexdigest()
    assert promised == record["events"][0]["data"]["chain_commitment"]
    previous = bytes(32)
    for event in record["events"]:
        number = event["seq"].to_bytes(8, "big")
        nonce = hmac.new(secret, b"durak-nonce-v1" + number, hashlib.sha256).digest()
        facts = {"seat": event["seat"], "next": event.get("next")}
        facts = event["data"] | {name: value for name, value in facts.items() if value is not None}
        head = [event["type"], event["schema_version"], event["at"]]
        linked = b"durak-log-v1" + game + number + previous + nonce + text(head) + text(facts)
        previous = hashlib.sha256(linked).digest()
        assert previous.hex() == event["hash"]
    assert previous.hex() == record["head"]


def text(value: Any) -> bytes:
    """Canonical JSON: sorted names, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
