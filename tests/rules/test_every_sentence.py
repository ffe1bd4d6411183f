"""Every sentence of the rulebook that is in force has a test that bears its id."""

import re
from collections.abc import Iterator
from pathlib import Path

import msgspec

from games.rules.errors import InvalidOptions
from games.rules.rulesets.registry import ruleset, ruleset_ids
from games.rules.rulesets.schema import Rules
from games.rules.texts import sentence, sentence_ids, sentences_for

TESTS = Path(__file__).parent
ID = re.compile(r"(?<=_)([AB]\d\d|C\d_(?:\d\d|V\d[abc]?)|K\d+|G\d+|D_(?:\d+|order)|[UWX]\d\d)(?=_)")
# Cases of the rulebook's 4.3 that tests of the rules can show.
SHOWN = {f"U{number:02}" for number in range(1, 18)}
SEEN = {f"W{number:02}" for number in range(1, 14)}
SHEDDING_CASES = {f"U{number}" for number in range(12, 17)} | {"W13"}
# Cases of how a game goes on and ends, wherever they are tested; the first of them needs clocks.
PLAYED = {f"X{number:02}" for number in range(2, 9)}
ALSO_AGREED: tuple[dict[str, object], ...] = (
    {},
    {"must_defend_if_able": True},
    {"refill_order": "clockwise_from_leader"},
    {"throw_in_timing": "anytime"},
    {"trump_exchange": "six_for_ace"},
    {"enforcement": "catchable"},
    {"redeal_on_bad_hand": "five_of_suit"},
    {"draw_allowed": False},
)


def ids_of_tests(files: str = "test_*.py") -> set[str]:
    """The ids in the names of the tests beside this one."""
    names = [
        name
        for file in TESTS.glob(files)
        for name in re.findall(r"^def (test_\w+)\(", file.read_text("utf-8"), re.MULTILINE)
    ]
    return {written(found) for name in names for found in ID.findall(name)}


def written(found: str) -> str:
    """An id as the rulebook writes it: ``C1_14`` is C1-14, ``B24`` is B-24."""
    if found[0] in "AB":
        return f"{found[0]}-{found[1:]}"
    return found.replace("_", "-")


def tables(family: str) -> Iterator[Rules]:
    """Every ruleset as it stands, and with what may be agreed besides."""
    for ruleset_id in ruleset_ids(family):
        for options in ALSO_AGREED:
            try:
                yield ruleset(ruleset_id, options).rules
            except InvalidOptions:
                assert options


def in_force(family: str) -> set[str]:
    """Every sentence that holds in some ruleset of a family."""
    return {
        item.id
        for rules in tables(family)
        for item in sentences_for(family, msgspec.structs.asdict(rules))
    }


def of_shedding_alone() -> set[str]:
    """The sentences that speak of shedding games and not of every game."""
    families = {
        name: {clause.family for clause in sentence(name).applies} for name in sentence_ids()
    }
    return {name for name, of in families.items() if "shedding" in of}


def test_no_sentence_in_force_goes_without_a_test() -> None:
    assert sorted(in_force("bout") - ids_of_tests()) == []
    assert sorted(in_force("shedding") - ids_of_tests()) == []


def test_no_sentence_of_the_shedding_games_goes_without_a_test_of_theirs() -> None:
    assert of_shedding_alone() >= {"A-01", "C5-V4a", "K24", "G14", "D-26"}
    missing = of_shedding_alone() | SHEDDING_CASES
    assert sorted(missing - ids_of_tests("test_shedding_*.py")) == []


def test_no_case_of_the_set_up_and_of_the_views_goes_without_a_test() -> None:
    assert ids_of_tests() >= SHOWN | SEEN


def test_no_case_of_a_games_course_goes_without_a_test() -> None:
    texts = [file.read_text("utf-8") for file in TESTS.parent.rglob("test_*.py")]
    named = re.compile(r"\bdef test_(?:\w+_)?(x\d\d)_", re.IGNORECASE)
    assert {found.upper() for text in texts for found in named.findall(text)} >= PLAYED


def test_every_id_in_a_name_is_the_rulebooks() -> None:
    assert sorted(ids_of_tests() - set(sentence_ids()) - SHOWN - SEEN - PLAYED) == []
