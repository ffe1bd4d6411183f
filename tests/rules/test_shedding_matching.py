"""What may be laid on what."""

import pytest

from tests.rules.piles import DRAW, PASS, lay, table, told
from tests.rules.tables import offered, refusal

STUCK = {"ruleset_id": "japanese_shedding"}


def test_A08_A09_C5_08_suit_or_rank_is_followed() -> None:
    state = table("9D KC 7S", "8C 8H", **STUCK)
    assert refusal(state, 0, lay("7S")) == "no_match"
    assert told(state, (0, lay("KC")))[0].pile[-1] == "KC"
    assert told(state, (0, lay("9D")))[0].pile[-1] == "9D"


def test_C5_07_D_20_the_first_card_may_be_any_and_nobody_draws() -> None:
    state = table("QS 7H", "8C 8H", pile="")
    assert refusal(state, 0, DRAW) == "draw_not_allowed"
    assert refusal(state, 0, PASS) == "pass_not_allowed"
    assert told(state, (0, lay("7H")))[0].pile == ("7H",)
    assert told(state, (0, lay("QS", "H")))[0].named_suit == "H"


def test_D_20_a_queen_may_be_first_where_she_is_for_the_stuck_only() -> None:
    state = table("QS 7H", "8C 8H", pile="", options={"wild_condition": "only_if_stuck"})
    assert told(state, (0, lay("QS")))[0].pile == ("QS",)


def test_C5_14_C5_15_C5_16_K20_a_queen_goes_on_anything_and_may_name_a_suit() -> None:
    state = table("QC 9D", "KH 8C", pile="6D")
    assert told(state, (0, lay("QC", "H")))[0].named_suit == "H"
    assert told(state, (0, lay("QC")))[0].named_suit is None


def test_C5_17_after_an_order_only_the_suit_or_another_queen() -> None:
    state, _ = told(table("QC 9D", "QD 8C KH", pile="6D"), (0, lay("QC", "H")))
    assert refusal(state, 1, lay("8C")) == "no_match"
    assert told(state, (1, lay("QD", "S")))[0].named_suit == "S"
    assert told(state, (1, lay("KH")))[0].named_suit is None


def test_D_18_rank_does_not_follow_a_named_suit() -> None:
    chained = {"wild": None, "ace_chain": "english"}
    state = table("QS 9S", "8C 8H", pile="AC QC", options=chained, named_suit="H")
    assert refusal(state, 0, lay("QS")) == "no_match"
    assert told(table("QS 9S", "8C 8H", pile="7D QC", options={"wild": None}), (0, lay("QS")))


def test_D_18_a_named_suit_outlives_the_turning_of_the_pile() -> None:
    state = table(
        "8C KS",
        "7H 8D",
        pile="6D 9D QC",
        talon="",
        ruleset_id="mau_mau_single_draw",
        named_suit="H",
    )
    state, _ = told(state, (0, DRAW), (0, PASS))
    assert (state.named_suit, state.pile) == ("H", ("QC",))
    assert refusal(state, 1, lay("8D")) == "no_match"


def test_C5_17_an_order_stays_while_nobody_can_follow() -> None:
    state = table("QC 9D", "8C KS", "7H 8D", pile="6D", ruleset_id="mau_mau_single_draw")
    state, _ = told(state, (0, lay("QC", "H")), (1, DRAW), (1, PASS))
    assert refusal(state, 2, lay("8D")) == "no_match"
    assert told(state, (2, lay("7H")))[0].named_suit is None


def test_D_22_a_queen_without_an_order_is_followed_in_her_suit_or_by_another() -> None:
    state, _ = told(table("QC 9D", "KH 8C QS", pile="6D"), (0, lay("QC")))
    assert refusal(state, 1, lay("KH")) == "no_match"
    assert told(state, (1, lay("8C")))[0].pile[-1] == "8C"
    assert told(state, (1, lay("QS")))[0].pile[-1] == "QS"


def test_D_22_only_a_queen_names_a_suit() -> None:
    assert refusal(table("9D QS", "8C 8H"), 0, lay("9D", "S")) == "suit_not_allowed"


@pytest.mark.parametrize("ruleset_id", ["japanese_shedding", "mau_mau"])
def test_A17_K20_a_queen_is_for_the_stuck_only_where_so_agreed(ruleset_id: str) -> None:
    state = table("QC 9D", "8C 8H", ruleset_id=ruleset_id)
    if ruleset_id == "mau_mau":
        assert told(state, (0, lay("QC", "H")))[0].named_suit == "H"
    else:
        assert refusal(state, 0, lay("QC", "H")) == "wild_not_allowed"


def test_A17_D_15_a_stuck_player_lays_a_queen_or_draws() -> None:
    state = table("QC 9S 8H", "8C 9H TS", **STUCK)
    assert offered(state, 0) == {"play", "draw"}
    assert told(state, (0, lay("QC", "H")))[0].named_suit == "H"


def test_G15_A17_a_queen_that_fits_is_an_ordinary_card_and_may_name_a_suit() -> None:
    state = table("QD 9D", "8C 8H", **STUCK)
    assert told(state, (0, lay("QD", "S")))[0].named_suit == "S"


def test_D_15_G12_queens_that_fit_do_not_forbid_drawing() -> None:
    state = table("QD 9S", "8C 8H", **STUCK)
    assert offered(state, 0) == {"play", "draw"}


def test_A18_a_queen_may_answer_a_six_seven_or_ace_if_not_agreed_otherwise() -> None:
    state = table("QS TC", "8C 8H", pile="7D", **STUCK)
    assert told(state, (0, lay("QS", "C")))[0].named_suit == "C"


@pytest.mark.parametrize("queen", ["QS", "QD"])
def test_A18_by_agreement_no_queen_is_laid_on_them_even_in_suit(queen: str) -> None:
    options = {"wild_blocked_on": ["6", "7", "A"]}
    state = table(f"{queen} TC", "8C 8H", pile="7D", options=options, **STUCK)
    assert refusal(state, 0, lay(queen, "C")) == "wild_not_allowed"
    assert offered(state, 0) == {"draw"}


def test_C5_V3b_jacks_name_suits_and_queens_do_not() -> None:
    state = table("JC QS 8H", "8C 9H", ruleset_id="mau_mau_jacks")
    assert refusal(state, 0, lay("QS")) == "no_match"
    assert told(state, (0, lay("JC", "H")))[0].named_suit == "H"


def test_without_a_privileged_card_queens_are_ordinary() -> None:
    state = table("QC QD", "8C 9H", options={"wild": None})
    assert refusal(state, 0, lay("QC")) == "no_match"
    assert refusal(state, 0, lay("QD", "H")) == "suit_not_allowed"


def test_C5_V6a_only_in_suit_but_a_six_on_a_six() -> None:
    kings = table("KC 8H", "8C 9H", ruleset_id="pentagon")
    assert refusal(kings, 0, lay("KC")) == "no_match"
    sixes = table("6C 8H", "8C 9H", "9S TS", pile="6D", ruleset_id="pentagon")
    assert told(sixes, (0, lay("6C")))[0].to_act == (2,)


def test_C5_V6a_a_queen_goes_on_anything_there_too() -> None:
    state = table("QC 8H", "8C 9H", pile="9S", ruleset_id="pentagon")
    assert told(state, (0, lay("QC")))[0].to_act == (1,)
