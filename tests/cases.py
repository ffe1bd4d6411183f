"""The recorded cases of tests/data/cases.json, and how to read what they expect."""

import json
import re
from pathlib import Path
from typing import Any, Final

from games.rules.errors import InvalidOptions, UnknownRuleset
from games.rules.rulesets.registry import ruleset

Case = dict[str, Any]
Json = dict[str, Any]
_DATA: Final = Path(__file__).parent / "data" / "cases.json"
_PLACED: Final = ("hands", "trump", "talon", "attacker", "discard_pile", "to_act")
CASES: Final[list[Case]] = json.loads(_DATA.read_text("utf-8"))["cases"]

# Those that the rulesets of today must play; a ruleset or option that is added adds its own.
_AS_THEY_STAND: Final = (
    "B01 B02 B04 B05 B07 B10 B12 B14 B16 B17 B19 B20 B22 B23 B27 B28 B29 B31 B32 B34 B37 B38 B39"
    " B40 B41 B43 B44 B45 B46 B47 B49 B50 B53 B75 B76"
)
_WITH_OPTIONS: Final = "B08 B11 B13 B25 B26 B35 B72 B73"
_HOUSE_RULES: Final = "B52 B55 B56 B58 B59 B61 B62 B63 B64 B65 B67 B69 B70"
_SHEDDING: Final = (
    "S01 S03 S04 S06 S07 S09 S10 S12 S13 S15 S16 S18 S19 S21 S22 S23 S24 S25 S27 S28 S30 S31 S32"
    " S33 S34 S35 S36 S37 S38 S39 S40 S42 S43 S44 S45 S46 S47 S48 S49 S51 S52 S54 S55 S57"
)
COVERED: Final = frozenset(f"{_AS_THEY_STAND} {_WITH_OPTIONS} {_HOUSE_RULES} {_SHEDDING}".split())


def playable() -> list[Case]:
    """Every case whose ruleset and options exist."""
    return [case for case in CASES if _exists(case)]


def start_of(case: Case) -> Json:
    """The position in which a case begins."""
    placed = {field: case[field] for field in _PLACED if field in case}
    return placed | case.get("also", {})


def found(position: Json, expected: Json) -> Json:
    """What a position says about each thing that a case expects."""
    return {name: _reading(position, name, value) for name, value in expected.items()}


def _exists(case: Case) -> bool:
    try:
        ruleset(case["ruleset"], case["options"], len(case["hands"]))
    except (InvalidOptions, UnknownRuleset):
        return False
    return True


def _reading(position: Json, name: str, expected: Any) -> Any:
    if match := re.fullmatch(r"hand_(\d)", name):
        return " ".join(position["hands"][int(match[1])])
    if match := re.fullmatch(r"hand_count_(\d)", name):
        return len(position["hands"][int(match[1])])
    if match := re.fullmatch(r"hand_(\d)_contains", name):
        return expected if expected in position["hands"][int(match[1])] else None
    if name == "top_card":
        return position["discard_pile"][-1]
    if name == "talon_count":
        return len(position["talon"])
    if name == "attack_cards_on_table":
        return len(position["table"])
    if name == "to_act":
        return position["to_act"][0]
    return position[name]
