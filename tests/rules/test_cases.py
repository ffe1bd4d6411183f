"""The rulebook's cases, move by move through the referee."""

from typing import Any

import pytest

from games.rules import referee
from games.rules.moves import parse_move
from games.rules.rulesets.registry import ruleset
from tests.cases import COVERED, Case, found, playable, start_of

PLAYABLE = playable()


def turn(step: dict[str, Any]) -> referee.Turn:
    return referee.Turn(step["seat"], parse_move("bout", step["move"]))


def test_none_of_the_cases_drops_out() -> None:
    assert len(COVERED) == 56
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
