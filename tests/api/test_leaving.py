"""Seats that bots play for a while: what their owners see and may do (rulebook 3.7, 14)."""

import random
from typing import Any
from uuid import UUID

import pytest

from bots.services import turn_play
from games.models.results import GameResult
from games.rules import game as games
from games.services.errors import ServiceError
from games.services.move_play import bot_move_play
from games.store import log
from tests.api.conftest import Api, refusal
from tests.api.tables import (
    Person,
    events_of,
    open_game,
    people,
    sans_clock,
    view_of,
    who_acts,
)
from tests.rules.client import fold
from tests.rules.laws import assert_whole
from tests.tables import head_of, play_one

pytestmark = pytest.mark.django_db
FAMILIES = pytest.mark.parametrize("ruleset", ["throw_in", "mau_mau", "simple.face_out"])


def key(path: str) -> UUID:
    """The game's id."""
    return UUID(path[7:])


def after_leaving(*players: Person, **table: Any) -> tuple[Person, str]:
    """Whoever was to act has left; and the address."""
    path = open_game(*players, **table)
    mover, _ = who_acts(players, path)
    assert mover.post(f"{path}/leave").status_code == 200
    return mover, path


@FAMILIES
def test_who_has_left_has_no_legal_moves_until_he_returns(ruleset: str) -> None:
    players = tuple(people(3))
    path = open_game(*players, ruleset=ruleset)
    mover, before = who_acts(players, path)
    assert before["you"]["legal_moves"]
    gone = mover.post(f"{path}/leave").json()
    assert (gone["you"]["legal_moves"], gone["you"]["hand"]) == ([], before["you"]["hand"])
    assert gone["to_act"] == before["to_act"] == [before["you"]["seat"]]
    assert gone["seats"][before["you"]["seat"]]["bot"] == "greedy"
    first = before["you"]["legal_moves"][0]
    cards = {"slots" if "slots" in first else "cards": first.get("slots", first.get("cards"))[:1]}
    refusal(
        mover.post(f"{path}/moves", {"type": first["type"], **cards}), 409, "move.not_your_turn"
    )
    back = mover.post(f"{path}/return").json()
    assert back["you"]["legal_moves"] == before["you"]["legal_moves"]
    assert mover.post(f"{path}/moves", {"type": first["type"], **cards}).status_code == 201


@FAMILIES
def test_what_one_is_told_on_the_way_is_what_one_sees(ruleset: str) -> None:
    """Events make each view of the next one while the seat goes to a bot and comes back."""
    players = tuple(people(3))
    path = open_game(*players, ruleset=ruleset)
    rng = random.Random(5)
    mover, view = who_acts(players, path)
    seen = [sans_clock(view)]
    for step in ("leave", "move", "move", "return", "move", "leave", "return"):
        if step == "move":
            play_one(key(path), rng)
        else:
            assert mover.post(f"{path}/{step}").status_code == 200
        for event in events_of(mover, path, view["version"]):
            view = fold(view, event)
        assert sans_clock(view) == sans_clock(view_of(mover, path))
        seen.append(sans_clock(view))
    for shown in seen:
        assert shown == sans_clock(view_of(mover, f"{path}?at={shown['version']}"))


@FAMILIES
def test_the_bot_sees_what_its_seat_may_do(ruleset: str) -> None:
    mover, path = after_leaving(*people(3), ruleset=ruleset)
    version = view_of(mover, path)["version"]
    assert turn_play(game_id=key(path), version=version) == "played"
    assert view_of(mover, path)["version"] > version
    assert turn_play(game_id=key(path), version=version) == "stale"


def test_a_bots_move_that_comes_after_the_return_is_too_late() -> None:
    mover, path = after_leaving(*people(2))
    version = view_of(mover, path)["version"]
    assert mover.post(f"{path}/return").status_code == 200
    assert view_of(mover, path)["version"] == version + 1
    with pytest.raises(ServiceError, match=r"game\.not_joined"):
        bot_move_play(
            game_id=key(path), seat=0 if mover.name == "ann" else 1, body={}, expected_version=1
        )


@FAMILIES
def test_no_card_is_lost_whoever_comes_and_goes(ruleset: str) -> None:
    """After every event each card of the pack is in one place, to the end of the game."""
    players = people(4)
    path = open_game(*players, ruleset=ruleset)
    rng = random.Random(8)
    resigned: set[int] = set()
    for number in range(600):
        if head_of(key(path)).game.status == "finished":
            break
        who = rng.randrange(4)
        what = "resign" if number == 20 else rng.choice(["leave", "return"])
        answer = players[who].post(f"{path}/{what}")
        if what == "resign" and answer.status_code == 200:
            resigned.add(who)
        assert answer.status_code == 200 or answer.json()["code"] == "game.over"
        if head_of(key(path)).game.status == "running":
            play_one(key(path), rng)
    head = head_of(key(path))
    assert head.game.status == "finished"
    folded = None
    for item in log.events(key(path)):
        folded = games.evolve(folded, item.event)
        assert_whole(folded.state, folded.rules.deck_size)
    duraks = GameResult.objects.filter(game=key(path), is_durak=True)
    durak = set(duraks.values_list("seat", flat=True))
    absent = {seat for seat, chair in enumerate(head.game.chairs) if chair.brain or chair.resigned}
    assert resigned <= absent <= durak


def test_of_two_the_other_wins_when_one_resigns_after_leaving(anybody: Api) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob)
    assert ann.post(f"{path}/leave").status_code == 200
    assert ann.post(f"{path}/resign").json()["result"]["durak"] == 0
    result = view_of(anybody, path)["result"]
    assert (result["winner"], result["reason"]) == (1, "resigned")
    refusal(ann.post(f"{path}/return"), 409, "game.over")


def test_who_resigned_among_three_does_not_come_back() -> None:
    ann, bob, cat = people(3)
    path = open_game(ann, bob, cat)
    shown = ann.post(f"{path}/resign").json()
    assert (shown["status"], shown["seats"][0]["bot"]) == ("running", "greedy")
    assert shown["seats"][0]["status"] == "resigned"
    refusal(ann.post(f"{path}/return"), 409, "game.over")
    refusal(ann.post(f"{path}/resign"), 409, "game.over")
    assert shown["you"]["legal_moves"] == []
