"""Who goes out, what is counted, who is the durak."""

from typing import Any

import msgspec
import pytest
from msgspec import UNSET

from games.rules.events import Result
from games.rules.rulesets.registry import ruleset, ruleset_ids
from games.rules.texts import ruleset_text
from tests.rules.piles import DRAW, PASS, lay, points, table, told
from tests.rules.tables import counts, refusal

JAPANESE = {"ruleset_id": "japanese_shedding"}
HUNDRED = {"ruleset_id": "hundred_one"}
JACKS = {"ruleset_id": "mau_mau_jacks"}
ENDS: dict[str, Any] = {"points": None, "reason": "played_out"}


def ended(*hands: str, last: str = "8D", suit: str | None = None, **more: Any) -> Result:
    """The result after seat 0 has laid its last cards."""
    state, _ = told(table(*hands, **more), (0, lay(last, suit)))
    assert state.result is not None
    return state.result


def test_A01_A03_A12_play_goes_on_until_one_player_holds_cards() -> None:
    state = table("8D", "8C 9H", "9S TS", talon="9C TC", **JAPANESE)
    state, _ = told(state, (0, lay("8D")))
    assert (state.result, state.out, state.places) == (None, (0,), ((0, 1),))
    state, _ = told(state, (1, lay("8C")))
    assert refusal(state, 2, lay("TS")) == "no_match"
    assert told(state, (2, DRAW))[0].to_act == (2,)


def test_A03_A12_K22_the_last_one_with_cards_is_the_durak_and_nobody_counts() -> None:
    result = ended("8D", "8C 9H", **JAPANESE)
    assert result == Result(durak=1, draw=False, winner=0, places=((0,), (1,)), **ENDS)


def test_A12_places_follow_the_order_of_going_out() -> None:
    state, _ = told(table("8D", "8C", "9S TS", **JAPANESE), (0, lay("8D")), (1, lay("8C")))
    assert state.result == Result(2, False, 0, ((0,), (1,), (2,)), **ENDS)


def test_C5_18_C5_19_C5_20_C5_21_K22_K24_the_first_out_wins_and_the_others_count() -> None:
    result = ended("8D", "JC QC KC AC TC 6S 9H", "QS", talon="7C TH")
    assert result.points == {"0": 0, "1": 45, "2": 20}
    assert (result.winner, result.durak, result.draw) == (0, 1, False)
    assert result.places == ((0,), (2,), (1,))


def test_C5_21_a_queen_among_others_has_her_ordinary_price() -> None:
    assert ended("8D", "QC QS").points == {"0": 0, "1": 6}


def test_C5_V5a_going_out_with_a_queen_takes_thirty_off() -> None:
    result = ended("QD", "QC", "8H 9H", last="QD", suit="S", ruleset_id="pharaoh")
    assert result.points == {"0": -30, "1": 30, "2": 17}


def test_C5_V5b_K24_a_lone_queen_costs_thirty_there() -> None:
    result = ended("8D", "QC", "QH QS", ruleset_id="pharaoh")
    assert result.points == {"0": 0, "1": 30, "2": 6}


def test_C5_V6c_points_of_pentagon() -> None:
    result = ended("8D", "AC KC QC JC TC 9C 6C", ruleset_id="pentagon")
    assert result.points == {"0": 0, "1": 47}


def test_C5_V3c_G17_whoever_holds_a_jack_loses_whatever_the_points() -> None:
    result = ended("8D", "JC 6S", "AC KC TC", **JACKS)
    assert result.match_losers == (1,)
    assert result.points == {"0": 0, "1": 0, "2": 0}
    assert (result.durak, result.places) == (1, ((0,), (2,), (1,)))


def test_D_26_all_who_hold_jacks_lose_together() -> None:
    result = ended("8D", "JC 6S", "JH", "9S", **JACKS)
    assert result.match_losers == (1, 2)
    assert (result.durak, result.draw, result.places) == (None, False, ((0,), (3,), (1, 2)))


def test_C5_V3c_without_a_jack_points_are_counted() -> None:
    result = ended("8D", "QC 6S", **JACKS)
    assert (result.points, result.match_losers) == ({"0": 0, "1": 9}, UNSET)


def test_D_26_equal_points_share_a_place_and_a_shared_last_place_has_no_durak() -> None:
    result = ended("8D", "9C", "9H", "6S")
    assert result.places == ((0,), (3,), (1, 2))
    assert (result.durak, result.draw, result.winner) == (None, False, 0)


def test_D_26_points_may_fall_below_zero() -> None:
    assert ended("QD", "8C", last="QD", ruleset_id="pharaoh").points == {"0": -30, "1": 8}


@pytest.mark.parametrize(("queen", "off"), [("QD", -20), ("QS", -40), ("9D", 0)])
def test_D_26_where_the_last_holder_counts_going_out_with_a_queen_takes_points_off(
    queen: str, off: int
) -> None:
    state = table(queen, "9S TH 9H", "8S KC TC", **HUNDRED)
    state, _ = told(state, (0, lay(queen)))
    assert state.result is None
    assert state.last_cards == (queen,)
    state = table("", "8D", "9S TH", out_in_order=[0], last_cards=[queen], to_act=1, **HUNDRED)
    state, _ = told(state, (1, lay("8D")))
    assert points(state) == {"0": off, "1": 0, "2": 10}
    assert state.result is not None
    assert (state.result.durak, state.result.places) == (2, ((0,), (1,), (2,)))


def test_G14_a_stalemate_ranks_everybody_by_points() -> None:
    state = table("7S 8H", "8C 9H", "9C 6S", talon="", ruleset_id="mau_mau_single_draw")
    state, _ = told(state, (0, PASS), (1, PASS), (2, PASS))
    assert state.result == Result(
        durak=1,
        draw=False,
        winner=None,
        places=((0, 2), (1,)),
        reason="stalemate",
        points={"0": 15, "1": 17, "2": 15},
    )


def test_G14_equal_points_of_all_are_a_draw() -> None:
    state = table("7S 8H", "9C 6S", talon="", ruleset_id="mau_mau_single_draw")
    state, _ = told(state, (0, PASS), (1, PASS))
    assert state.result is not None
    assert (state.result.draw, state.result.durak, state.result.places) == (True, None, ((0, 1),))


def test_C5_01_mau_mau_is_known_as_czech_durak_too() -> None:
    assert "чешский дурак" in ruleset_text("mau_mau").aliases
    for name in ("english_durak", "pharaoh", "pentagon"):
        assert ruleset(name).rules.end == "first_out"


def test_K18_two_games_are_called_japanese() -> None:
    assert {ruleset("throw_in.japanese").family, ruleset("japanese_shedding").family} == {
        "bout",
        "shedding",
    }


def test_G20_games_are_scored_one_by_one_or_up_to_a_target() -> None:
    targets = {name: ruleset(name).rules.match_target for name in ruleset_ids("shedding")}
    assert {name for name, target in targets.items() if target is not None} == {"hundred_one"}
    assert targets["hundred_one"] == 101
    assert ruleset("mau_mau", {"match_target": 101}).options == {"match_target": 101}


def test_a_result_with_losers_is_stored_whole_and_without_them_as_ever() -> None:
    result = ended("8D", "JC 6S", **JACKS)
    text = msgspec.json.encode(result)
    assert msgspec.json.decode(text, type=Result) == result
    assert b"match_losers" not in msgspec.json.encode(ended("8D", "9C"))


def test_a_seat_that_is_out_is_not_asked_again() -> None:
    state = table("8D", "8C 9H", "9S TS 8S", **JAPANESE)
    state, _ = told(state, (0, lay("8D")), (1, lay("8C")), (2, lay("8S")))
    assert (state.to_act, counts(state)) == ((1,), (0, 1, 2))
