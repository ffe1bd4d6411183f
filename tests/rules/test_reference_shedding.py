"""The shedding rules in a second reading: the recorded cases, and what each sentence says."""

import re
from typing import Any

import pytest

from tests.cases import CASES, Case, start_of
from tests.reference.shedding import Refused, Table
from tests.reference.shedding.rulesets import options_of

SHEDDING = [case for case in CASES if case["family"] == "shedding"]


@pytest.mark.parametrize("case", SHEDDING, ids=lambda case: case["id"])
def test_a_case_by_the_reference_alone(case: Case) -> None:
    table = Table(start_of(case), options_of(case["ruleset"], **case["options"]))
    for step in case["steps"]:
        before = table.snapshot()
        if "error" in step:
            with pytest.raises(Refused, match=step["error"]):
                table.play(step["seat"], step["move"])
            assert table.snapshot() == before
        else:
            table.play(step["seat"], step["move"])
    for name, expected in case["expect"].items():
        assert says(table.snapshot(), name, expected), name


def says(position: dict[str, Any], name: str, expected: Any) -> bool:
    """Whether a position is as a case expects it in one respect."""
    if match := re.fullmatch(r"hand_count_(\d)", name):
        return bool(len(position["hands"][int(match[1])]) == expected)
    if match := re.fullmatch(r"hand_(\d)_contains", name):
        return expected in position["hands"][int(match[1])]
    if name == "talon_count":
        return bool(len(position["talon"]) == expected)
    if name == "top_card":
        return bool(position["discard_pile"][-1] == expected)
    if name == "to_act":
        return bool(position["to_act"] == [expected])
    return bool(position[name] == expected)
