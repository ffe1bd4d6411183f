"""Positions of shedding games: read, written, read again; impossible ones are refused."""

from itertools import product
from typing import Any

import msgspec
import pytest

from games.rules import engine
from games.rules.errors import InvalidPosition
from games.rules.notation import read_position, write_position
from games.rules.rulesets.registry import ruleset, ruleset_ids
from games.rules.shedding.state import SheddingState
from tests.rules.piles import DRAW, PASS, lay, points, table, told

REQUIRED = {"hands", "discard_pile", "talon", "to_act"}
WRITTEN = {
    *REQUIRED,
    *("phase", "attacker", "defender", "dealer", "table", "passed", "discard_count", "first_bout"),
    *("out_in_order", "turn_up", "lowest_trump_owner", "named_suit", "pending", "drawn"),
    *("ace_right", "first_player", "last_cards"),
    *("game_over", "durak", "draw", "winner", "stalemate", "points", "match_losers"),
}


def position(**more: Any) -> dict[str, Any]:
    """Two hands, a pile and a talon, and what is changed about them."""
    body = {
        "hands": [["9D", "8H"], ["8C", "9H"]],
        "discard_pile": ["6C", "KD"],
        "talon": ["TC", "JC"],
        "to_act": 0,
    }
    return body | more


def read(body: Any, ruleset_id: str = "mau_mau", **options: Any) -> SheddingState:
    state, _ = read_position(ruleset(ruleset_id, options).rules, body)
    assert isinstance(state, SheddingState)
    return state


def faults(body: Any, ruleset_id: str = "mau_mau", **options: Any) -> set[str]:
    with pytest.raises(InvalidPosition) as raised:
        read(body, ruleset_id, **options)
    assert all(reason for reason in raised.value.errors.values())
    return set(raised.value.errors)


def test_four_fields_are_enough() -> None:
    state = read(position())
    assert (state.phase, state.to_act, state.pile) == ("play", (0,), ("6C", "KD"))
    assert state.passed == state.out == ()


@pytest.mark.parametrize("missing", sorted(REQUIRED))
def test_the_four_fields_must_be_there(missing: str) -> None:
    body = position()
    del body[missing]
    assert faults(body) == {missing}


def test_what_is_written_has_every_field_and_is_read_again() -> None:
    state = read(position())
    written = write_position(state, [["9D", "8H"], ["8C", "9H"]])
    assert written.keys() == WRITTEN
    assert written["discard_count"] == 2
    assert read(msgspec.json.decode(msgspec.json.encode(written))) == state


@pytest.mark.parametrize(
    ("more", "field"),
    [
        ({"to_act": 2}, "to_act"),
        ({"to_act": [0, 1]}, "to_act"),
        ({"to_act": []}, "to_act"),
        ({"dealer": 2}, "dealer"),
        ({"passed": [1, 1]}, "passed"),
        ({"passed": [0, 1]}, "passed"),
        ({"talon": ["9D"]}, "hands"),
        ({"talon": ["2C"]}, "hands"),
        ({"talon": ["XX"]}, "talon"),
        ({"phase": "attack"}, "phase"),
        ({"phase": "finished"}, "phase"),
        ({"phase": "finished", "to_act": []}, "phase"),
        ({"phase": "drawn"}, "drawn"),
        ({"drawn": "TC"}, "drawn"),
        ({"drawn": "9D", "phase": "play"}, "drawn"),
        ({"drawn": "9D", "discard_pile": []}, "drawn"),
        ({"drawn": "8H"}, "drawn"),
        ({"phase": "name_suit"}, "phase"),
        ({"phase": "ace_chain"}, "phase"),
        ({"ace_right": 0}, "ace_right"),
        ({"pending": {"draw": 2, "skip": 1}}, "pending"),
        ({"named_suit": "S", "discard_pile": []}, "named_suit"),
        ({"hands": [[], ["8C"]]}, "hands"),
        ({"out_in_order": [0]}, "out_in_order"),
        ({"last_cards": ["QS"]}, "last_cards"),
        ({"game_over": True}, "game_over"),
        ({"trump": "H"}, "trump"),
        ({"attacker": 0}, "attacker"),
        ({"unknown": 1}, "unknown"),
    ],
)
def test_positions_that_no_game_could_be_in(more: dict[str, Any], field: str) -> None:
    assert field in faults(position(**more))


def test_who_holds_no_cards_is_out_where_the_game_goes_on() -> None:
    body = position(hands=[["9D"], [], ["8C"]])
    state = read(body, "japanese_shedding")
    assert (state.out, state.last_cards) == ((1,), (None,))
    assert faults(body | {"to_act": 1}, "japanese_shedding") == {"to_act"}
    assert faults(body | {"passed": [1]}, "japanese_shedding") == {"passed"}


def test_a_phase_after_a_draw_is_known_by_the_card() -> None:
    state = read(position(hands=[["7S", "9D"], ["8C"]], drawn="9D"))
    assert (state.phase, state.drawn) == ("drawn", "9D")


@pytest.mark.parametrize("stalled", [False, True])
def test_a_finished_position_says_what_the_rules_say(stalled: bool) -> None:
    if stalled:
        state = table("7S 8H", "8C 9H", talon="", ruleset_id="mau_mau_single_draw")
        state, _ = told(state, (0, PASS), (1, PASS))
    else:
        state, _ = told(table("8D", "8C 9H"), (0, lay("8D")))
    hands = [["7S", "8H"], ["8C", "9H"]] if stalled else [[], ["8C", "9H"]]
    written = write_position(state, hands)
    assert (written["game_over"], written["stalemate"]) == (True, stalled)
    again, _ = read_position(state.rules, written)
    assert isinstance(again, SheddingState)
    assert points(again) == points(state)
    assert write_position(again, hands) == written


def read_or_refused(body: Any, ruleset_id: str) -> SheddingState | None:
    """The state of a position, or None if it is refused as one that cannot be."""
    try:
        return read(body, ruleset_id)
    except InvalidPosition:
        return None


@pytest.mark.parametrize("ruleset_id", ruleset_ids("shedding"))
@pytest.mark.parametrize("hands", [[["9D", "8H"], ["QC", "AH"]], [["9D"], []], [["9D"], [], []]])
@pytest.mark.parametrize("game_over", [False, True])
def test_a_position_runs_or_is_over_whatever_is_said_of_it(
    ruleset_id: str, hands: list[list[str]], game_over: bool
) -> None:
    body = position(hands=hands, game_over=game_over, discard_pile=["TD", "AD"])
    phases = (None, "play", "drawn", "name_suit", "ace_chain", "finished")
    for phase, to_act, right in product(phases, ([], 0, [0], [1], [0, 1]), (None, 0, 1)):
        sent = body | {"phase": phase, "to_act": to_act, "ace_right": right}
        state = read_or_refused(sent, ruleset_id)
        if state is None:
            continue
        assert phase in (None, state.phase)
        assert (state.phase == "finished") == game_over == (state.result is not None)
        assert list(state.to_act) == (to_act if isinstance(to_act, list) else [to_act])
        acting = [seat for seat in range(len(hands)) if engine.legal_moves(state, seat)]
        assert acting == list(state.to_act)
        assert len(acting) == (not game_over)


@pytest.mark.parametrize(
    ("field", "value"), [("durak", 0), ("winner", 1), ("points", {"0": 3}), ("match_losers", [1])]
)
def test_a_finished_position_that_the_rules_contradict_is_refused(field: str, value: Any) -> None:
    body = position(hands=[[], ["8C", "9H"]], game_over=True, to_act=[])
    assert read(body).result is not None
    assert read(body | {"phase": "finished"}).result is not None
    assert faults(body | {"phase": "play"}) == {"phase"}
    assert faults(body | {"to_act": 1}) == {"to_act"}
    assert faults(body | {field: value}) == {field}


def test_the_right_of_an_ace_and_a_penalty_are_kept() -> None:
    state = table("AD 9D 8H", "8D 9H", ruleset_id="english_durak")
    state, _ = told(state, (0, lay("AD")), (0, PASS))
    written = write_position(state, [["9D", "8H"], ["8D", "9H"]])
    assert written["ace_right"] == 1
    assert read(written, "english_durak").ace_right == 1
    state, _ = told(table("6D 8H", "6S 9H", options={"stacking": "same_rank"}), (0, lay("6D")))
    written = write_position(state, [["8H"], ["6S", "9H"]])
    assert read(written, stacking="same_rank").pending == state.pending


def test_a_chain_in_which_a_card_was_drawn_is_kept() -> None:
    state = table("AD 9C 8H", "8D 9H", talon="TS TC", ruleset_id="english_durak")
    state, _ = told(state, (0, lay("AD")), (0, DRAW))
    written = write_position(state, [["9C", "8H", "TS"], ["8D", "9H"]])
    again = read(written, "english_durak")
    assert (again.phase, again.drawn) == ("ace_chain", "TS")


def test_an_opened_card_that_names_a_suit_is_kept_with_who_begins() -> None:
    body = position(discard_pile=["QD"], phase="name_suit", to_act=1, dealer=1, first_player=1)
    state = read(body, starter="deck_top")
    assert (state.phase, state.first_player) == ("name_suit", 1)
    assert faults(body | {"ace_right": 1}, starter="deck_top") == {"ace_right"}
    assert faults(body | {"dealer": 0}, starter="deck_top") == {"phase"}
