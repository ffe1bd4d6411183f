"""The published vectors of docs/vectors are those of this code."""

import json
from pathlib import Path
from typing import Any

import pytest

from games.rules.cards import pack
from games.rules.shuffle import Entropy, commitment
from games.store.chain import chain_commitment, link, nonce
from games.store.codec import canonical

FILE = Path(__file__).parents[2] / "docs" / "vectors" / "durak-v1.json"
PUBLISHED = json.loads(FILE.read_text("utf-8"))


@pytest.mark.parametrize("vector", PUBLISHED["deal"])
def test_a_deal(vector: dict[str, Any]) -> None:
    clients = tuple(bytes.fromhex(seed) for seed in vector["client_seeds"])
    chance = Entropy(bytes.fromhex(vector["server_seed"]), vector["game_id"], clients)
    label = vector["label"]
    assert commitment(chance.server_seed, chance.game_id) == vector["commitment"]
    assert " ".join(chance.shuffled(pack(vector["pack"]), label)) == vector["order"]
    assert {text: chance.below(int(text), label) for text in vector["below"]} == vector["below"]


@pytest.mark.parametrize("vector", PUBLISHED["chain"])
def test_a_link(vector: dict[str, Any]) -> None:
    event, game, secret = vector["event"], vector["game_id"], bytes.fromhex(vector["chain_secret"])
    facts, version = dict(event["data"]), event["schema_version"]
    facts |= {name: event[name] for name in ("seat", "next") if event.get(name) is not None}
    if "stored" in event:
        facts, version = event["stored"]["facts"], event["stored"]["schema_version"]
    content = canonical([event["type"], version, event["at"]]) + canonical(facts)
    assert content.decode() == vector["content"]
    assert chain_commitment(secret, game) == vector["commitment"]
    assert nonce(secret, event["seq"]).hex() == vector["nonce"]
    previous = bytes.fromhex(vector["previous"])
    assert link(game, event["seq"], previous, secret, content).hex() == event["hash"]
