"""Every brain answers every view with a move that a pattern covers, and always the same one."""

import random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bots.brains import brain_get, brain_list
from bots.brains.patterns import safe_move, smallest
from bots.table import Table
from games.rules.cards import CARDS, SUITS
from games.rules.rulesets.registry import ruleset, ruleset_ids
from tests.bots.brains.covering import covered

# What this project ships; tests register others.
NAMES = [
    entry.name for entry in brain_list() if type(entry.brain).__module__.startswith("bots.brains.")
]
PRESETS = ("simple", "throw_in", "throw_in_article", "transfer", "online_transfer")
BOUT_TYPES = ("attack", "beat", "throw_in", "transfer", "show_trump")
TYPES = (*BOUT_TYPES, "play", "draw", "pass", "name_suit", "an_unknown_move")


@st.composite
def patterns(draw: st.DrawFn) -> dict[str, Any]:
    """Any pattern of the contract, move types that no brain has heard of included."""
    pattern: dict[str, Any] = {"type": draw(st.sampled_from(TYPES))}
    if draw(st.booleans()):
        pattern["target"] = draw(st.sampled_from(CARDS))
    field = draw(st.sampled_from(("cards", "slots", None)))
    if field is not None:
        members: Any = st.sampled_from(CARDS) if field == "cards" else st.integers(0, 400)
        pattern[field] = draw(st.lists(members, min_size=1, max_size=8, unique=True))
        pattern["max"] = draw(st.integers(1, len(pattern[field])))
        pattern["min"] = draw(st.integers(1, pattern["max"]))
        if draw(st.booleans()):
            others = draw(st.lists(st.sampled_from(pattern[field]), unique=True))
            pattern["first"] = [pattern[field][0], *(e for e in others if e != pattern[field][0])]
    if draw(st.booleans()):
        pattern["suits"] = draw(st.lists(st.sampled_from(SUITS), min_size=1, unique=True))
        pattern["suit_required"] = draw(st.booleans())
    return pattern


@st.composite
def views(draw: st.DrawFn) -> dict[str, Any]:
    """A view with any patterns at all, of a game of either family."""
    shedding = {"top_card": "KD", "named_suit": None, "seats": []} if draw(st.booleans()) else {}
    return shedding | {
        "you": {"hand": [], "legal_moves": draw(st.lists(patterns(), min_size=1, max_size=6))},
        "trump": draw(st.sampled_from([*SUITS, None])),
        "talon_count": draw(st.integers(0, 40)),
        "table": [{"attack": "6C", "beat": None}],
        "phase": "defend",
    }


# Hardly ever drawn: a single card of a pattern that has to begin with another one.
BEGUN = {
    "top_card": "KD",
    "named_suit": None,
    "seats": [],
    "trump": "S",
    "talon_count": 0,
    "table": [{"attack": "6C", "beat": None}],
    "phase": "defend",
    "you": {
        "hand": [],
        "legal_moves": [
            {"type": "play", "cards": ["2S", "3S"], "max": 1, "min": 1, "first": ["2S"]}
        ],
    },
}


@pytest.mark.parametrize("name", NAMES)
@given(view=views(), seed=st.integers())
@example(view=BEGUN, seed=0)
def test_any_pattern_is_answered_within_its_bounds(
    name: str, view: dict[str, Any], seed: int
) -> None:
    brain = brain_get(name).brain
    answer = brain.choose(view, (), random.Random(seed), 1)
    assert covered(view["you"]["legal_moves"], answer)
    assert brain.choose(view, (), random.Random(seed), 1) == answer


@given(view=views())
def test_the_safe_move_is_always_within_a_pattern(view: dict[str, Any]) -> None:
    assert covered(view["you"]["legal_moves"], safe_move(view))


@given(pattern=patterns())
def test_the_smallest_move_of_a_pattern_is_within_it(pattern: dict[str, Any]) -> None:
    assert covered([pattern], smallest(pattern))


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(),
    seats=st.integers(2, 6),
    preset=st.sampled_from(
        ["simple", "throw_in", "throw_in_article", "transfer", "online_transfer"]
    ),
    must_beat=st.booleans(),
    data=st.data(),
)
def test_in_real_games_the_engine_accepts_every_answer(
    seed: int, seats: int, preset: str, must_beat: bool, data: st.DataObject
) -> None:
    rules = ruleset(preset, {"must_defend_if_able": must_beat}, seats)
    names = tuple(data.draw(st.sampled_from(NAMES)) for _ in range(seats))
    table, rng = Table(rules, names, str(seed)), random.Random(seed)
    assert_answers(table, names, rng)


@settings(max_examples=40, deadline=None)
@given(
    seed=st.integers(),
    seats=st.integers(2, 5),
    preset=st.sampled_from(ruleset_ids("shedding")),
    stacking=st.sampled_from(["none", "same_rank"]),
    data=st.data(),
)
def test_in_shedding_games_too(
    seed: int, seats: int, preset: str, stacking: str, data: st.DataObject
) -> None:
    rules = ruleset(preset, {"stacking": stacking}, seats)
    names = tuple(data.draw(st.sampled_from(NAMES)) for _ in range(seats))
    assert_answers(Table(rules, names, str(seed)), names, random.Random(seed))


def test_brains_say_which_families_they_play() -> None:
    assert all(set(brain_get(name).families) == {"bout", "shedding"} for name in NAMES)


def assert_answers(table: Table, names: tuple[str, ...], rng: random.Random) -> None:
    """Play to the end; every brain has an answer to every view."""
    while table.result is None:
        seat = table.to_act[0]
        view = table.view(seat)
        for name in NAMES:
            assert covered(
                view["you"]["legal_moves"], brain_get(name).brain.choose(view, (), rng, 1)
            )
        table.play(seat, brain_get(names[seat]).brain.choose(view, (), rng, 1))
