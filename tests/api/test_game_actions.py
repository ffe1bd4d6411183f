"""POST /games/{id}/…: seats taken, left and handed over."""

import pytest

from tests.api.conftest import Api, bad_fields, refusal
from tests.api.tables import (
    BODIES,
    NOBODY_KNOWS,
    WRITES,
    events_of,
    limit_scopes,
    open_game,
    people,
    sans_clock,
    view_of,
    write,
)

pytestmark = pytest.mark.django_db


def test_the_view_comes_back() -> None:
    ann, bob = people(2)
    path = open_game(ann, seats=3)
    answer = bob.post(f"{path}/join", {"client_seed": "bob's"})
    assert (answer.status_code, answer["ETag"]) == (200, '"v3.s1.en"')
    assert "Location" not in answer
    assert answer.json()["you"]["seat"] == 1
    assert sans_clock(answer.json()) == sans_clock(view_of(bob, path))
    answer = bob.post(f"{path}/leave")
    assert (answer.status_code, answer["ETag"], answer.json()["you"]) == (
        200,
        '"v4.x.en"',
        None,
    )
    answer = ann.post(f"{path}/bots", {"brain": "greedy"})
    assert [seat["bot"] for seat in answer.json()["seats"]] == [None, "greedy", None]


def test_the_creator_starts() -> None:
    ann, bob = people(2)
    path = open_game(ann, bob, auto_start=False)
    refusal(bob.post(f"{path}/start"), 403, "game.not_creator")
    assert ann.post(f"{path}/start", {}).json()["status"] == "running"
    refusal(ann.post(f"{path}/start"), 409, "game.running")


def test_leaving_and_coming_back() -> None:
    ann, bob = people(2)
    path = open_game(ann, bob)
    assert ann.post(f"{path}/leave").json()["seats"][0]["bot"] == "greedy"
    assert events_of(bob, path)[-1]["data"] == {"brain": "greedy", "reason": "left"}
    assert ann.post(f"{path}/return").json()["seats"][0]["bot"] is None


def test_who_comes_back_is_told_what_he_may_do() -> None:
    ann, bob = people(2)
    path = open_game(ann, bob)
    for what in ("leave", "return"):
        assert ann.post(f"{path}/{what}").status_code == 200
        for client in (ann, bob):
            view, [last] = view_of(client, path), events_of(client, path)[-1:]
            assert last["next"]["legal_moves"] == view["you"]["legal_moves"]
            for name in ("phase", "to_act", "attacker", "defender"):
                assert last["next"][name] == view[name]


def test_who_deletes_his_account_has_left() -> None:
    ann, bob, cat = people(3)
    running, opened, ended = open_game(ann, bob), open_game(cat, ann, seats=3), open_game(ann, cat)
    assert cat.post(f"{ended}/resign").status_code == 200
    before = view_of(bob, ended)["version"]
    assert ann.call("DELETE", "/players/me").status_code == 204
    assert view_of(bob, running)["seats"][0]["bot"] == "greedy"
    assert view_of(cat, opened)["seats"][1]["player"] is None
    assert view_of(bob, ended)["version"] == before


def test_refusals() -> None:
    ann, bob, cat = people(3)
    path = open_game(ann, bob, seats=3)
    refusal(bob.post(f"{path}/join"), 409, "game.already_joined")
    refusal(bob.post(f"{path}/bots", {"brain": "greedy"}), 403, "game.not_creator")
    refusal(ann.post(f"{path}/start"), 409, "game.not_started")
    refusal(ann.post(f"{path}/return"), 409, "game.not_started")
    refusal(ann.post(f"{path}/resign"), 409, "game.not_started")
    refusal(cat.post(f"{path}/leave"), 403, "game.not_joined")
    path = open_game(ann, bob)
    refusal(cat.post(f"{path}/join"), 409, "game.full")
    refusal(ann.post(f"{path}/bots", {"brain": "greedy"}), 409, "game.full")
    refusal(cat.post(f"{path}/resign"), 403, "game.not_joined")
    refusal(cat.post(f"{path}/return"), 403, "game.not_joined")
    assert ann.post(f"{path}/resign").json()["result"]["durak"] == 0
    for what in set(WRITES) - {"rematch"}:
        refusal(write(ann, path, what), 409, over_code(what))


@pytest.mark.parametrize("what", WRITES)
def test_who_may(anybody: Api, what: str) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob)
    refusal(write(anybody, path, what), 401, "auth.missing")
    refusal(write(ann, f"/games/{NOBODY_KNOWS}", what), 404, "game.not_found")
    refusal(write(ann, "/games/1", what), 404, "game.not_found")
    limit_scopes("games:read", "games:create")
    refusal(write(ann, path, what), 403, "auth.scope")


@pytest.mark.parametrize("what", WRITES)
def test_unknown_fields(what: str) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob)
    body = {**BODIES.get(what, {}), "mood": "sour"}
    assert set(bad_fields(ann.post(f"{path}/{what}", body))) & {"mood"}
    refusal(ann.post(f"{path}/{what}", b"{"), 400, "request.malformed")
    assert bad_fields(ann.post(f"{path}/{what}", b"[]"))


@pytest.mark.parametrize("what", ["", "/events", "/replay", *(f"/{one}" for one in WRITES)])
def test_other_methods(what: str) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob)
    allowed = "POST" if what[1:] in WRITES else "GET"
    for method in {"GET", "POST", "PUT", "PATCH", "DELETE"} - {allowed}:
        answer = ann.call(method, path + what)
        refusal(answer, 405, "request.method")
        assert allowed in answer["Allow"].split(", ")


def over_code(what: str) -> str:
    """Why a player of a finished game is refused."""
    return "game.already_joined" if what == "join" else "game.over"
