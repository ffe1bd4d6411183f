"""Transferring: when, with what, to whom, and what it makes of the bout."""

from typing import Any

import pytest

from games.rules import engine
from games.rules.events import BoutTransferred
from games.rules.state import State
from tests.rules.tables import (
    PASS,
    TAKE,
    attack,
    beat,
    counts,
    hand,
    offered,
    on_table,
    play,
    refusal,
    table,
    told,
    transfer,
)

WIDE = "7S 8S 9S TS JS QS"
THREE = ("6S 6D 9D", "6C 6H 8S", "7D 8D 9H TD")


def opened(*hands: str, lead: str = "6S", **more: Any) -> State:
    state = table(*(hands or THREE), ruleset_id="transfer", **more)
    return play(state, (0, attack(lead)))


def test_B21_C3_01_C3_02_a_card_of_the_rank_hands_the_attack_on() -> None:
    state, events = told(opened(), (1, transfer("6C")))
    assert events == (
        BoutTransferred(seat=1, defender=2, cards=("6C",), limit=4, next=events[0].next),
    )
    assert (state.attacker, state.defender, state.phase, state.to_act) == (1, 2, "defend", (2,))
    assert on_table(state) == "6S 6C"
    assert hand(state, 1) == "6H 8S"


def test_B21_a_card_of_another_rank_does_not() -> None:
    assert refusal(opened(), 1, transfer("8S")) == "transfer_rank"
    assert refusal(opened(), 1, transfer("6C 8S")) == "transfer_rank"


def test_B22_C1_28_the_next_one_may_pass_all_of_it_on() -> None:
    hands = ("6S 9D 9C 9S", "6C 8S", "6D 8D 9H")
    state = play(opened(*hands), (1, transfer("6C")), (2, transfer("6D")))
    assert (state.attacker, state.defender, on_table(state)) == (2, 0, "6S 6C 6D")


def test_B22_G7_with_two_players_it_goes_to_and_fro() -> None:
    state = opened("6S 6D 9D KD", "6C 6H 8S TS")
    state = play(state, (1, transfer("6C")))
    assert (state.attacker, state.defender, state.to_act) == (1, 0, (0,))
    state = play(state, (0, transfer("6D")))
    assert (state.attacker, state.defender, on_table(state)) == (0, 1, "6S 6C 6D")


def test_B23_nobody_has_to_transfer() -> None:
    state = opened("6S 9D", "6C 7S", "7D 8D 9H")
    assert offered(state, 1) == {"beat", "transfer", "take"}
    assert on_table(play(state, (1, beat("6S", "7S")))) == "6S/7S"
    assert play(state, (1, TAKE)).phase == "take"


def test_B24_no_transfer_once_a_card_is_beaten() -> None:
    hands = ("6S 6D 9D", "6C 7S 8S", "7D 8D 9H TD")
    state = play(opened(*hands, lead="6S 6D"), (1, beat("6S", "7S")))
    assert refusal(state, 1, transfer("6C")) == "transfer_after_beat"
    assert "transfer" not in offered(state, 1)


def test_B25_not_to_a_hand_smaller_than_what_would_lie_before_it() -> None:
    state = opened("6S 9D", "6C 6D 8S", "7D 8D")
    assert refusal(state, 1, transfer("6C 6D")) == "transfer_target_too_few"
    assert [move.max for move in engine.legal_moves(state, 1) if move.type == "transfer"] == [1]
    assert play(state, (1, transfer("6C"))).defender == 2


def test_B25_then_he_beats_or_takes() -> None:
    state = opened("6S 9D", "6C 7S", "7D")
    assert refusal(state, 1, transfer("6C")) == "transfer_target_too_few"
    assert offered(state, 1) == {"beat", "take"}


def test_D_2_a_seat_without_cards_is_not_skipped_it_stops_the_transfer() -> None:
    state = opened("6S 9D", "6C 7S", "", "7D 8D 9H", talon="8H")
    assert refusal(state, 1, transfer("6C")) == "transfer_target_too_few"


def test_D_2_a_seat_that_is_out_is_skipped() -> None:
    state = opened("6S 9D", "6C 7S", "", "7D 8D 9H")
    assert play(state, (1, transfer("6C"))).defender == 3


def test_D_2_the_new_defenders_hand_of_that_moment_counts() -> None:
    state = opened("6S 9D 9C KD", "6C 7S")
    assert counts(state) == (3, 2)
    assert play(state, (1, transfer("6C"))).limit == 3


def test_D_2_ones_last_card_may_be_transferred() -> None:
    state = play(opened("6S 9D", "6C", "7D 8D 9H"), (1, transfer("6C")))
    assert (state.attacker, counts(state)) == (1, (1, 0, 3))
    state = play(state, (2, TAKE), (0, PASS))
    assert (state.out, state.phase, state.attacker) == ((1,), "attack", 0)


def test_C1_26_not_in_the_first_bout_where_so_agreed() -> None:
    article = {"first_bout": True}
    state = play(table(*THREE, ruleset_id="transfer_article", **article), (0, attack("6S")))
    assert refusal(state, 1, transfer("6C")) == "transfer_first_bout"
    assert "transfer" not in offered(state, 1)


def test_C1_26_from_the_second_bout_on_it_is_allowed() -> None:
    hands = ("6S 9D KD KC", "6C 8S QS")
    state = table(*hands, ruleset_id="transfer_article", first_bout=True)
    state = play(state, (0, attack("9D")), (1, TAKE), (0, PASS), (0, attack("6S")))
    assert play(state, (1, transfer("6C"))).defender == 0


def test_K13_in_the_first_bout_too_where_nothing_else_is_agreed() -> None:
    assert play(opened(first_bout=True), (1, transfer("6C"))).defender == 2


def test_C1_27_several_cards_at_once() -> None:
    (pattern,) = [move for move in engine.legal_moves(opened(), 1) if move.type == "transfer"]
    assert (pattern.cards, pattern.min, pattern.max) == (("6H", "6C"), 1, 2)
    assert on_table(play(opened(), (1, transfer("6C 6H")))) == "6S 6C 6H"


def test_K13_only_one_card_where_so_agreed() -> None:
    state = opened(options={"transfer_multi": False})
    assert refusal(state, 1, transfer("6C 6H")) == "one_card_at_a_time"
    (pattern,) = [move for move in engine.legal_moves(state, 1) if move.type == "transfer"]
    assert (pattern.cards, pattern.max) == (("6H", "6C"), 1)


def test_C1_23_the_limit_of_the_bout_holds_for_a_transfer() -> None:
    hands = ("6S 9D", "6C 6D KS", WIDE)
    state = opened(*hands, options={"attack_limit": 2})
    assert refusal(state, 1, transfer("6C 6D")) == "attack_limit"
    assert play(state, (1, transfer("6C"))).limit == 2
    full = opened("6S 6H 9D", *hands[1:], lead="6S 6H", options={"attack_limit": 2})
    assert "transfer" not in offered(full, 1)


def test_C3_03_throw_in_rulesets_have_no_transfer() -> None:
    state = play(table(*THREE), (0, attack("6S")))
    assert refusal(state, 1, transfer("6C")) == "transfer_disabled"
    assert "transfer" not in offered(state, 1)


@pytest.mark.parametrize("seat", [0, 2])
def test_only_the_defender_transfers(seat: int) -> None:
    state = opened("6S 6D 9D", "6C 8S", "6H 8D 9H")
    assert refusal(state, seat, transfer("6D" if seat == 0 else "6H")) == "not_your_turn"


def test_who_takes_does_not_transfer() -> None:
    assert refusal(play(opened(), (1, TAKE)), 1, transfer("6C")) == "wrong_phase"


def test_after_a_transfer_the_new_attacker_throws_in_first() -> None:
    state = play(opened(), (1, transfer("6C")), (2, TAKE))
    assert state.to_act == (1,)
    assert play(state, (1, PASS)).to_act == (0,)


def test_after_a_transfer_who_led_must_answer_for_himself_at_a_table_of_two() -> None:
    state = play(opened("6S 6D 9D KD", "6C 6H 8S TS"), (1, transfer("6C")), (0, TAKE), (1, PASS))
    assert (hand(state, 0), state.attacker) == ("6S 6D 6C 9D KD", 1)
