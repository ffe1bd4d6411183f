"""English durak: a second card on an ace, and the right to name a suit."""

from games.rules.events import AceRightPassed
from tests.rules.piles import DRAW, PASS, lay, table, told
from tests.rules.tables import counts, offered, refusal

ENGLISH = {"ruleset_id": "english_durak"}
ACE = (0, lay("AD"))


def test_C5_V4a_a_card_of_the_aces_suit_is_added_and_names_another() -> None:
    state, _ = told(table("AD 9D 8H", "8C 9H", **ENGLISH), ACE)
    assert (state.phase, state.to_act) == ("ace_chain", (0,))
    assert refusal(state, 0, lay("9D", "D")) == "suit_same_as_ace"
    state, _ = told(state, (0, lay("9D", "H")))
    assert (state.named_suit, state.to_act, counts(state)) == ("H", (1,), (1, 2))


def test_D_23_with_the_card_added_a_suit_must_be_named() -> None:
    state, _ = told(table("AD 9D QD 8H", "8C 9H", **ENGLISH), ACE)
    assert refusal(state, 0, lay("9D")) == "suit_required"
    assert refusal(state, 0, lay("QD")) == "suit_required"
    assert told(state, (0, lay("QD", "D")))[0].named_suit == "D"


def test_D_23_a_queen_of_another_suit_is_not_added() -> None:
    state, _ = told(table("AD QS 8H", "8C 9H", **ENGLISH), ACE)
    assert refusal(state, 0, lay("QS", "H")) == "not_ace_suit"


def test_D_23_holding_the_suit_one_may_decline_and_not_draw() -> None:
    state, _ = told(table("AD 9D 8H", "8C 9H", **ENGLISH), ACE)
    assert offered(state, 0) == {"play", "pass"}
    assert refusal(state, 0, DRAW) == "draw_not_allowed"
    assert told(state, (0, PASS))[0].to_act == (1,)


def test_C5_V4b_lacking_the_suit_one_draws_a_card_that_may_be_added() -> None:
    state, _ = told(table("AD 9C 8H", "8C 9H", talon="TD TC", **ENGLISH), ACE)
    assert refusal(state, 0, lay("9C", "H")) == "not_ace_suit"
    assert refusal(state, 0, PASS) == "pass_not_allowed"
    state, _ = told(state, (0, DRAW))
    assert offered(state, 0) == {"play", "pass"}
    state, _ = told(state, (0, lay("TD", "H")))
    assert (state.named_suit, state.to_act) == ("H", (1,))


def test_C5_V4b_D_23_another_draw_does_not_follow() -> None:
    state, _ = told(table("AD 9C 8H", "8C 9H", talon="TS TC", **ENGLISH), ACE, (0, DRAW))
    assert offered(state, 0) == {"pass"}
    assert refusal(state, 0, DRAW) == "draw_not_allowed"
    assert refusal(state, 0, lay("9C", "H")) == "only_drawn_card"
    assert refusal(state, 0, lay("TS", "H")) == "not_ace_suit"


def test_D_23_with_nothing_to_draw_one_may_pass_at_once() -> None:
    state, _ = told(table("AD 9C 8H", "8C 9H", pile="", talon="", **ENGLISH), ACE)
    assert offered(state, 0) == {"pass"}
    assert refusal(state, 0, DRAW) == "nothing_to_draw"


def test_C5_V4c_the_right_passes_to_the_next_who_follows_the_aces_suit() -> None:
    state = table("AD 9C 8H", "8D 9H 7C", talon="TS TC", **ENGLISH)
    state, events = told(state, ACE, (0, DRAW), (0, PASS))
    assert isinstance(events[-1], AceRightPassed)
    assert state.ace_right == 1
    assert refusal(state, 1, lay("8D", "D")) == "suit_same_as_ace"
    assert told(state, (1, lay("8D")))[0].named_suit is None
    assert told(state, (1, lay("8D", "C")))[0].named_suit == "C"


def test_C5_V4c_or_with_another_ace_who_goes_on_himself() -> None:
    state = table("AD 9C 8H", "AC 9H 7C", talon="TS TC", **ENGLISH)
    state, _ = told(state, ACE, (0, DRAW), (0, PASS))
    assert refusal(state, 1, lay("AC", "H")) == "suit_not_allowed"
    state, _ = told(state, (1, lay("AC")), (1, lay("7C", "H")))
    assert (state.named_suit, state.pile[-1]) == ("H", "7C")
    assert counts(state) == (4, 1)


def test_D_23_the_right_lapses_after_the_next_seat() -> None:
    state = table("AD 9C 8H", "8C 9H 7C", "8D 6S", talon="TS TC JC", **ENGLISH)
    state, _ = told(state, ACE, (0, DRAW), (0, PASS), (1, DRAW))
    assert (state.to_act, state.ace_right) == ((2,), None)
    assert refusal(state, 2, lay("8D", "C")) == "suit_not_allowed"


def test_D_23_the_right_holds_for_a_card_drawn_in_that_turn() -> None:
    state = table("AD 9C 8H", "8C 9H 7C", talon="TS TC 8D JC", **ENGLISH)
    state, _ = told(state, ACE, (0, DRAW), (0, PASS), (1, DRAW))
    assert told(state, (1, lay("8D", "S")))[0].named_suit == "S"


def test_G18_the_ace_skips_nobody() -> None:
    state = table("AD 9D 8H", "8C 9H", "7C JH", **ENGLISH)
    assert told(state, ACE, (0, lay("9D", "H")))[0].to_act == (1,)


def test_G18_going_out_with_an_ace_needs_no_second_card() -> None:
    state, _ = told(table("AD", "8C 9H", **ENGLISH), ACE)
    assert state.result is not None
    assert state.result.winner == 0
