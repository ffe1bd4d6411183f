"""The rulebook's cases, move by move through the referee."""

from typing import Any

import pytest

from games.rules import referee
from games.rules.errors import MalformedMove
from games.rules.moves import SHAPES, parse_move
from games.rules.rulesets.registry import ruleset
from tests.cases import COVERED, Case, found, playable, start_of

PLAYABLE = playable()


def turn(step: dict[str, Any]) -> referee.Turn:
    family = "shedding" if step["move"]["type"] in SHAPES["shedding"] else "bout"
    return referee.Turn(step["seat"], parse_move(family, step["move"]))


def test_none_of_the_cases_drops_out() -> None:
    assert len(COVERED) == 100
    assert {case["id"] for case in PLAYABLE} == COVERED


@pytest.mark.parametrize("case", PLAYABLE, ids=lambda case: case["id"])
def test_a_case_step_by_step_with_the_position_sent_back(case: Case) -> None:
    rules = ruleset(case["ruleset"], case["options"]).rules
    position = referee.rule(rules, start_of(case), []).position
    for step in case["steps"]:
        ruling = referee.rule(rules, position, [turn(step)])
        if "error" in step:
            assert ruling.refused == (0, step["error"])
            assert (ruling.position, ruling.events) == (position, [])
        else:
            assert ruling.refused is None
            assert ruling.events
        position = ruling.position
    assert found(position, case["expect"]) == case["expect"]


@pytest.mark.parametrize("case", PLAYABLE, ids=lambda case: case["id"])
def test_a_case_in_one_call(case: Case) -> None:
    rules = ruleset(case["ruleset"], case["options"]).rules
    accepted = [turn(step) for step in case["steps"] if "error" not in step]
    ruling = referee.rule(rules, start_of(case), accepted)
    assert ruling.refused is None
    assert found(ruling.position, case["expect"]) == case["expect"]
    assert set(ruling.legal_moves) == {str(seat) for seat in ruling.position["to_act"]}


def test_the_first_refused_move_stops_the_rest() -> None:
    case = next(case for case in PLAYABLE if case["id"] == "B01")
    rules = ruleset("throw_in").rules
    ruling = referee.rule(rules, start_of(case), [turn(step) for step in case["steps"]])
    assert ruling.refused == (1, "move.cannot_beat")
    assert ruling.position["table"] == [{"attack": "9S", "beat": None}]


@pytest.mark.parametrize("index", [0, 1])
def test_a_seat_that_is_not_there_is_named_by_its_move(index: int) -> None:
    case = next(case for case in PLAYABLE if case["id"] == "B01")
    turns = [turn(case["steps"][0])] * index
    nobody = referee.Turn(2, parse_move("bout", {"type": "take"}))
    with pytest.raises(MalformedMove) as raised:
        referee.rule(ruleset("throw_in").rules, start_of(case), [*turns, nobody])
    assert raised.value.errors.keys() == {f"moves[{index}].seat"}


def test_events_and_what_follows_are_told_without_secrets() -> None:
    case = next(case for case in PLAYABLE if case["id"] == "B29")
    rules = ruleset("throw_in").rules
    ruling = referee.rule(rules, start_of(case), [turn(step) for step in case["steps"]])
    assert [event["type"] for event in ruling.events[-3:]] == [
        "seat_passed",
        "bout_discarded",
        "hand_replenished",
    ]
    assert ruling.events[-1]["data"]["open_card"] == "7H"
    assert ruling.events[-1]["next"]["legal_moves"] == ruling.legal_moves["1"]


def test_a_finished_game_is_ruled_too() -> None:
    case = next(case for case in PLAYABLE if case["id"] == "B34")
    rules = ruleset("throw_in").rules
    ruling = referee.rule(rules, start_of(case), [turn(step) for step in case["steps"]])
    assert ruling.legal_moves == {}
    assert ruling.position["phase"] == "finished"
    again = referee.rule(rules, ruling.position, [turn(case["steps"][0])])
    assert again.refused == (0, "game.over")
