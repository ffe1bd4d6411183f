"""Going out, places, the durak, draws, repetition, the limit of moves, resigning."""

from typing import Any

import pytest
from msgspec import UNSET

from games.rules import engine
from games.rules.errors import Refusal
from games.rules.events import GameFinished, Result, SeatWentOut
from games.rules.moves import SHAPES, Move
from games.rules.scoring import resigned_result
from games.rules.shuffle import Entropy
from games.rules.state import State
from tests.rules.deals import deal
from tests.rules.tables import (
    PASS,
    TAKE,
    Turn,
    attack,
    beat,
    play,
    table,
    throw_in,
    told,
)

BEATEN: tuple[Turn, ...] = ((0, attack("6S")), (1, beat("6S", "7S")))


def result_of(state: State) -> Result:
    assert state.result is not None
    assert (state.phase, state.to_act) == ("finished", ())
    return state.result


def ended(*hands: str, turns: tuple[Turn, ...], **more: Any) -> Result:
    return result_of(play(table(*hands, **more), *turns))


def test_C2_29_C2_30_C1_10_without_talon_and_cards_one_is_out_and_the_first_wins() -> None:
    state, events = told(table("6S", "7S 9C", "KC QC"), *BEATEN, (2, PASS))
    assert events[-1] == SeatWentOut(seat=0, place=1, next=events[-1].next)
    assert (state.out, state.phase) == ((0,), "attack")


def test_C2_29_not_while_the_talon_lasts() -> None:
    state = play(table("6S", "7S 9C", "KC QC", talon="9H 8H"), *BEATEN, (2, PASS))
    assert state.out == ()


def test_C2_29_not_before_the_bout_is_over() -> None:
    state = play(table("6S", "7S 9C", "KC QC"), *BEATEN)
    assert (state.out, state.emptied, state.phase) == ((), (0,), "throw_in")


def test_B18_C1_11_C1_25_C2_31_C2_32_the_last_one_with_cards_is_the_durak() -> None:
    found = ended("6S", "7S 9C", turns=BEATEN)
    assert found == Result(1, False, 0, ((0,), (1,)), "played_out")


def test_B17_C1_09_whoever_takes_with_the_others_out_is_the_durak() -> None:
    assert ended("6S", "8C", turns=((0, attack("6S")), (1, TAKE))).durak == 1


def test_B18_the_attacker_may_be_the_durak() -> None:
    assert ended("6S 9D", "7S", turns=BEATEN).durak == 0


def test_G9_places_follow_the_moment_of_the_last_card() -> None:
    turns = (*BEATEN, (2, throw_in("6C")), (1, beat("6C", "8C")))
    found = ended("6S", "7S 8C", "6C", "AD KD", turns=turns)
    assert found == Result(3, False, 0, ((0,), (2,), (1,), (3,)), "played_out")


def test_C1_10_earlier_places_come_before() -> None:
    found = ended("", "6S", "7S 9C", turns=((1, attack("6S")), (2, beat("6S", "7S"))), attacker=1)
    assert found.places == ((0,), (1,), (2,))


def test_C2_33_K16_G11_when_nobody_has_cards_it_is_a_draw() -> None:
    state, events = told(table("6S", "7S"), *BEATEN)
    assert result_of(state) == Result(None, True, None, ((0, 1),), "played_out")
    assert [event for event in events if isinstance(event, SeatWentOut)] == [
        SeatWentOut(seat=0, place=1),
        SeatWentOut(seat=1, place=1),
    ]


def test_D_7_those_emptied_in_the_final_bout_of_a_draw_share_a_place() -> None:
    found = ended("", "6S", "7S", turns=((1, attack("6S")), (2, beat("6S", "7S"))), attacker=1)
    assert found == Result(None, True, 0, ((0,), (1, 2)), "played_out")


def test_D_7_K16_with_draws_off_the_last_to_shed_loses() -> None:
    state = play(table("6S", "7S", options={"draw_allowed": False}), *BEATEN)
    assert result_of(state) == Result(1, False, 0, ((0,), (1,)), "played_out")
    assert state.places == ((0, 1), (1, 2))


def test_D_7_K16_with_draws_off_the_others_have_places_of_their_own() -> None:
    four = ("6S", "7S 8C 8D", "6C", "6D")
    turns = (
        *(*BEATEN, (2, PASS), (3, throw_in("6D")), (1, beat("6D", "8D"))),
        *((2, throw_in("6C")), (1, beat("6C", "8C"))),
    )
    found = ended(*four, turns=turns, options={"draw_allowed": False})
    assert found == Result(1, False, 0, ((0,), (3,), (2,), (1,)), "played_out")


def test_C2_31_the_game_goes_on_while_two_hold_cards() -> None:
    state = play(table("6S", "7S 8C 9C", "6C KD"), *BEATEN, (2, PASS))
    assert (state.result, state.attacker, state.defender) == (None, 1, 2)


def test_the_end_is_the_last_event_and_nothing_follows() -> None:
    state, events = told(table("6S", "7S 9C"), *BEATEN)
    assert isinstance(events[-1], GameFinished)
    assert events[-1].next is not None
    assert (events[-1].next.phase, events[-1].next.to_act) == ("finished", ())
    assert (state.attacker, state.defender) == (None, None)


@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("kind", sorted(SHAPES["bout"]))
def test_D_order_after_the_end_every_move_is_answered_alike(seat: int, kind: str) -> None:
    state = play(table("6S", "7S 9C"), *BEATEN)
    with pytest.raises(Refusal, match=r"^game\.over$"):
        engine.decide(state, seat, Move(kind))


# Six takes after which everybody holds what he held: two cards go round, the aces stay.
ROUND = ((0, "6S", 1), (2, "8D", 0), (1, "6S", 2), (0, "8D", 1), (2, "6S", 0), (1, "8D", 2))


def going_round(bouts: int, **more: Any) -> State:
    """The state after so many bouts of the round, each of them taken."""
    options = {"throw_in": "never", **more}
    state = table("6S AS", "7C AC", "8D AD", options=options)
    for bout in range(bouts):
        attacker, card, taker = ROUND[bout % 6]
        state = play(state, (attacker, attack(card)), (taker, TAKE))
    return state


def test_X04_G21_D_9_the_third_time_the_same_hands_with_the_same_attacker_is_a_draw() -> None:
    assert going_round(11).phase == "attack"
    assert result_of(going_round(12)) == Result(None, True, None, ((0, 1, 2),), "repetition")


def test_G21_how_often_is_agreed() -> None:
    assert going_round(5, repetition_draw=2).phase == "attack"
    assert result_of(going_round(6, repetition_draw=2)).reason == "repetition"
    assert going_round(40, repetition_draw=None).phase == "attack"


def test_D_9_other_hands_or_another_attacker_are_no_repetition() -> None:
    again = play(going_round(6), (0, attack("AS")), (1, TAKE))
    assert again.phase == "attack"
    assert len(set(again.seen)) == 7


def test_D_9_a_discard_begins_anew_since_its_cards_never_return() -> None:
    state = play(going_round(4), (2, attack("6S")), (0, beat("6S", "AS")))
    assert (state.phase, len(state.seen)) == ("attack", 1)


def test_D_9_while_the_talon_lasts_nothing_is_counted() -> None:
    assert table("6S AS", "7C AC", talon="9H").seen == ()
    assert len(table("6S AS", "7C AC").seen) == 1


def first_choices(state: State, count: int) -> State:
    """The state after so many moves, each the first that is offered."""
    for _ in range(count):
        seat = state.to_act[0]
        pattern = engine.legal_moves(state, seat)[0]
        chosen = (pattern.cards or ())[: pattern.min or 0]
        state = play(state, (seat, Move(pattern.type, cards=chosen, target=pattern.target)))
    return state


@pytest.mark.parametrize("limit", [10, 25])
def test_D_9_the_limit_of_moves_makes_a_draw(limit: int) -> None:
    dealt, _ = deal(Entropy(bytes(32), "game", ()), seats=3, max_moves=limit)
    assert first_choices(dealt, limit - 1).result is None
    found = result_of(first_choices(dealt, limit))
    assert found == Result(None, True, None, ((0, 1, 2),), "max_moves")


def test_D_9_whoever_was_out_before_the_limit_keeps_his_place() -> None:
    hands = ("", "6S 7D 8S 9C TD KD QC", "7S 8C 9D TC JD QD KC")
    state = table(*hands, attacker=1, options={"max_moves": 10})
    found = result_of(first_choices(state, 10))
    assert found == Result(None, True, 0, ((0,), (1, 2)), "max_moves")


@pytest.mark.parametrize(("last", "durak"), [("KH", 1), ("", None)])
def test_D_9_a_game_that_ends_with_its_last_move_is_played_out(
    last: str, durak: int | None
) -> None:
    hands = ("6S 7C 8S 9C 8D", f"7S 6C 9S 8C 9D {last}")
    state = table(*hands, options={"throw_in": "never", "max_moves": 10})
    for bout, (lead, cover) in enumerate(
        (("6S", "7S"), ("6C", "7C"), ("8S", "9S"), ("8C", "9C"), ("8D", "9D"))
    ):
        state = play(state, (bout % 2, attack(lead)), (1 - bout % 2, beat(lead, cover)))
    assert (result_of(state).reason, result_of(state).durak) == ("played_out", durak)


SIXES = {"epaulettes": True}


@pytest.mark.parametrize(
    ("last", "count"), [("6S 6C", 2), ("6S 6C 6D", 3), ("6S", 1), ("7S 7C", 0), ("KS", 0)]
)
def test_X08_with_how_many_sixes_the_durak_was_finished_off(last: str, count: int) -> None:
    turns = ((0, attack(last)), (1, TAKE))
    assert ended(last, "8D 9D TD", turns=turns, options=SIXES).epaulettes == count


def test_X08_sixes_among_other_last_cards_are_no_epaulettes() -> None:
    turns = ((0, attack("7D")), (1, beat("7D", "6H")), (0, throw_in("6S 7S")), (1, TAKE))
    assert ended("7D 6S 7S", "6H 9D TD", turns=turns, options=SIXES).epaulettes == 0


def test_X08_only_the_last_to_go_out_counts() -> None:
    turns = (*BEATEN, (2, throw_in("7C")), (1, TAKE))
    assert ended("6S", "7S 8C 9C", "7C", turns=turns, options=SIXES).epaulettes == 0
    turns = (*BEATEN, (2, throw_in("6C")), (1, TAKE))
    assert ended("6S", "7S 8C 9C", "6C", turns=turns, options=SIXES).epaulettes == 1


def test_X08_they_are_told_only_where_they_are_counted_and_somebody_lost() -> None:
    turns = ((0, attack("6S 6C")), (1, TAKE))
    assert ended("6S 6C", "8D 9D", turns=turns).epaulettes is UNSET
    assert ended("6S", "7S", turns=BEATEN, options=SIXES).epaulettes is UNSET


@pytest.mark.parametrize("seat", [0, 1])
def test_D_14_G22_X02_who_resigns_at_a_table_of_two_loses(seat: int) -> None:
    other = 1 - seat
    assert resigned_result(seat) == Result(seat, False, other, ((other,), (seat,)), "resigned")
