"""Taking: what goes into the hand, what may be added, who attacks next."""

import pytest

from games.rules.events import BoutTaken, TakeDeclared
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
    throw_in,
    told,
)

WIDE = "7S 8S 9S TS JS QS"


def test_B10_C1_22_he_takes_everything_his_own_cards_too() -> None:
    state = play(
        table("6S 6C 9D", "7S 8C QD", "KD KC"),
        *((0, attack("6S 6C")), (1, beat("6S", "7S")), (1, TAKE)),
        *((0, PASS), (2, PASS)),
    )
    assert hand(state, 1) == "6S 6C 7S 8C QD"
    assert (state.table, state.discard_count) == ((), 0)


def test_C1_22_what_was_thrown_in_too() -> None:
    turns = ((0, attack("6S")), (1, TAKE), (0, throw_in("6C 6D")), (0, PASS))
    state, events = told(table("6S 6C 6D 9D", WIDE), *turns)
    assert BoutTaken(seat=1, cards=("6S", "6C", "6D"), next=events[-1].next) == events[-1]
    assert hand(state, 1) == "6S 6D 6C 7S 8S 9S TS JS QS"


def test_taking_is_told_before_the_others_add() -> None:
    state, events = told(table("6S 6C 9D", WIDE), (0, attack("6S")), (1, TAKE))
    assert events == (TakeDeclared(seat=1, next=events[0].next),)
    assert (state.phase, state.to_act) == ("take", (0,))
    assert hand(state, 1) == WIDE
    assert offered(state, 1) == set()


def test_C2_20_who_takes_does_not_beat_any_more() -> None:
    state = play(table("6S 6C 9D", WIDE), (0, attack("6S")), (1, TAKE))
    assert refusal(state, 1, beat("6S", "7S")) == "wrong_phase"
    assert refusal(state, 1, TAKE) == "wrong_phase"
    assert refusal(state, 1, PASS) == "not_your_turn"


@pytest.mark.parametrize("seat", [0, 2])
def test_only_the_defender_takes(seat: int) -> None:
    state = play(table("6S 6C", WIDE, "KC"), (0, attack("6S")))
    assert refusal(state, seat, TAKE) == "not_your_turn"


def test_there_is_nothing_to_take_before_the_attack_or_once_all_is_beaten() -> None:
    state = table("6S 6C", WIDE)
    assert refusal(state, 1, TAKE) == "wrong_phase"
    beaten = play(state, (0, attack("6S")), (1, beat("6S", "7S")))
    assert refusal(beaten, 1, TAKE) == "wrong_phase"


def test_C2_21_any_other_player_may_add_up_to_six() -> None:
    hands = ("6S 9D", WIDE, "6C 6D 6H 7D 7H 7C")
    state = play(
        table(*hands, options={"throw_in_ranks": "table"}),
        (0, attack("6S")),
        (1, TAKE),
        (0, PASS),
    )
    assert refusal(state, 2, throw_in("7D")) == "rank_not_on_table"
    state = play(state, (2, throw_in("6C 6D 6H")), (0, PASS), (2, PASS))
    assert counts(state) == (1, 10, 3)


def test_C2_21_the_bout_closes_when_six_have_been_played() -> None:
    hands = ("6S 6C 6D 6H 9D", WIDE + " KS", "7D 7H 7C")
    state = play(
        table(*hands),
        *((0, attack("6S 6C 6D 6H")), (1, beat("6S", "7S")), (1, TAKE), (0, PASS)),
    )
    assert refusal(state, 2, throw_in("7D 7H 7C")) == "attack_limit"
    state = play(state, (2, throw_in("7D 7C")))
    assert (state.phase, counts(state)) == ("attack", (1, 13, 1))


def test_B16_no_more_are_added_than_the_defender_held() -> None:
    state = play(table("6S 6C 6D 9D", "8S 9S"), (0, attack("6S")), (1, TAKE))
    assert refusal(state, 0, throw_in("6C 6D")) == "attack_limit"
    assert counts(play(state, (0, throw_in("6C")))) == (2, 4)


def test_C2_22_what_is_added_matches_a_rank_being_taken() -> None:
    turns = ((0, attack("6S 6C")), (1, beat("6S", "7S")), (1, TAKE))
    state = play(table("6S 6C 7D 9D", WIDE + " KS"), *turns)
    assert refusal(state, 0, throw_in("9D")) == "rank_not_on_table"
    assert on_table(play(state, (0, throw_in("7D")))) == "6S/7S 6C 7D"


def test_a_take_without_room_closes_at_once() -> None:
    state = play(table("6S 6C 9D", "8S 9S", "6D KC"), (0, attack("6S 6C")), (1, TAKE))
    assert (state.phase, state.attacker, hand(state, 1)) == ("attack", 2, "6S 6C 8S 9S")


def test_a_take_that_nobody_can_add_to_closes_at_once() -> None:
    state = play(table("6S", WIDE, talon="9H 8H"), (0, attack("6S")), (1, TAKE))
    assert (state.phase, counts(state)) == ("attack", (2, 7))


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_B11_C2_24_the_next_after_the_taker_attacks(seats: int) -> None:
    hands = ("6S 9D", WIDE, "KC QC", "KD QD")[:seats]
    state = play(table(*hands), (0, attack("6S")), (1, TAKE))
    while state.phase == "take":
        state = play(state, (state.to_act[0], PASS))
    assert (state.attacker, state.defender) == (2 % seats, 3 % seats)


def test_C2_24_a_taker_misses_his_attack_even_when_the_next_one_went_out() -> None:
    hands = ("6S 9D", WIDE, "6C", "KD QD")
    turns = ((0, attack("6S")), (1, TAKE), (0, PASS), (2, throw_in("6C")), (0, PASS), (3, PASS))
    state = play(table(*hands), *turns)
    assert (state.out, state.attacker, state.defender) == ((2,), 3, 0)
