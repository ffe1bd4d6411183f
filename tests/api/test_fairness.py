"""GET /games/{id}/fairness and PUT /games/{id}/client-seed."""

import hashlib
import hmac
import random
from typing import Any
from uuid import UUID

import msgspec
import pytest

from games.models import Game
from tests.api.conftest import Api, bad_fields, refusal
from tests.api.tables import (
    NOBODY_KNOWS,
    Person,
    create,
    events_of,
    open_game,
    people,
    play_out,
    view_of,
)
from tests.rules.fair_deal import commitment, shuffled, words

pytestmark = pytest.mark.django_db


def page_of(client: Api, path: str, **headers: str) -> dict[str, Any]:
    """The fairness page."""
    answer = client.get(f"{path}/fairness", **headers)
    assert answer.status_code == 200, answer.content
    page: dict[str, Any] = answer.json()
    return page


def set_seed(client: Api, path: str, seed: Any, **headers: str) -> Any:
    """PUT the caller's seed."""
    return client.call("PUT", f"{path}/client-seed", {"seed": seed}, **headers)


@pytest.fixture
def table() -> tuple[Person, Person, str]:
    """Ann's open table with her seed from the start, and Bob, who has not sat down."""
    ann, bob = people(2)
    return ann, bob, f"/games/{create(ann, client_seed='first')['id']}"


def test_before_the_end_it_promises(table: tuple[Person, Person, str], anybody: Api) -> None:
    ann, _, path = table
    page = page_of(anybody, path)
    view = view_of(ann, path)
    assert page["commitment"] == view["fairness"]["commitment"]
    assert (page["algorithm"], page["revealed"]) == ("durak-deal-v1", None)
    mine, free = page["seats"]
    assert mine == {
        "seat": 0,
        "client_seed": b"first".hex(),
        "version": 2,
        "before_commitment": True,
    }
    assert free == {"seat": 1, "client_seed": None, "version": None, "before_commitment": False}
    assert page["covers"]
    assert page["limits"]


def test_it_speaks_russian(table: tuple[Person, Person, str], anybody: Api) -> None:
    english = page_of(anybody, table[2], accept_language="en")
    russian = page_of(anybody, table[2], accept_language="ru")
    assert len(russian["limits"]) == len(english["limits"])
    assert all(any("а" <= letter <= "я" for letter in text) for text in russian["limits"])


def test_a_seed_can_be_exchanged_until_the_start(table: tuple[Person, Person, str]) -> None:
    ann, bob, path = table
    before = view_of(ann, path)["version"]
    answer = set_seed(ann, path, "счастье")
    assert (answer.status_code, answer.json()["version"]) == (200, before + 1)
    assert set_seed(ann, path, "счастье").json()["version"] == before + 1
    [event] = events_of(bob, path, before)
    assert (event["type"], event["seat"]) == ("client_seed_set", 0)
    seat = page_of(bob, path)["seats"][0]
    assert seat["client_seed"] == "счастье".encode().hex()
    assert (seat["version"], seat["before_commitment"]) == (before + 1, False)
    assert bob.post(f"{path}/join").status_code == 200
    refusal(set_seed(ann, path, "late"), 409, "game.running")
    ann.post(f"{path}/resign")
    refusal(set_seed(ann, path, "later"), 409, "game.over")


def test_a_seed_is_set_once_however_often_it_is_sent(table: tuple[Person, Person, str]) -> None:
    ann, _, path = table
    first = set_seed(ann, path, "one", idempotency_key="k")
    again = set_seed(ann, path, "one", idempotency_key="k")
    assert again.content == first.content
    assert again["Idempotency-Replayed"] == "true"
    refusal(set_seed(ann, path, "two", idempotency_key="k"), 422, "idempotency.key_reused")


def test_bad_seeds_change_nothing(table: tuple[Person, Person, str], anybody: Api) -> None:
    ann, bob, path = table
    assert "seed" in bad_fields(set_seed(ann, path, "я" * 33))
    assert "seed" in bad_fields(set_seed(ann, path, 5))
    assert "seed" in bad_fields(ann.call("PUT", f"{path}/client-seed", {}))
    refusal(set_seed(bob, path, "mine"), 403, "game.not_joined")
    refusal(set_seed(anybody, path, "mine"), 401, "auth.missing")
    refusal(set_seed(ann, f"/games/{NOBODY_KNOWS}", "mine"), 404, "game.not_found")
    refusal(ann.get(f"/games/{NOBODY_KNOWS}/fairness"), 404, "game.not_found")
    assert view_of(ann, path)["version"] == 2


def test_a_private_game_has_no_page_for_strangers(anybody: Api) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob, visibility="private")
    assert page_of(bob, path)["revealed"] is None
    refusal(anybody.get(f"{path}/fairness"), 404, "game.not_found")
    refusal(Person("eve").get(f"{path}/fairness"), 404, "game.not_found")


def test_while_it_runs_nothing_depends_on_the_secrets() -> None:
    ann, bob = people(2)
    path = open_game(ann, bob)
    key = UUID(path[7:])
    before = ann.get(f"{path}/fairness").content
    Game.objects.filter(id=key).update(server_seed=bytes(32), chain_secret=bytes(32))
    assert ann.get(f"{path}/fairness").content == before


def test_after_the_end_everything_is_revealed(anybody: Api) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob, client_seed="first")
    play_out(path, random.Random(1), ann, bob)
    page, game = page_of(anybody, path), path[7:]
    shown = page["revealed"]
    seed, secret = bytes.fromhex(shown["server_seed"]), bytes.fromhex(shown["chain_secret"])
    assert commitment(seed, game) == page["commitment"]
    chain = hashlib.sha256(b"durak-chain-v1" + game.encode() + secret).hexdigest()
    assert chain == page["chain_commitment"]
    seeds = [bytes.fromhex(seat["client_seed"] or "") for seat in page["seats"]]
    [dealt] = shown["packs"]
    order = shuffled(shown["initial_pack"], words(seed, game, dealt["label"], seeds))
    assert dealt["pack"] == order
    assert len(shown["nonces"]) == page["version"]
    second = hmac.digest(secret, b"durak-nonce-v1" + (2).to_bytes(8, "big"), "sha256")
    assert shown["nonces"][1] == second.hex()
    assert shown["head"] == events_of(ann, path)[-1]["hash"]


def test_the_page_costs_the_same_for_long_games(django_assert_num_queries: Any) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob)
    anybody = Api()
    with django_assert_num_queries(1):
        page_of(anybody, path)
    play_out(path, random.Random(1), ann, bob)
    with django_assert_num_queries(3):
        page_of(anybody, path)


def test_the_texts_say_the_same_number_of_things() -> None:
    from games.rules.texts.fairness import fairness_texts

    texts = fairness_texts()
    assert all(one.en and one.ru for one in (*texts.covers, *texts.limits))
    assert msgspec.json.encode(texts)
