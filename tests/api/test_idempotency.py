"""Idempotency-Key: a write happens once and is answered alike for the life of the game."""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from games.models import Game, IdempotencyKey
from games.services.token_issue import token_issue
from tests.api.conftest import Api, bad_fields, refusal
from tests.api.tables import Person, open_game, people, pick, play_some, stored, view_of, who_acts

pytestmark = pytest.mark.django_db
TABLE = {"ruleset": "throw_in", "seats": 2}


def same(first: Any, again: Any) -> None:
    """The second answer is the first one, told again."""
    assert first.status_code == again.status_code < 300
    assert first.content == again.content
    assert "Idempotency-Replayed" not in first
    assert again["Idempotency-Replayed"] == "true"
    for name in ("ETag", "Location", "Content-Type", "Vary", "Cache-Control"):
        assert first.headers.get(name) == again.headers.get(name)


@pytest.fixture
def players() -> list[Person]:
    """Ann, Bob and Cat."""
    return people(3)


def test_a_table_is_opened_once(players: list[Person]) -> None:
    ann, bob, _ = players
    first = ann.post("/games", TABLE, idempotency_key="k")
    same(first, ann.post("/games", TABLE, idempotency_key="k"))
    assert Game.objects.count() == 1
    for client, key in ((ann, "other"), (bob, "k")):
        answer = client.post("/games", TABLE, idempotency_key=key)
        assert answer.json()["id"] != first.json()["id"]
        assert "Idempotency-Replayed" not in answer


def test_every_write_of_a_game_happens_once(players: list[Person]) -> None:
    ann, bob, cat = players
    path = open_game(ann, seats=4, auto_start=False)
    writes: list[tuple[Person, str, Any]] = [
        (bob, "join", {"client_seed": "x"}),
        (bob, "leave", None),
        (cat, "join", None),
        (bob, "join", {}),
        (ann, "bots", {"brain": "greedy"}),
        (ann, "start", None),
        (bob, "leave", {}),
        (bob, "return", {}),
        (cat, "resign", {}),
    ]
    for number, (client, what, body) in enumerate(writes):
        first = client.post(f"{path}/{what}", body, idempotency_key=f"{what}.{number}")
        version = view_of(ann, path)["version"]
        same(first, client.post(f"{path}/{what}", body, idempotency_key=f"{what}.{number}"))
        assert view_of(ann, path)["version"] == version
    # The answers stay what they were, whatever has happened since.
    for number, (client, what, body) in enumerate(writes):
        again = client.post(f"{path}/{what}", body, idempotency_key=f"{what}.{number}")
        assert again["Idempotency-Replayed"] == "true"


def test_a_rematch_is_opened_once(players: list[Person]) -> None:
    ann, bob, _ = players
    path = open_game(ann, bob)
    assert ann.post(f"{path}/resign").status_code == 200
    first = ann.post(f"{path}/rematch", {}, idempotency_key="k")
    second = bob.post(f"{path}/rematch", {}, idempotency_key="k")
    same(first, ann.post(f"{path}/rematch", {}, idempotency_key="k"))
    same(second, bob.post(f"{path}/rematch", {}, idempotency_key="k"))
    assert [answer.json()["status"] for answer in (first, second)] == ["open", "running"]
    answer = ann.post(f"{path}/rematch", {"client_seed": "x"}, idempotency_key="k")
    refusal(answer, 422, "idempotency.key_reused")
    assert Game.objects.count() == 2


def test_a_refused_rematch_leaves_the_key_free(players: list[Person]) -> None:
    ann, bob, _ = players
    path = open_game(ann, bob)
    refusal(ann.post(f"{path}/rematch", {}, idempotency_key="k"), 409, "game.not_finished")
    assert ann.post(f"{path}/resign").status_code == 200
    answer = ann.post(f"{path}/rematch", {}, idempotency_key="k")
    assert (answer.status_code, "Idempotency-Replayed" in answer) == (200, False)


def test_x06_a_move_is_played_once(players: list[Person]) -> None:
    ann, bob, _ = players
    path = open_game(ann, bob)
    mover, view = who_acts((ann, bob), path)
    move = pick(view, random.Random(1))
    tag = {"if_match": f'"v{view["version"]}"', "idempotency_key": "k"}
    first = mover.post(f"{path}/moves", move, **tag)
    same(first, mover.post(f"{path}/moves", move, **tag))
    play_some(6, path, random.Random(2), ann, bob)
    same(first, mover.post(f"{path}/moves", move, **tag))
    assert ann.post(f"{path}/resign").status_code == 200
    before = stored(path)
    same(first, mover.post(f"{path}/moves", move, **tag))
    assert stored(path) == before


def test_another_request_is_not_answered_with_it(players: list[Person]) -> None:
    ann, bob, _ = players
    path = open_game(ann, bob)
    mover, view = who_acts((ann, bob), path)
    card = view["you"]["hand"][0]
    moves = f"{path}/moves"
    first = mover.post(moves, {"type": "attack", "card": card}, idempotency_key="k")
    assert first.status_code == 201
    before = stored(path)
    others: list[tuple[Any, dict[str, str]]] = [
        ({"type": "attack", "cards": [card]}, {}),
        ({"type": "take"}, {}),
        ({"type": "castle"}, {}),
        ({"type": "attack", "card": card}, {"if_match": '"v1"'}),
    ]
    for body, headers in others:
        answer = mover.post(moves, body, idempotency_key="k", **headers)
        refusal(answer, 422, "idempotency.key_reused")
    assert stored(path) == before


INVALID: list[tuple[bytes, dict[str, str]]] = [
    (b"{", {}),
    (b"[]", {}),
    (b'{"mood": "sour"}', {}),
    (b'{"type": 1, "type": 1}', {}),
    (b'{"expected_version": "one"}', {}),
    (b'{"x": "\\u0000"}', {}),
    (b"\xff", {}),
    (b"", {"if_match": "rubbish"}),
]


@pytest.mark.parametrize(("body", "headers"), INVALID)
def test_a_used_key_is_looked_at_before_the_body(
    players: list[Person], body: bytes, headers: dict[str, str]
) -> None:
    for client, address, first in used_keys(players):
        method = "PUT" if address.endswith("/client-seed") else "POST"
        assert client.call(method, address, first, idempotency_key="k").status_code < 300
        answer = client.call(method, address, body, idempotency_key="k", **headers)
        refusal(answer, 422, "idempotency.key_reused")
        again = client.call(method, address, first, idempotency_key="k")
        assert again["Idempotency-Replayed"] == "true"
        bad = client.call(method, address, body or b"{", idempotency_key="free", **headers)
        assert bad.json()["code"] in {"request.malformed", "request.invalid"}


def test_that_is_tried_of_every_write_that_takes_a_key(players: list[Person]) -> None:
    tried = set()
    for client, address, body in used_keys(players):
        client.call("PUT" if address.endswith("/client-seed") else "POST", address, body)
        tried.add(address.rpartition("/")[2])
    paths: dict[str, Any] = Api().get("/schema").json()["paths"]
    keyed = {
        path.rpartition("/")[2]
        for path, methods in paths.items()
        for operation in methods.values()
        if any(one.get("name") == "Idempotency-Key" for one in operation.get("parameters", ()))
    }
    assert tried == keyed


def used_keys(players: list[Person]) -> Iterator[tuple[Person, str, Any]]:
    """Every kind of write that takes a key, in an order in which each succeeds."""
    ann, bob, cat = players
    yield ann, "/games", TABLE
    path = open_game(ann, seats=3, auto_start=False)
    yield bob, f"{path}/join", {}
    yield bob, f"{path}/leave", {}
    assert bob.post(f"{path}/join").status_code == 200
    yield bob, f"{path}/client-seed", {"seed": "x"}
    yield ann, f"{path}/bots", {"brain": "greedy"}
    yield ann, f"{path}/start", {}
    yield bob, f"{path}/return", {}
    yield bob, f"{path}/resign", {}
    path = open_game(ann, bob)
    mover, view = who_acts((ann, bob), path)
    yield mover, f"{path}/moves", {"type": "attack", "card": view["you"]["hand"][0]}
    assert bob.post(f"{path}/resign").status_code == 200
    yield ann, f"{path}/rematch", {}
    yield cat, "/quick-matches", {"rulesets": ["throw_in"], "seats": [2]}


def test_a_refused_request_leaves_the_key_free(players: list[Person]) -> None:
    ann, bob, cat = players
    path = open_game(ann, bob)
    mover, view = who_acts((ann, bob), path)
    [waiter] = {ann, bob} - {mover}
    move = {"type": "attack", "card": view["you"]["hand"][0]}
    tag = {"idempotency_key": "k"}
    refusal(waiter.post(f"{path}/moves", move, **tag), 409, "move.not_your_turn")
    refusal(mover.post(f"{path}/moves", move, if_match="v1", **tag), 412, "move.stale_version")
    refusal(mover.post(f"{path}/moves", {"type": "pass"}, **tag), 422, "move.wrong_phase")
    refusal(mover.post(f"{path}/moves", {"type": "x"}, **tag), 400, "request.invalid")
    refusal(cat.post(f"{path}/join", **tag), 409, "game.full")
    refusal(ann.post("/games", {**TABLE, "ruleset": "x"}, **tag), 400, "rules.unknown")
    assert not IdempotencyKey.objects.exists()
    assert mover.post(f"{path}/moves", move, **tag).status_code == 201
    assert ann.post("/games", TABLE, **tag).status_code == 201


def test_a_key_belongs_to_the_path(players: list[Person]) -> None:
    ann, bob, _ = players
    paths = [open_game(ann, seats=3) for _ in range(2)]
    for path in paths:
        for what in ("join", "leave"):
            answer = bob.post(f"{path}/{what}", {}, idempotency_key="k")
            assert answer.status_code == 200
            assert "Idempotency-Replayed" not in answer


def test_another_spelling_of_the_address_is_the_same(players: list[Person]) -> None:
    ann, bob, _ = players
    path = open_game(ann, bob)
    mover, view = who_acts((ann, bob), path)
    move = pick(view, random.Random(1))
    first = mover.post(f"{path}/moves", move, idempotency_key="k")
    same(first, mover.post(f"/games/{path[7:].upper()}/moves", move, idempotency_key="k"))


def test_it_is_the_players_whatever_his_token_and_language(players: list[Person]) -> None:
    ann = players[0]
    first = ann.post("/games", TABLE, idempotency_key="k")
    other = Api(token_issue(player_id=ann.id).text, language="ru")
    same(first, other.post("/games", TABLE, idempotency_key="k"))


def test_authentication_comes_first(players: list[Person], anybody: Api) -> None:
    ann = players[0]
    assert ann.post("/games", TABLE, idempotency_key="k").status_code == 201
    refusal(anybody.post("/games", TABLE, idempotency_key="k"), 401, "auth.missing")
    wrong = Api("dk_" + "x" * 43)
    refusal(wrong.post("/games", TABLE, idempotency_key="k"), 401, "auth.invalid")


@pytest.mark.parametrize("key", ["", " ", "a b", "ключ", "x" * 256, "a\x7f"])
def test_a_key_that_is_none(players: list[Person], key: str) -> None:
    answer = players[0].post("/games", TABLE, idempotency_key=key)
    assert set(bad_fields(answer)) == {"Idempotency-Key"}
    assert not Game.objects.exists()


@pytest.mark.parametrize("key", ["a", "x" * 255, "!\"#$%&'()*+,-./~", "018f-…".encode().hex()])
def test_a_key_that_is_one(players: list[Person], key: str) -> None:
    first = players[0].post("/games", TABLE, idempotency_key=key)
    same(first, players[0].post("/games", TABLE, idempotency_key=key))


def test_reading_takes_no_key(players: list[Person]) -> None:
    ann, bob, _ = players
    path = open_game(ann, bob)
    for query in ("", "/events"):
        assert ann.get(path + query, idempotency_key="k").status_code == 200
    assert not IdempotencyKey.objects.exists()
