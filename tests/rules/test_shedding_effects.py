"""What cards do to the next player."""

import pytest

from games.rules.events import CardsDrawn, DiscardRecycled, Penalty, SeatSkipped
from tests.rules.piles import DRAW, PASS, gone_through, lay, points, table, told
from tests.rules.tables import counts, offered, refusal

JAPANESE = {"ruleset_id": "japanese_shedding"}
PASSED_ON = {"options": {"stacking": "same_rank"}}
HANDS = ("{} 8H", "8C 9H", "9S TS")


@pytest.mark.parametrize(
    ("ruleset_id", "card", "drawn"),
    [
        ("japanese_shedding", "6D", 1),
        ("japanese_shedding", "7D", 2),
        ("japanese_shedding", "AD", 0),
        ("mau_mau", "6D", 2),
        ("mau_mau", "7D", 1),
        ("mau_mau", "AD", 0),
        ("mau_mau_32", "7D", 2),
        ("mau_mau_32", "8D", 1),
        ("mau_mau_32", "AD", 0),
        ("crocodile", "KH", 5),
        ("hundred_one", "KS", 5),
    ],
)
def test_A14_A15_A16_C5_11_C5_12_C5_13_C5_V2_C5_V7_K19_the_next_draws_and_misses_his_turn(
    ruleset_id: str, card: str, drawn: int
) -> None:
    state = table(f"{card} TH", "9C 9H", "9S TS", ruleset_id=ruleset_id, talon="JC JD JH JS TC")
    state, events = told(state, (0, lay(card)))
    assert counts(state) == (1, 2 + drawn, 2)
    assert state.to_act == (2,)
    assert sum(isinstance(event, SeatSkipped) for event in events) == 1


@pytest.mark.parametrize(
    ("ruleset_id", "card"), [("mau_mau", "KH"), ("crocodile", "KC"), ("mau_mau", "KS")]
)
def test_C5_V7_K19_other_kings_do_nothing(ruleset_id: str, card: str) -> None:
    state, _ = told(table(f"{card} TH", "9C 9H", ruleset_id=ruleset_id), (0, lay(card)))
    assert (state.to_act, counts(state)) == ((1,), (1, 2))


def test_C5_V7_one_draws_a_single_card_there() -> None:
    state, _ = told(
        table("7S 8H", "8C 9H", talon="9C TC", ruleset_id="crocodile"), (0, DRAW), (0, PASS)
    )
    assert counts(state) == (3, 2)


def test_A16_K25_after_an_ace_the_one_behind_follows_it() -> None:
    state = table("AD 8H", "8C 9H", "9S TD", **JAPANESE)
    state, _ = told(state, (0, lay("AD")))
    assert refusal(state, 1, lay("8C")) == "not_your_turn"
    assert told(state, (2, lay("TD")))[0].to_act == (0,)


def test_C5_13_with_two_players_the_same_one_moves_again() -> None:
    state, _ = told(table("AD 8D", "8C 9H"), (0, lay("AD")))
    assert state.to_act == (0,)


def test_A19_K25_two_aces_are_refused_and_three_accepted() -> None:
    state = table("AD AC AS 8H", "8C 9H", **JAPANESE)
    assert refusal(state, 0, lay("AD AC")) == "multi_not_allowed"
    assert told(state, (0, lay("AD AC AS")))[0].pile[-1] == "AS"


def test_A19_the_first_of_them_must_fit() -> None:
    state = table("AC AS AH 8H", "8C 9H", **JAPANESE)
    assert refusal(state, 0, lay("AC AS AH")) == "no_match"


def test_D_21_of_four_aces_three_may_be_laid() -> None:
    state = table("AD AC AS AH 8H", "8C 9H", **JAPANESE)
    assert told(state, (0, lay("AD AC AS")))[0].pile[-1] == "AS"
    assert told(state, (0, lay("AD AH AS AC")))[0].pile[-1] == "AC"


@pytest.mark.parametrize(
    ("aces", "seats", "skipped", "follows"),
    [
        ("AD AC AS", 5, [1, 2, 3], 4),
        ("AD AC AS AH", 5, [1, 2, 3, 4], 0),
        ("AD AC AS AH", 4, [1, 2, 3], 0),
        ("AD AC AS", 2, [1], 0),
    ],
)
def test_G16_K25_each_ace_skips_one_opponent_at_most_all(
    aces: str, seats: int, skipped: list[int], follows: int
) -> None:
    others = ["8C 9H", "9S TS", "8S TC", "9C JH"][: seats - 1]
    state = table(f"{aces} 8H", *others, **JAPANESE)
    state, events = told(state, (0, lay(aces)))
    assert [event.seat for event in events if isinstance(event, SeatSkipped)] == skipped
    assert state.to_act == (follows,)


def test_G16_by_agreement_several_aces_skip_only_one() -> None:
    options = {"ace_multi": "single"}
    state = table("AD AC AS 8H", "8C 9H", "9S TS", options=options, **JAPANESE)
    assert told(state, (0, lay("AD AC AS")))[0].to_act == (2,)


def test_D_21_aces_as_last_cards_skip_all_others_and_the_next_plays() -> None:
    state = table("AD AC AS", "8C 9H", "9S TS", **JAPANESE)
    state, events = told(state, (0, lay("AD AC AS")))
    assert [event.seat for event in events if isinstance(event, SeatSkipped)] == [1, 2]
    assert state.to_act == (1,)


def test_several_cards_of_another_rank_add_their_penalties() -> None:
    options = {"multi_play": {"6": [2]}}
    state = table("6D 6C 8H", "8C 9H", "9S TS", options=options, talon="JC JD JH JS TC")
    state, _ = told(state, (0, lay("6D 6C")))
    assert (counts(state), state.to_act) == ((1, 6, 2), (2,))


def test_C5_V6b_after_an_order_the_next_player_misses_his_turn() -> None:
    state = table("QC 8H", "7H 9H", "9S TH", pile="6D", ruleset_id="pentagon")
    state, _ = told(state, (0, lay("QC", "H")))
    assert refusal(state, 2, lay("9S")) == "no_match"
    assert told(state, (2, lay("TH")))[0].to_act == (0,)


def test_D_22_without_an_order_nobody_is_skipped() -> None:
    state = table("QC 8H", "7H 9H", "9S TH", pile="6D", ruleset_id="pentagon")
    assert told(state, (0, lay("QC")))[0].to_act == (1,)


def test_D_24_a_penalty_turns_the_pile_over_and_takes_what_there_is() -> None:
    state = table("6D 8H", "8C 9H", "9S TS", pile="JC KD", talon="TC")
    state, events = told(state, (0, lay("6D")))
    assert [type(event) for event in events[1:]] == [
        *(CardsDrawn, DiscardRecycled, CardsDrawn, SeatSkipped)
    ]
    assert counts(state) == (1, 4, 2)
    assert state.talon == ("KD",)


def test_D_24_the_skip_stays_when_nothing_can_be_drawn() -> None:
    state = table("6D 8H", "8C 9H", "9S TS", pile="", talon="")
    state, events = told(state, (0, lay("6D")))
    assert (counts(state), state.to_act) == ((1, 2, 2), (2,))
    assert len(events) == 2


def test_a_card_may_cost_cards_without_the_turn() -> None:
    options = {"effects": {"9": {"draw": 3, "skip": 0}}}
    state, _ = told(table("9D 8H", "8C TH", options=options), (0, lay("9D")))
    assert (counts(state), state.to_act) == ((1, 5), (1,))


def test_G19_the_last_card_acts_before_the_points_are_counted() -> None:
    state = table("7D", "9C", talon="8C TH")
    state, events = told(state, (0, lay("7D")))
    assert points(state) == {"0": 0, "1": 17}
    assert gone_through(table("7D", "9C", talon="8C TH"), (0, lay("7D"))) == [
        *("CardsPlayed", "SeatWentOut", "CardsDrawn", "GameFinished")
    ]
    assert len(events) == 4


def test_G19_by_agreement_it_does_not() -> None:
    state = table("7D", "9C", talon="8C TH", options={"last_card_effect": False})
    assert points(told(state, (0, lay("7D")))[0]) == {"0": 0, "1": 9}


def test_G19_it_acts_where_the_game_goes_on_too() -> None:
    state = table("6D", "8C 9H", "9S TS", **JAPANESE)
    state, _ = told(state, (0, lay("6D")))
    assert (counts(state), state.to_act, state.out) == ((0, 3, 2), (2,), (0,))


def test_a_penalty_is_passed_on_by_rank_where_that_is_agreed() -> None:
    state = table("6D 8H", "6S 9H", "6C TS", talon="JC JD JH JS TC", **PASSED_ON)
    state, _ = told(state, (0, lay("6D")))
    assert (state.pending, state.to_act) == (Penalty(2, 1), (1,))
    assert refusal(state, 1, lay("9H")) == "no_match"
    assert refusal(state, 1, PASS) == "pass_not_allowed"
    state, _ = told(state, (1, lay("6S")))
    assert (state.pending, state.to_act) == (Penalty(4, 1), (2,))
    state, events = told(state, (2, DRAW))
    assert (counts(state), state.to_act, state.pending) == ((1, 1, 6), (0,), None)
    assert isinstance(events[-1], SeatSkipped)


def test_a_skip_alone_is_taken_by_passing() -> None:
    state = table("AD 8H", "9D 9H", "9C TS", **PASSED_ON)
    state, _ = told(state, (0, lay("AD")))
    assert offered(state, 1) == {"pass"}
    assert refusal(state, 1, DRAW) == "draw_not_allowed"
    state, events = told(state, (1, PASS))
    assert (state.to_act, state.passed) == ((2,), ())
    assert [type(event) for event in events] == [SeatSkipped]


def test_cards_without_a_skip_leave_the_turn_to_who_took_them() -> None:
    options = {"stacking": "same_rank", "effects": {"9": {"draw": 2, "skip": 0}}}
    state = table("9D 8H", "8C TH", options=options)
    state, _ = told(state, (0, lay("9D")), (1, DRAW))
    assert (counts(state), state.to_act, state.phase) == ((1, 4), (1,), "play")


def test_a_penalty_with_nothing_to_draw_is_taken_by_passing() -> None:
    options = {"stacking": "same_rank", "effects": {"9": {"draw": 2, "skip": 0}}}
    state = table("9D 8H", "8C TH", pile="", talon="", options=options)
    state, _ = told(state, (0, lay("9D")))
    assert refusal(state, 1, DRAW) == "nothing_to_draw"
    state, _ = told(state, (1, PASS))
    assert (state.to_act, state.pending) == ((1,), None)


def test_several_aces_passed_on_skip_everybody_once_at_most() -> None:
    options = {"stacking": "same_rank"}
    state = table("AD AC AS AH 8H", "8C 9H", "9S TS", options=options, **JAPANESE)
    state, _ = told(state, (0, lay("AD AC AS AH")), (1, PASS))
    assert state.to_act == (0,)


def test_a_last_card_with_what_was_passed_on_acts_before_counting() -> None:
    state = table("6D 8H", "6S", talon="JC JD JH JS TC", **PASSED_ON)
    state, _ = told(state, (0, lay("6D")), (1, lay("6S")))
    assert points(state) == {"0": 16, "1": 0}
