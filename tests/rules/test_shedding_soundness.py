"""Written shedding positions: what nothing could lead to is refused, and the rest plays on."""

from itertools import islice
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.cards import to_cards
from games.rules.errors import InvalidPosition
from games.rules.notation import read_position, write_position
from games.rules.shedding.state import SheddingState
from tests.rules.playing import Setting, shedding_settings, some, steps
from tests.rules.test_shedding_notation import faults, position, read

STACKING = {"stacking": "same_rank"}
CARD = st.sampled_from(["6S", "7H", "8C", "AD", "QS", "KH", "2C"])
SEATS = st.lists(st.integers(0, 3), max_size=4)
DISTURBED: dict[str, st.SearchStrategy[Any]] = {
    "to_act": st.one_of(st.integers(0, 3), SEATS),
    "phase": st.sampled_from(["play", "drawn", "name_suit", "ace_chain", "finished"]),
    "named_suit": st.sampled_from("SHDC"),
    "drawn": CARD,
    "pending": st.fixed_dictionaries({"draw": st.integers(0, 52), "skip": st.integers(0, 5)}),
    "ace_right": st.integers(0, 3),
    "passed": SEATS,
    "out_in_order": SEATS,
    "last_cards": st.lists(CARD, max_size=2),
    "talon": st.just([]),
    "discard_pile": st.just([]),
    "stalemate": st.booleans(),
    "game_over": st.booleans(),
}


def written(state: SheddingState) -> Any:
    body = write_position(state, [list(to_cards(hand)) for hand in state.hands])
    return msgspec.json.decode(msgspec.json.encode(body))


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"passed": [1], "drawn": "9D", "hands": [["7S", "9D"], ["8C"]]}, "passed"),
        ({"passed": [0]}, "passed"),
        ({"passed": [1, 2], "hands": [["9D"], ["8C"], ["9H"]]}, "passed"),
        ({"passed": [1], "phase": "drawn", "drawn": "9D", "hands": [["9D"], ["8C"]]}, "passed"),
        ({"named_suit": "S"}, "named_suit"),
        ({"named_suit": "D", "discard_pile": ["AD", "KD"]}, "named_suit"),
        ({"drawn": "9D", "hands": [["TD", "9D"], ["8C"]]}, "drawn"),
        ({"drawn": "9S", "hands": [["9S"], ["8C"]]}, "drawn"),
        ({"discard_count": 3}, "discard_count"),
        ({"discard_count": 1}, "discard_count"),
        ({"durak": 0}, "durak"),
        ({"winner": 0}, "winner"),
        ({"draw": True}, "draw"),
        ({"stalemate": True}, "stalemate"),
        ({"points": {"0": 1}}, "points"),
        ({"match_losers": [0]}, "match_losers"),
    ],
)
def test_no_game_leads_there(more: dict[str, Any], field: str) -> None:
    assert faults(position(**more)) == {field}


@pytest.mark.parametrize(
    ("pile", "draw", "skip"),
    [
        (["KD"], 2, 1),
        (["KD", "6C"], 0, 0),
        (["KD", "6C"], 3, 1),
        (["KD", "6C"], 2, 2),
        (["6D", "6C"], 5, 1),
        (["6D", "KD", "6C"], 4, 1),
        (["6D", "6C"], 52, 1),
    ],
)
def test_a_penalty_is_what_the_cards_on_top_demand(pile: list[str], draw: int, skip: int) -> None:
    body = position(discard_pile=pile, pending={"draw": draw, "skip": skip})
    assert faults(body, **STACKING) == {"pending"}
    assert faults(body | {"passed": [1]}, **STACKING) >= {"pending"}


@pytest.mark.parametrize(
    ("pile", "draw"), [(["KD", "6C"], 2), (["6D", "6C"], 4), (["6D", "6C"], 2)]
)
def test_a_penalty_that_they_demand_is_taken(pile: list[str], draw: int) -> None:
    body = position(discard_pile=pile, pending={"draw": draw, "skip": 1})
    assert read(body, **STACKING).pending is not None
    assert faults(body | {"passed": [1]}, **STACKING) == {"passed"}


@pytest.mark.parametrize("card", ["2C", "9H", "6C"])
def test_whoever_ended_the_game_did_it_with_the_card_on_top(card: str) -> None:
    body = position(hands=[[], ["8C", "9H"]], game_over=True, to_act=[])
    assert read(body | {"last_cards": ["KD"]}).last_cards == ("KD",)
    assert faults(body | {"last_cards": [card]}) == {"last_cards"}


def test_where_the_game_goes_on_the_last_card_may_have_been_drawn_again() -> None:
    body = position(hands=[["9D"], [], ["8C"]], last_cards=["8C"])
    assert read(body, "japanese_shedding").last_cards == ("8C",)
    assert faults(body | {"last_cards": ["2C"]}, "japanese_shedding") == {"last_cards"}


@given(shedding_settings(), st.data())
def test_a_position_that_is_taken_plays_on_into_others(setting: Setting, data: Any) -> None:
    rules = setting.rules.rules
    for step in some(steps(setting), setting):
        names = data.draw(st.sets(st.sampled_from(sorted(DISTURBED)), min_size=1, max_size=2))
        body = written(step.after) | {name: data.draw(DISTURBED[name]) for name in sorted(names)}
        del body["discard_count"]
        try:
            state, _ = read_position(rules, body)
        except InvalidPosition:
            continue
        for further in islice(steps(setting, state), 8):
            assert isinstance(further.after, SheddingState)
            again = written(further.after)
            assert written(read_again(rules, again)) == again


def read_again(rules: Any, body: Any) -> SheddingState:
    state, _ = read_position(rules, body)
    assert isinstance(state, SheddingState)
    return state
