"""Throwing in: who, when, which ranks, how many, in what order."""

import pytest

from games.rules import engine
from games.rules.events import BoutDiscarded, CardsThrownIn, SeatPassed
from tests.rules.tables import (
    PASS,
    TAKE,
    Turn,
    attack,
    beat,
    offered,
    on_table,
    play,
    refusal,
    table,
    throw_in,
    told,
    transfer,
)

WIDE = "7S 8S 9S TS JS QS KS"
OPENED: tuple[Turn, ...] = ((0, attack("6S")), (1, beat("6S", "7S")))
FOUR = ("6S 9D", WIDE, "6C KC", "6D QD")


def test_B19_throw_in_durak_adds_while_the_defender_beats_and_when_he_takes() -> None:
    state = play(table("6S 6C 9D", WIDE), *OPENED)
    assert offered(state, 0) == {"throw_in", "pass"}
    taking = play(table("6S 6C 9D", WIDE), (0, attack("6S")), (1, TAKE))
    assert offered(taking, 0) == {"throw_in", "pass"}


def test_B12_in_simple_durak_all_beaten_closes_the_bout() -> None:
    state, events = told(table("6S 6C 9D", WIDE, ruleset_id="simple"), *OPENED)
    assert isinstance(events[1], BoutDiscarded)
    assert (state.phase, state.attacker, state.defender) == ("attack", 1, 0)
    assert state.discard_count == 2


def test_K9_in_simple_durak_one_adds_to_a_take() -> None:
    state = play(table("6S 6C 9D", WIDE, ruleset_id="simple"), (0, attack("6S")))
    assert refusal(state, 0, throw_in("6C")) == "throw_in_disabled"
    assert on_table(play(state, (1, TAKE), (0, throw_in("6C")))) == "6S 6C"


def test_K9_never_throwing_in_is_an_agreement_too() -> None:
    state = table("6S 6C 9D", WIDE, options={"throw_in": "never"})
    assert play(state, *OPENED).phase == "attack"
    taken = play(state, (0, attack("6S")), (1, TAKE))
    assert (taken.phase, taken.attacker) == ("attack", 0)
    assert refusal(play(state, (0, attack("6S"))), 0, throw_in("6C")) == "throw_in_disabled"


def test_B20_C2_09_C2_10_ranks_on_the_table_of_any_suit() -> None:
    state = play(table("6S 7D 7C 6D 9C", WIDE), *OPENED)
    (pattern,) = [move for move in engine.legal_moves(state, 0) if move.type == "throw_in"]
    assert pattern.cards == ("6D", "7D", "7C")
    assert (pattern.min, pattern.max) == (1, 3)
    assert refusal(state, 0, throw_in("9C")) == "rank_not_on_table"
    assert refusal(state, 0, throw_in("7D 9C")) == "rank_not_on_table"


def test_K6_only_ranks_of_the_attack_where_so_agreed() -> None:
    state = play(table("6S 7D 6D", WIDE, options={"throw_in_ranks": "lead"}), *OPENED)
    assert refusal(state, 0, throw_in("7D")) == "rank_not_on_table"
    assert on_table(play(state, (0, throw_in("6D")))) == "6S/7S 6D"


def test_C2_17_what_is_thrown_in_must_be_beaten_too() -> None:
    state, events = told(table("6S 7D", WIDE + " 9D"), *OPENED, (0, throw_in("7D")))
    assert events == (CardsThrownIn(seat=0, cards=("7D",), next=events[0].next),)
    assert (state.phase, state.to_act) == ("defend", (1,))


def test_C2_16_everybody_but_the_defender_may_throw_in() -> None:
    state = play(table(*FOUR), *OPENED)
    assert refusal(state, 1, throw_in("7S")) == "not_your_turn"
    state = play(state, (0, PASS))
    assert on_table(play(state, (2, throw_in("6C")))) == "6S/7S 6C"
    assert on_table(play(state, (2, PASS), (3, throw_in("6D")))) == "6S/7S 6D"


def test_C2_07_C2_18_K26_in_turn_from_the_attacker_past_the_defender() -> None:
    state = play(table(*FOUR), *OPENED)
    asked = []
    while state.phase == "throw_in":
        asked.append(state.to_act)
        state = play(state, (state.to_act[0], PASS))
    assert asked == [(0,), (2,), (3,)]


@pytest.mark.parametrize("seat", [2, 3])
def test_C2_18_out_of_turn_is_refused(seat: int) -> None:
    state = play(table(*FOUR), *OPENED)
    assert refusal(state, seat, throw_in("6C")) == "not_your_turn"
    assert refusal(state, seat, PASS) == "not_your_turn"


def test_C2_18_who_passed_is_not_asked_until_a_card_comes() -> None:
    state, events = told(table(*FOUR), *OPENED, (0, PASS))
    assert events == (SeatPassed(seat=0, next=events[0].next),)
    assert refusal(state, 0, throw_in("9D")) == "not_your_turn"
    assert refusal(state, 0, PASS) == "not_your_turn"


def test_C1_18_a_beaten_card_gives_the_attacker_the_first_right_again() -> None:
    hands = ("6S 9D", WIDE + " 7C", "6C KC", "6D QD")
    state = play(table(*hands), *OPENED, (0, PASS), (2, throw_in("6C")))
    assert state.passed == ()
    assert play(state, (1, beat("6C", "7C"))).to_act == (0,)


def test_C1_15_K5_only_when_everything_is_beaten() -> None:
    state = play(table(*FOUR), (0, attack("6S")))
    assert refusal(state, 2, throw_in("6C")) == "wrong_phase"
    assert refusal(state, 0, PASS) == "wrong_phase"


def test_C2_19_with_two_players_a_pass_ends_the_bout() -> None:
    state = play(table("6S 9D", WIDE), *OPENED, (0, PASS))
    assert (state.phase, state.attacker, state.discard_count) == ("attack", 1, 2)


def test_C1_21_C2_25_when_all_have_passed_everything_is_discarded_for_good() -> None:
    hands = ("6S 9D", WIDE, "8C KC", "8D QD")
    turns = (*OPENED, (0, PASS), (2, PASS), (3, PASS))
    state, events = told(table(*hands, discard_count=4), *turns)
    assert [type(event) for event in events] == [SeatPassed, BoutDiscarded]
    assert (state.table, state.discard_count, state.attacker) == ((), 6, 1)


def test_C1_17_one_card_at_a_time_where_so_agreed() -> None:
    state = play(table("6S 6C 6D 9D", WIDE, options={"throw_in_batch": "one"}), *OPENED)
    assert refusal(state, 0, throw_in("6C 6D")) == "one_card_at_a_time"
    (pattern,) = [move for move in engine.legal_moves(state, 0) if move.type == "throw_in"]
    assert (pattern.cards, pattern.max) == (("6D", "6C"), 1)


def test_several_cards_at_once_where_that_is_allowed() -> None:
    state = play(table("6S 6C 6D 9D", WIDE), *OPENED, (0, throw_in("6C 6D")))
    assert on_table(state) == "6S/7S 6C 6D"


ARTICLE = {"throw_in_scope": "neighbours"}


def test_C1_16_K4_K14_neighbours_are_the_attacker_and_the_one_behind_the_defender() -> None:
    state = play(table(*FOUR, options=ARTICLE), *OPENED)
    assert refusal(state, 3, throw_in("6D")) == "not_allowed_to_throw"
    state = play(state, (0, PASS))
    assert state.to_act == (2,)
    assert play(state, (2, PASS)).phase == "attack"


def test_K14_the_next_one_still_in_the_game_counts() -> None:
    hands = ("6S 9D", WIDE, "", "6D QD", "6C")
    state = play(table(*hands, options=ARTICLE), *OPENED, (0, PASS))
    assert state.to_act == (3,)
    assert refusal(state, 4, throw_in("6C")) == "not_allowed_to_throw"


def test_K4_the_attacker_alone_where_so_agreed() -> None:
    state = play(table(*FOUR, options={"throw_in_scope": "leader"}), *OPENED)
    assert refusal(state, 2, throw_in("6C")) == "not_allowed_to_throw"
    assert play(state, (0, PASS)).phase == "attack"


def test_D_3_an_empty_neighbour_is_not_replaced() -> None:
    hands = ("6S 6D", WIDE + " 8C", "7C", "7D QD", "6C")
    turns = (*OPENED, (0, PASS), (2, throw_in("7C")), (1, beat("7C", "8C")), (0, PASS))
    assert play(table(*hands, talon="9H", options=ARTICLE), *turns).phase == "attack"


def test_D_3_an_empty_attacker_is_passed_over_as_a_thrower() -> None:
    state = play(table("6S", WIDE, "6C KC", talon="9H"), *OPENED)
    assert (state.phase, state.to_act) == ("throw_in", (2,))


def test_D_3_with_the_attacker_alone_throwing_in_an_empty_one_closes_the_bout() -> None:
    hands = ("6S", WIDE, "6C KC")
    state = play(table(*hands, talon="9H", options={"throw_in_scope": "leader"}), *OPENED)
    assert (state.phase, state.attacker) == ("attack", 1)


def test_W09_G23_who_holds_no_fitting_card_is_asked_all_the_same() -> None:
    state = play(table("6S 9D", WIDE, "KC AC"), *OPENED, (0, PASS))
    assert state.to_act == (2,)
    assert offered(state, 2) == {"pass"}


def test_C1_19_K8_the_room_is_what_the_limit_leaves() -> None:
    state = play(table("6S 6C 6D 7D", WIDE, options={"attack_limit": 3}), *OPENED)
    assert refusal(state, 0, throw_in("6C 6D 7D")) == "attack_limit"
    (pattern,) = [move for move in engine.legal_moves(state, 0) if move.type == "throw_in"]
    assert pattern.max == 2


def test_B16_the_defenders_hand_at_the_start_of_the_bout_limits_the_room() -> None:
    state = play(table("6S 6C 6D 7D", "7S 8S 9S"), *OPENED)
    assert refusal(state, 0, throw_in("6C 6D 7D")) == "attack_limit"
    assert on_table(play(state, (0, throw_in("6C 6D")))) == "6S/7S 6C 6D"


def test_C2_25_the_bout_closes_by_itself_when_the_limit_is_beaten() -> None:
    state = play(table("6S 6C 9D", "7S 8C", "6D"), (0, attack("6S 6C")))
    state = play(state, (1, beat("6S", "7S")), (1, beat("6C", "8C")))
    assert (state.phase, state.discard_count) == ("attack", 4)


def test_C3_03_after_a_transfer_throwing_in_goes_on_as_usual() -> None:
    hands = ("6S 6H", "6C 8D", WIDE + " 7C")
    state = play(
        table(*hands, ruleset_id="transfer"),
        (0, attack("6S")),
        (1, transfer("6C")),
        (2, beat("6S", "7S")),
        (2, beat("6C", "7C")),
    )
    assert (state.phase, state.to_act) == ("throw_in", (1,))
    assert on_table(play(state, (1, PASS), (0, throw_in("6H")))) == "6S/7S 6C/7C 6H"
