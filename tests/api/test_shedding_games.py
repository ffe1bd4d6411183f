"""Shedding games over HTTP: the same views, patterns, events and referee."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest

from games.rules.rulesets.registry import ruleset_ids
from games.rules.texts import sentence_ids
from tests.api.conftest import Api, bad_fields, refusal
from tests.api.tables import (
    create,
    events_of,
    open_game,
    people,
    play_out,
    play_some,
    view_of,
    who_acts,
)
from tests.rules import client

pytestmark = pytest.mark.django_db
SHEDDING = ruleset_ids("shedding")


@pytest.mark.parametrize("ruleset_id", SHEDDING)
def test_a_whole_game_of_every_ruleset(ruleset_id: str) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob, ruleset=ruleset_id)
    play_out(path, random.Random(ruleset_id), ann, bob)
    view = view_of(ann, path)
    assert view["status"] == "finished"
    assert view["result"]["reason"] in ("played_out", "stalemate", "max_moves")
    assert (view["result"]["points"] is None) == (ruleset_id == "japanese_shedding")
    assert ann.get(f"{path}/replay").status_code == 200


def test_a_view_shows_the_pile_and_no_bout() -> None:
    ann, bob = people(2)
    path = open_game(ann, bob, ruleset="japanese_shedding")
    view = view_of(ann, path)
    shown = {"top_card", "named_suit", "pending", "ace_right", "talon_count", "discard_count"}
    assert view.keys() >= shown
    assert not view.keys() & {"trump", "turn_up", "table", "attacker", "defender"}
    assert len(view["top_card"]) == 2


def test_an_open_table_shows_the_same_fields() -> None:
    (ann,) = people(1)
    view = create(ann, ruleset="mau_mau", seats=3)
    assert (view["status"], view["top_card"], view["talon_count"]) == ("open", None, None)
    assert "table" not in view


def test_folding_the_events_of_a_seat_gives_its_view() -> None:
    ann, bob, cid = people(3)
    path = open_game(ann, bob, cid, ruleset="english_durak")
    at = view_of(ann, path)
    play_some(6, path, random.Random(4), ann, bob, cid)
    view = at
    for event in events_of(ann, path, after=at["version"]):
        view = client.fold(view, event)
    now = view_of(ann, path)
    assert {name: view[name] for name in view if name != "server_time"} == {
        name: now[name] for name in now if name != "server_time"
    }


def test_a_drawn_card_is_shown_to_its_owner_alone() -> None:
    ann, bob = people(2)
    path = open_game(ann, bob, ruleset="pentagon")
    play_out(path, random.Random(1), ann, bob)
    drawn = [
        (mine, his)
        for mine, his in zip(events_of(ann, path), events_of(bob, path), strict=True)
        if mine["type"] == "cards_drawn"
    ]
    assert drawn
    for mine, his in drawn:
        owner, other = (mine, his) if mine["seat"] == 0 else (his, mine)
        assert "??" not in owner["data"]["cards"]
        assert set(other["data"]["cards"]) == {"??"}


def test_a_refused_move_says_which_rule() -> None:
    ann, bob = people(2)
    path = open_game(ann, bob, ruleset="mau_mau")
    actor, view = who_acts((ann, bob), path)
    problem = refusal(actor.post(f"{path}/moves", {"type": "draw"}), 422, "move.draw_not_allowed")
    assert problem["rule"]["id"] in sentence_ids()
    assert problem["version"] == view["version"]
    waiting = bob if actor is ann else ann
    refusal(waiting.post(f"{path}/moves", {"type": "pass"}), 409, "move.not_your_turn")
    body = {"type": "play", "cards": view["you"]["hand"][:1], "suit": "H"}
    if view["you"]["hand"][0][0] != "Q":
        refusal(actor.post(f"{path}/moves", body), 422, "move.suit_not_allowed")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"type": "attack", "cards": ["6S"]}, "type"),
        ({"type": "play", "cards": ["6S"], "suit": "X"}, "suit"),
        ({"type": "play", "slot": 1}, "slots"),
        ({"type": "draw", "cards": ["6S"]}, "cards"),
    ],
)
def test_moves_that_cannot_be_read(body: dict[str, object], field: str) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob, ruleset="mau_mau")
    actor, _ = who_acts((ann, bob), path)
    assert field in bad_fields(actor.post(f"{path}/moves", body))


def test_a_pile_is_shuffled_by_the_games_own_chance() -> None:
    ann, bob = people(2)
    options = {"recycle": "shuffle", "deal": 7, "max_moves": 150}
    piles: list[Turned] = []
    while sum(len(pile.laid) > 5 for pile in piles) < 3:
        path = open_game(ann, bob, ruleset="pentagon", options=options)
        play_out(path, random.Random(2), ann, bob)
        piles += turned_over(ann.get(f"{path}/replay").json()["events"])
    assert all(sorted(pile.laid) == sorted(pile.talon) for pile in piles)
    assert any(pile.laid != pile.talon for pile in piles)


class Turned(NamedTuple):
    """A pile that was turned over: as it was laid, under its top card, and as it is drawn."""

    laid: list[str]
    talon: list[str]


def turned_over(events: list[dict[str, Any]]) -> Iterator[Turned]:
    laid: list[str] = []
    for event in events:
        if event["type"] == "starter_opened":
            laid.append(event["data"]["card"])
        if event["type"] == "cards_played":
            laid += event["data"]["cards"]
        if event["type"] == "discard_recycled":
            yield Turned(laid[:-1], event["data"]["cards"])
            laid = laid[-1:]


def test_resigning_ends_a_game_of_two_and_leaving_hands_the_seat_over() -> None:
    ann, bob, cid = people(3)
    path = open_game(ann, bob, ruleset="mau_mau")
    assert ann.post(f"{path}/resign").status_code == 200
    assert view_of(bob, path)["result"]["reason"] == "resigned"
    path = open_game(ann, bob, cid, ruleset="mau_mau")
    assert bob.post(f"{path}/leave").status_code == 200
    assert view_of(ann, path)["seats"][1]["bot"] == "greedy"


def test_the_referee_rules_on_shedding_positions(anybody: Api) -> None:
    position = {
        "hands": [["QS", "9D"], ["8C", "KH"]],
        "discard_pile": ["6D"],
        "talon": ["9C", "TC"],
        "to_act": 0,
    }
    move = {"seat": 0, "move": {"type": "play", "cards": ["QS"], "suit": "H"}}
    body = {"ruleset": "mau_mau", "position": position, "moves": [move]}
    ruling = anybody.post("/referee", body).json()
    assert ruling["refused"] is None
    assert ruling["position"]["named_suit"] == "H"
    assert ruling["legal_moves"]["1"][0]["cards"] == ["KH"]
    wrong = {**body, "moves": [move, {"seat": 1, "move": {"type": "play", "cards": ["8C"]}}]}
    assert anybody.post("/referee", wrong).json()["refused"]["code"] == "move.no_match"


def test_options_of_the_other_family_are_refused() -> None:
    (ann,) = people(1)
    body = {"ruleset": "mau_mau", "seats": 2, "options": {"transfer": True, "deal": 9}}
    problem = refusal(ann.post("/games", body), 400, "rules.invalid_options")
    assert {error["field"] for error in problem["errors"]} == {"options.transfer", "options.deal"}
