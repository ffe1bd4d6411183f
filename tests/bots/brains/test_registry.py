"""Brains are found by name and version."""

import random
from collections.abc import Iterator

import pytest

from bots.brains import UnknownBrain, brain, brain_get, brain_list
from bots.brains.patterns import safe_move
from bots.brains.registry import Answer, History, View, forget


@pytest.fixture
def two_versions() -> Iterator[None]:
    @brain("stay_at_home")
    class Old:
        def choose(self, view: View, history: History, rng: random.Random, budget: int) -> Answer:
            return {"type": "take"}

    @brain("stay_at_home", version=2)
    class New:
        def choose(self, view: View, history: History, rng: random.Random, budget: int) -> Answer:
            return {"type": "pass"}

    yield
    forget("stay_at_home")


@pytest.mark.usefixtures("two_versions")
def test_the_newest_version_plays_unless_another_is_named() -> None:
    assert brain_get("stay_at_home").version == 2
    assert brain_get("stay_at_home", 1).version == 1
    assert [entry.version for entry in brain_list() if entry.name == "stay_at_home"] == [2]


def test_a_language_without_a_title_shows_the_name(two_versions: None) -> None:
    brain("stay_at_home", version=3, title={"en": "Homebody"})(type(brain_get("random").brain))
    assert brain_get("stay_at_home", 3).title == {"en": "Homebody", "ru": "stay_at_home"}


@pytest.mark.usefixtures("two_versions")
def test_a_version_is_taken_once() -> None:
    with pytest.raises(ValueError, match="version 2 already"):
        brain("stay_at_home", version=2)(type(brain_get("random").brain))


@pytest.mark.parametrize(("name", "version"), [("nobody", None), ("greedy", 99)])
def test_unknown_names_and_versions_are_refused(name: str, version: int | None) -> None:
    with pytest.raises(UnknownBrain):
        brain_get(name, version)


def test_built_in_brains_have_titles_in_both_languages() -> None:
    entries = {entry.name: entry for entry in brain_list()}
    assert {"random", "greedy"} <= set(entries)
    assert all(entry.title["en"] and entry.title["ru"] for entry in entries.values())


def test_no_move_at_all_is_an_error_not_an_answer() -> None:
    with pytest.raises(ValueError, match="no move is legal"):
        safe_move({"you": {"legal_moves": []}, "trump": "H"})


@pytest.mark.parametrize(
    ("patterns", "answer"),
    [
        (
            [
                {"type": "beat", "target": "6C", "cards": ["7C"], "min": 1, "max": 1},
                {"type": "take"},
            ],
            {"type": "take"},
        ),
        (
            [{"type": "throw_in", "cards": ["6D"], "min": 1, "max": 1}, {"type": "pass"}],
            {"type": "pass"},
        ),
        (
            [
                {"type": "attack", "cards": ["6H"], "min": 1, "max": 1},
                {"type": "attack", "cards": ["9D", "9S"], "min": 1, "max": 2},
            ],
            {"type": "attack", "cards": ["9D"]},
        ),
    ],
)
def test_the_safe_move_rests_or_leads_the_lowest_plain_card(
    patterns: list[dict[str, object]], answer: dict[str, object]
) -> None:
    assert safe_move({"you": {"legal_moves": patterns}, "trump": "H"}) == answer
