"""`/games/{id}/analysis`"""

import random
from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings

from bots.analysis import dispatch, work
from bots.analysis.work import analysis_go_on
from bots.models import Analysis
from games.api import throttling
from tests.api.conftest import Api, refusal
from tests.api.tables import NOBODY_KNOWS, Person, limit_scopes, open_game, people
from tests.tables import play_one, play_out

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("hasty")]


@pytest.fixture
def anybody() -> Api:
    """Somebody without a token."""
    return Api()


@pytest.fixture(autouse=True)
def unsent(monkeypatch: pytest.MonkeyPatch) -> None:
    """The broker is left out."""
    for module in (dispatch, work):
        monkeypatch.setattr(module, "analysis_send", lambda *_: None)


def finished(*players: Person, **more: Any) -> str:
    """The address of a game that is over."""
    path = open_game(*players, **more)
    play_out(UUID(path.removeprefix("/games/")), random.Random(3))
    return path


def make(path: str) -> None:
    """All of it."""
    game_id = UUID(path.removeprefix("/games/"))
    while Analysis.objects.get(game_id=game_id).status != Analysis.Status.DONE:
        analysis_go_on(game_id=game_id)


def test_from_the_request_to_the_result(anybody: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, bob = people(2)
    path = f"{finished(ann, bob)}/analysis"
    refusal(anybody.get(path), 404, "analysis.not_found")
    refusal(anybody.post(path), 401, "auth.missing")
    asked = bob.post(path)
    assert (asked.status_code, asked["Retry-After"]) == (202, "1")
    assert asked.json()["progress"] == {"done": 0, "of": None}
    assert (asked.json()["status"], asked.json()["result"]) == ("waiting", None)
    with monkeypatch.context() as patch:
        patch.setattr(work, "CHUNK_SECONDS", 0.0)
        analysis_go_on(game_id=UUID(asked.json()["game"]))
    shown = anybody.get(path).json()
    assert (shown["status"], shown["progress"]["done"]) == ("running", 1)
    assert shown["progress"]["of"] > 10
    assert shown["result"] is None
    make(path.removesuffix("/analysis"))
    done = anybody.get(path)
    assert "Retry-After" not in done
    again = ann.post(path)
    assert (again.status_code, again.content) == (200, done.content)
    result = done.json()["result"]
    assert len(result["decisions"]) == done.json()["progress"]["of"]
    events = anybody.get(path.replace("analysis", "replay")).json()["events"]
    for decision in result["decisions"]:
        assert events[decision["seq"] - 1]["seat"] == decision["seat"]


def test_of_a_running_game_nothing_is_told(anybody: Api) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob)
    for _ in range(4):
        play_one(UUID(path.removeprefix("/games/")), random.Random(1))
    for who in (ann, bob):
        refusal(who.post(f"{path}/analysis"), 409, "game.not_finished")
        refusal(who.get(f"{path}/analysis"), 409, "game.not_finished")
    refusal(anybody.get(f"{path}/analysis"), 409, "game.not_finished")
    assert Analysis.objects.count() == 0


def test_a_private_game_is_for_those_who_sat_there(anybody: Api) -> None:
    ann, bob, eve = people(3)
    path = f"{finished(ann, bob, visibility='private')}/analysis"
    assert bob.post(path).status_code == 202
    make(path.removesuffix("/analysis"))
    assert ann.get(path).status_code == 200
    refusal(eve.post(path), 404, "game.not_found")
    refusal(eve.get(path), 404, "game.not_found")
    refusal(anybody.get(path), 404, "game.not_found")
    refusal(ann.post(f"/games/{NOBODY_KNOWS}/analysis"), 404, "game.not_found")


def test_who_may_ask_and_how_often(settings: Settings) -> None:
    ann, bob = people(2)
    path, second = f"{finished(ann, bob)}/analysis", finished(ann, bob)
    limit_scopes("games:read")
    assert refusal(bob.post(path), 403, "auth.scope")["scope"] == "games:play"
    limit_scopes("games:read", "games:play")
    settings.API_LIMITS = {**settings.API_LIMITS, "analyses": 2}
    assert [ann.post(path).status_code for _ in range(2)] == [202, 202]
    assert refusal(ann.post(path), 429, "rate.limited")["bucket"] == "analyses"
    assert bob.post(path).status_code == 202
    assert "analyses" in throttling.APPLIES
    settings.ANALYSES_WAITING = 0
    other = f"{second}/analysis"
    full = bob.post(other)
    refusal(full, 503, "analysis.queue_full")
    assert full["Retry-After"]
