"""The referee over HTTP; the rules themselves are tested where they live."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.api.conftest import Api, bad_fields, json, refusal

POSITION: dict[str, Any] = {
    "hands": [["6S", "7H", "TD"], ["8S", "9C", "AD"]],
    "trump": "H",
    "talon": [],
    "attacker": 0,
}
ATTACK = {"seat": 0, "move": {"type": "attack", "cards": ["6S"]}}
BEAT = {"seat": 1, "move": {"type": "beat", "target": "6S", "card": "8S"}}


def call(*moves: Any, **more: Any) -> Any:
    """The body of a call."""
    return {"ruleset": "throw_in", "position": POSITION, "moves": list(moves), **more}


def test_moves_are_played_in_order(anybody: Api) -> None:
    ruling = anybody.post("/referee", call(ATTACK, BEAT)).json()
    assert ruling["refused"] is None
    assert ruling["position"]["table"] == [{"attack": "6S", "beat": "8S"}]
    assert [event["type"] for event in ruling["events"]] == ["bout_opened", "card_beaten"]
    assert ruling["legal_moves"].keys() == {"0"}


def test_a_position_can_be_sent_back(anybody: Api) -> None:
    first = anybody.post("/referee", call(ATTACK)).json()
    second = anybody.post("/referee", call(BEAT, position=first["position"])).json()
    whole = anybody.post("/referee", call(ATTACK, BEAT)).json()
    assert second["position"] == whole["position"]


@pytest.mark.parametrize(("language", "word"), [("en", "beat"), ("ru", "бить")])
def test_the_first_refused_move_is_explained(language: str, word: str) -> None:
    wrong = {"seat": 1, "move": {"type": "beat", "target": "6S", "card": "9C"}}
    answer = Api(language=language).post("/referee", call(ATTACK, wrong, BEAT))
    refused = answer.json()["refused"]
    assert (answer.status_code, refused["index"], refused["code"]) == (200, 1, "move.cannot_beat")
    assert refused["rule"]["id"]
    assert word in (refused["rule"]["text"] + refused["detail"]).lower()
    assert answer.json()["position"] == Api().post("/referee", call(ATTACK)).json()["position"]


@pytest.mark.parametrize(
    ("seat", "move", "rule"),
    [
        (1, {"type": "attack", "card": "8S"}, "C2-24"),
        (0, {"type": "beat", "target": "6S", "card": "7H"}, "C1-13"),
        (0, {"type": "take"}, "B-10"),
        (1, {"type": "throw_in", "card": "9C"}, "C2-18"),
    ],
)
def test_who_moves_out_of_turn_is_told_whose_turn_his_move_needs(
    anybody: Api, seat: int, move: dict[str, Any], rule: str
) -> None:
    before = [] if move["type"] == "attack" else [ATTACK]
    ruling = anybody.post("/referee", call(*before, {"seat": seat, "move": move})).json()
    assert (ruling["refused"]["code"], ruling["refused"]["rule"]["id"]) == (
        "move.not_your_turn",
        rule,
    )


@pytest.mark.parametrize(("barred", "rule"), [([3], "D-11"), ([], "C1-16")])
def test_a_seat_that_was_caught_is_told_so(anybody: Api, barred: list[int], rule: str) -> None:
    hands = [["7H"], ["8S", "9C", "AD"], ["TD"], ["6D", "KC"]]
    position = POSITION | {"hands": hands, "table": [{"attack": "6S"}], "barred": barred}
    move = {"seat": 3, "move": {"type": "throw_in", "card": "6D"}}
    options = {"enforcement": "catchable"}
    body = call(move, ruleset="throw_in_article", options=options, position=position)
    refused = anybody.post("/referee", body | {"position": position | {"phase": "take"}}).json()
    assert refused["refused"]["rule"]["id"] == rule


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (call(ruleset="poker"), 400, "rules.unknown"),
        (call(options={"deck_size": 7, "jokers": True}), 400, "rules.invalid_options"),
        (call(*[ATTACK] * 501), 400, "request.invalid"),
        (call(game_id="0198b3a4-0000-7000-8000-000000000000"), 400, "request.invalid"),
    ],
)
def test_calls_that_are_refused_whole(anybody: Api, body: Any, status: int, code: str) -> None:
    refusal(anybody.post("/referee", body), status, code)


def test_five_hundred_moves_are_read(anybody: Api) -> None:
    ruling = anybody.post("/referee", call(*[ATTACK] * 500)).json()
    assert ruling["refused"]["index"] == 1


def test_bad_options_are_named(anybody: Api) -> None:
    body = call(options={"deck_size": 7, "jokers": True})
    problem = refusal(anybody.post("/referee", body), 400, "rules.invalid_options")
    assert set(problem["options"]) == {"deck_size", "jokers"}


@pytest.mark.parametrize(
    ("move", "field"),
    [
        ({"seat": 0, "move": {"type": "attack", "cards": ["ZZ"]}}, "moves[0].move.cards"),
        ({"seat": 0, "move": {"type": "fly"}}, "moves[0].move.type"),
        ({"seat": 0, "move": {}}, "moves[0].move.type"),
        ({"seat": -1, "move": {"type": "take"}}, "moves[0].seat"),
        ({"seat": 0}, "moves[0]"),
        ("attack", "moves[0]"),
    ],
)
def test_bad_moves_are_named_by_their_place(anybody: Api, move: Any, field: str) -> None:
    assert field in bad_fields(anybody.post("/referee", call(move)))


def test_the_list_of_bad_options_has_an_end(anybody: Api) -> None:
    options = {f"option{number}": 1 for number in range(5000)}
    refused = anybody.post("/referee", call(options=options))
    problem = refusal(refused, 400, "rules.invalid_options")
    assert len(problem["errors"]) == len(problem["options"]) == 100


def test_a_position_that_no_game_could_be_in(anybody: Api) -> None:
    twice = POSITION | {"hands": [["6S"], ["6S"]]}
    fields = bad_fields(anybody.post("/referee", call(position=twice)))
    assert all(field.startswith("position.") for field in fields)


values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 99)
    | st.sampled_from(["6S", "??", "attack", "", "H"]),
    lambda inner: st.lists(inner, max_size=4),
    max_leaves=8,
)
keys = st.sampled_from(
    [
        "hands",
        "trump",
        "talon",
        "attacker",
        "defender",
        "dealer",
        "table",
        "passed",
        "phase",
        "to_act",
        "discard_pile",
        "discard_count",
        "first_bout",
        "out_in_order",
        "turn_up",
        "lowest_trump_owner",
        "named_suit",
        "pending",
        "game_over",
    ]
)


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(keys, values, max_size=6), st.lists(values, max_size=3))
def test_no_position_breaks_the_server(changes: Any, moves: Any) -> None:
    turns = [{"seat": 0, "move": {"type": "attack", "cards": move}} for move in moves]
    answer = Api().post("/referee", json(call(*turns, position=POSITION | changes)))
    assert answer.status_code in {200, 400}
