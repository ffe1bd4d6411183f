"""Drawing, passing, turning the pile over, and games that stall."""

import pytest

from games.rules import engine
from games.rules.events import CardsDrawn, DiscardRecycled
from games.rules.shuffle import Entropy
from tests.rules.piles import DRAW, PASS, gone_through, lay, points, table, told
from tests.rules.tables import counts, hand, offered, refusal

JAPANESE = {"ruleset_id": "japanese_shedding"}
SINGLE = {"ruleset_id": "mau_mau_single_draw"}


def test_A10_who_cannot_follow_draws_one_card() -> None:
    state, events = told(table("7S 8H", "8C 9H", talon="9D TC", **JAPANESE), (0, DRAW))
    assert events[0] == CardsDrawn(seat=0, cards=("9D",), next=events[0].next)
    assert (state.phase, state.to_act, counts(state)) == ("drawn", (0,), (3, 2))


def test_A11_a_drawn_card_that_fits_may_be_played_or_kept() -> None:
    state, _ = told(table("7S 8H", "8C 9H", talon="9D TC", **JAPANESE), (0, DRAW))
    assert offered(state, 0) == {"play", "pass"}
    assert told(state, (0, lay("9D")))[0].pile[-1] == "9D"
    assert told(state, (0, PASS))[0].to_act == (1,)


def test_C5_V1_K21_a_drawn_card_that_fits_must_be_played_there() -> None:
    state, _ = told(table("7S 8H", "8C 9H", talon="9D TC", **SINGLE), (0, DRAW))
    assert offered(state, 0) == {"play"}
    assert refusal(state, 0, PASS) == "pass_not_allowed"


def test_C5_V1_one_card_is_drawn_and_without_a_fit_the_turn_is_lost() -> None:
    state, _ = told(table("7S 8H", "8C 9H", talon="9C TC", **SINGLE), (0, DRAW))
    assert refusal(state, 0, DRAW) == "draw_not_allowed"
    assert refusal(state, 0, lay("9C")) == "no_match"
    assert offered(state, 0) == {"pass"}
    assert told(state, (0, PASS))[0].to_act == (1,)


def test_G23_A10_nobody_passes_by_himself() -> None:
    state, _ = told(table("7S 8H", "8C 9H", talon="9C TC", **JAPANESE), (0, DRAW))
    assert (state.phase, state.to_act) == ("drawn", (0,))


def test_C5_09_K21_one_draws_until_a_fitting_card_comes_and_plays_it() -> None:
    state, events = told(table("7S 8H", "8C 9H", talon="9C TC 6D JS"), (0, DRAW))
    assert events[0] == CardsDrawn(seat=0, cards=("9C", "TC", "6D"), next=events[0].next)
    assert refusal(state, 0, PASS) == "pass_not_allowed"
    assert refusal(state, 0, DRAW) == "draw_not_allowed"
    assert told(state, (0, lay("6D")))[0].pile[-1] == "6D"


def test_K21_by_agreement_the_card_drawn_for_may_be_kept() -> None:
    options = {"drawn_card": "may_play"}
    state = table("7S 8H", "8C 9H", talon="9C 6D JS", options=options)
    state, _ = told(state, (0, DRAW))
    assert offered(state, 0) == {"play", "pass"}


def test_C5_09_K28_D_17_with_the_talon_the_turn_ends_and_the_pile_is_turned_over() -> None:
    state = table("7S 8H", "8C 9H", pile="6C TH KD", talon="9C TC")
    state, events = told(state, (0, DRAW))
    assert [type(event) for event in events] == [CardsDrawn, DiscardRecycled]
    assert (state.to_act, state.phase, counts(state)) == ((1,), "play", (4, 2))
    assert (state.talon, state.pile) == (("6C", "TH"), ("KD",))


def test_K28_by_agreement_one_draws_on_from_the_pile() -> None:
    options = {"draw_until_recycles": True}
    state = table("7S 8H", "8C 9H", pile="6C TD KD", talon="9C TC", options=options)
    state, _ = told(state, (0, DRAW))
    assert (state.phase, state.drawn, counts(state)) == ("drawn", "TD", (6, 2))


def test_K28_drawing_on_ends_where_nothing_is_left() -> None:
    options = {"draw_until_recycles": True}
    state = table("7S 8H", "8C 9H", pile="6C TH KD", talon="9C TC", options=options)
    state, _ = told(state, (0, DRAW))
    assert (state.to_act, state.talon, counts(state)) == ((1,), (), (6, 2))


def test_C5_10_A13_G13_the_pile_is_turned_over_without_shuffling() -> None:
    state = table("7S 8H", "8C 9H", pile="6C TH KD", talon="", **SINGLE)
    state, events = told(state, (0, DRAW))
    assert events[0] == DiscardRecycled(seat=0, cards=("6C", "TH"))
    assert "6C" in hand(state, 0)
    assert (state.talon, state.pile) == (("TH",), ("KD",))


def test_G13_by_agreement_it_is_shuffled_by_the_games_chance() -> None:
    state = table(
        *("7S 8H", "8C 9H"), pile="6C TH 9S JS AC KD", talon="", options={"recycle": "shuffle"}
    )
    orders = set()
    for seed in range(20):
        events = engine.decide(state, 0, DRAW, Entropy(bytes([seed]) * 32, "game", ()))
        assert isinstance(events[0], DiscardRecycled)
        assert sorted(events[0].cards) == sorted(state.pile[:-1])
        orders.add(events[0].cards)
    assert len(orders) > 10


def test_D_17_an_empty_talon_is_renewed_before_the_first_card() -> None:
    state = table("7S 8H", "8C 9H", pile="6C TD KD", talon="")
    assert gone_through(state, (0, DRAW)) == ["DiscardRecycled", "CardsDrawn"]
    assert told(state, (0, DRAW))[0].drawn == "TD"


def test_D_17_otherwise_the_pile_waits_until_a_card_must_be_drawn() -> None:
    state = table("7S 8H", "8C 9H", pile="6C TH KD", talon="9C", **SINGLE)
    state, _ = told(state, (0, DRAW), (0, PASS))
    assert (state.talon, len(state.pile)) == ((), 3)


def test_D_17_drawing_stops_at_a_queen_who_may_be_kept() -> None:
    state, _ = told(table("7S 8H", "8C 9H", talon="9C QS 6D JS"), (0, DRAW))
    assert (state.drawn, offered(state, 0)) == ("QS", {"play", "draw"})
    assert told(state, (0, lay("QS", "H")))[0].named_suit == "H"
    state, _ = told(state, (0, DRAW))
    assert state.drawn == "6D"


def test_D_16_a_queen_drawn_past_is_held_and_not_the_card_just_drawn() -> None:
    state, _ = told(table("7S 8H", "8C 9H", talon="9C QS 6D JS"), (0, DRAW), (0, DRAW))
    assert refusal(state, 0, lay("QS", "H")) == "only_drawn_card"


def test_D_17_no_queen_stops_who_may_not_lay_her() -> None:
    options = {"wild_blocked_on": ["K"]}
    state, _ = told(table("7S 8H", "8C 9H", talon="9C QS 6D JS", options=options), (0, DRAW))
    assert state.drawn == "6D"


def test_D_17_a_queen_with_nothing_left_to_draw_may_be_kept_by_passing() -> None:
    state, _ = told(table("7S 8H", "8C 9H", talon="9C QS"), (0, DRAW))
    assert offered(state, 0) == {"play", "pass"}
    assert refusal(state, 0, DRAW) == "nothing_to_draw"


def test_D_16_only_the_card_drawn_last_may_be_played() -> None:
    state = table("QC 8H", "8C 9H", talon="9D TC", **JAPANESE)
    state, _ = told(state, (0, DRAW))
    assert refusal(state, 0, lay("QC", "H")) == "only_drawn_card"


def test_D_16_where_it_must_be_played_a_queen_may_be_kept() -> None:
    state, _ = told(table("7S 8H", "8C 9H", talon="QS TC", **SINGLE), (0, DRAW))
    assert offered(state, 0) == {"play", "pass"}


def test_D_16_a_drawn_ace_may_begin_three_or_four() -> None:
    state = table("AC AS AH 8H", "8C 9H", talon="AD TC", **JAPANESE)
    state, _ = told(state, (0, DRAW))
    assert refusal(state, 0, lay("AC AD AS")) == "only_drawn_card"
    assert told(state, (0, lay("AD AC AS AH")))[0].pile[-1] == "AH"


def test_G12_nobody_draws_with_a_card_to_play() -> None:
    state = table("9D 8H", "8C 9H")
    assert refusal(state, 0, DRAW) == "draw_not_allowed"
    assert refusal(state, 0, PASS) == "pass_not_allowed"


def test_G12_a_queen_need_not_be_played() -> None:
    state = table("QS 8H", "8C 9H")
    assert offered(state, 0) == {"play", "draw"}
    assert refusal(state, 0, PASS) == "pass_not_allowed"


def test_G14_D_19_with_nothing_to_draw_one_passes_and_all_passes_end_the_game() -> None:
    state = table("7S 8H", "8C 9H", talon="", **SINGLE)
    assert refusal(state, 0, DRAW) == "nothing_to_draw"
    state, _ = told(state, (0, PASS))
    assert (state.to_act, state.passed) == ((1,), (0,))
    state, _ = told(state, (1, PASS))
    assert state.result is not None
    assert state.result.reason == "stalemate"
    assert points(state) == {"0": 15, "1": 17}


def test_G14_in_the_japanese_game_a_stalemate_is_a_draw() -> None:
    state, _ = told(table("7S 8H", "8C 9H", talon="", **JAPANESE), (0, PASS), (1, PASS))
    assert state.result is not None
    assert (state.result.draw, state.result.durak, state.result.points) == (True, None, None)
    assert state.result.places == ((0, 1),)


def test_D_19_who_holds_only_a_queen_may_pass_when_nothing_can_be_drawn() -> None:
    state = table("QS 8H", "8C 9H", talon="", **SINGLE)
    assert offered(state, 0) == {"play", "pass"}


def test_D_19_a_card_played_or_drawn_between_passes_ends_the_row() -> None:
    state = table("7S 8H", "8D 9H 9S", "TS 6S", talon="", **SINGLE)
    state, _ = told(state, (0, PASS), (1, lay("8D")))
    assert state.passed == ()
    state, _ = told(table("7S 8H", "8C 9H", talon="6C", **SINGLE), (0, DRAW))
    assert state.passed == ()


@pytest.mark.parametrize(
    ("ruleset_id", "draws"), [("japanese_shedding", True), ("mau_mau_single_draw", False)]
)
def test_the_last_move_that_is_allowed_ends_the_game_as_if_it_had_stalled(
    ruleset_id: str, draws: bool
) -> None:
    options = {"max_moves": 10}
    state = table("7S", "8H", talon="9C TC 6C 7C 8C", ruleset_id=ruleset_id, options=options)
    for seat in (0, 1, 0, 1):
        state, _ = told(state, (seat, DRAW), (seat, PASS))
    state, _ = told(state, (0, DRAW))
    assert state.result is None
    state, _ = told(state, (0, PASS))
    assert state.result is not None
    assert (state.result.reason, state.result.draw) == ("max_moves", draws)
    assert points(state) == (None if draws else {"0": 30, "1": 25})
