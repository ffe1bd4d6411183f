"""The rulebook's cases through ``POST /referee``."""

from typing import Any

import pytest

from tests.api.conftest import Api
from tests.cases import COVERED, Case, found, playable, start_of

PLAYABLE = playable()


def rule(api: Api, case: Case, position: Any, steps: list[dict[str, Any]]) -> Any:
    moves = [{"seat": step["seat"], "move": step["move"]} for step in steps]
    body = {"ruleset": case["ruleset"], "options": case["options"]}
    answer = api.post("/referee", {**body, "position": position, "moves": moves})
    assert answer.status_code == 200, answer.content
    return answer.json()


def test_none_of_the_cases_drops_out() -> None:
    assert {case["id"] for case in PLAYABLE} == COVERED


@pytest.mark.parametrize("case", PLAYABLE, ids=lambda case: case["id"])
def test_a_case(anybody: Api, case: Case) -> None:
    position = start_of(case)
    for step in case["steps"]:
        ruling = rule(anybody, case, position, [step])
        refused = ruling["refused"] and (ruling["refused"]["index"], ruling["refused"]["code"])
        assert refused == ((0, step["error"]) if "error" in step else None)
        position = ruling["position"]
    assert found(position, case["expect"]) == case["expect"]


@pytest.mark.parametrize("case", PLAYABLE, ids=lambda case: case["id"])
def test_a_case_in_one_call_up_to_its_first_refusal(anybody: Api, case: Case) -> None:
    ruling = rule(anybody, case, start_of(case), case["steps"])
    errors = [(index, step["error"]) for index, step in enumerate(case["steps"]) if "error" in step]
    if not errors:
        assert ruling["refused"] is None
        assert found(ruling["position"], case["expect"]) == case["expect"]
        return
    refused = ruling["refused"]
    assert (refused["index"], refused["code"]) == errors[0]
    assert refused["rule"]["id"]
    assert refused["rule"]["text"]
    assert refused["detail"]
    before = rule(anybody, case, start_of(case), case["steps"][: errors[0][0]])
    assert ruling["position"] == before["position"]
