"""What a table may agree besides: showing and exchanging trumps, teams, haste, calls, redeals."""

import pytest

from games.rules import engine
from games.rules.cards import to_cards
from games.rules.errors import Refusal
from games.rules.events import (
    CardsDealt,
    CardsRedealt,
    TrumpExchanged,
    TrumpShown,
    WrongPlayCalled,
)
from games.rules.moves import Move
from games.rules.state import State
from games.rules.views import redact
from tests.rules.deals import deal, first, stacked
from tests.rules.tables import (
    EXCHANGE,
    PASS,
    TAKE,
    attack,
    beat,
    hand,
    offered,
    on_table,
    play,
    refusal,
    table,
    throw_in,
    told,
    transfer,
)

WIDE = "7S 7C 9S TS JS QS"


def show(card: str) -> Move:
    return Move("show_trump", cards=(card,))


def call(card: str) -> Move:
    return Move("call", cards=(card,))


def exchanging(turn_up: str = "AH", option: str = "six_for_ace") -> State:
    """Two players, the first of whom holds the lowest trump."""
    return table("6H 7S 8S", "9S TS JS", talon=f"KD {turn_up}", options={"trump_exchange": option})


def test_D_6_W12_a_trump_shown_passes_the_bout_on_and_stays_in_the_hand() -> None:
    state = table("6S 9D KC", "6H 8C TD", "7C 8D AC", ruleset_id="proyezdnoy")
    state, events = told(state, (0, attack("6S")), (1, show("6H")))
    assert isinstance(events[0], TrumpShown)
    assert (state.attacker, state.defender, on_table(state)) == (1, 2, "6S")
    assert hand(state, 1) == "6H 8C TD"
    assert to_cards(state.exposed) == ("6H",)


def test_D_6_W12_it_may_be_played_as_usual_later_and_is_then_no_longer_shown() -> None:
    state = table("6S 9D KC", "6H 8C TD", "7C 8D AC", ruleset_id="proyezdnoy")
    state = play(state, (0, attack("6S")), (1, show("6H")), (2, TAKE), (1, throw_in("6H")))
    state = play(state, (1, PASS), (0, PASS))
    assert hand(state, 2) == "6S 6H 7C 8D AC"
    assert not state.exposed


def test_D_6_only_to_a_hand_as_large_as_the_attack() -> None:
    state = table("6S 6C 9D", "6H 8C TD", "7C", ruleset_id="proyezdnoy")
    assert refusal(play(state, (0, attack("6S 6C"))), 1, show("6H")) == "transfer_target_too_few"


def test_D_6_once_a_bout() -> None:
    state = table("6S 6C 9D KC", "6H 8C TD JD", ruleset_id="proyezdnoy")
    state = play(state, (0, attack("6S")), (1, show("6H")), (0, transfer("6C")))
    assert state.defender == 1
    assert refusal(state, 1, show("6H")) == "show_already_used"


def test_C1_29_W11_the_six_is_exchanged_for_the_open_ace() -> None:
    state, events = told(exchanging(), (0, EXCHANGE))
    assert TrumpExchanged(seat=0, card="6H", open_card="AH", next=events[0].next) == events[0]
    assert (hand(state, 0), state.turn_up, state.talon[-1]) == ("7S 8S AH", "6H", "6H")
    for viewer in (None, 0, 1):
        assert redact(events[0], viewer)["data"] == {"card": "6H", "open_card": "AH"}


def test_C1_29_for_another_card_only_where_that_is_agreed() -> None:
    assert refusal(exchanging("KH"), 0, EXCHANGE) == "exchange_turnup_not_ace"
    assert play(exchanging("KH", "six_for_any"), (0, EXCHANGE)).turn_up == "6H"
    plain = table("6H 7S 8S", "9S TS JS", talon="KD AH")
    assert refusal(plain, 0, EXCHANGE) == "exchange_disabled"


def test_D_5_on_ones_own_turn_in_any_phase() -> None:
    assert refusal(exchanging(), 1, EXCHANGE) == "not_your_turn"
    thrown = play(exchanging(), (0, attack("7S")), (1, beat("7S", "9S")))
    assert play(thrown, (0, EXCHANGE)).phase == "throw_in"


def test_D_5_only_who_got_the_card_from_deal_or_talon() -> None:
    state = table(
        *("6H 7S 8S", "9S TS JS"),
        talon="KD AH",
        lowest_trump_owner=1,
        options={"trump_exchange": "six_for_ace"},
    )
    assert refusal(state, 0, EXCHANGE) == "exchange_not_original_holder"


def dealt_to_one() -> State:
    """A deal that gives the lowest trump to seat 1, who attacks; the open card is an ace."""
    pack = first("6H 7H KC 9C 8C 8D JC JD TC TD QC QD AH")
    state, _ = deal(stacked(pack, dealer=0), trump_exchange="six_for_ace")
    assert (state.attacker, hand(state, 1)) == (1, "6H 8C TC JC QC KC")
    return state


def test_D_5_who_was_dealt_the_lowest_trump_may_exchange_it() -> None:
    assert "AH" in hand(play(dealt_to_one(), (1, EXCHANGE)), 1)


def test_D_5_who_took_the_lowest_trump_that_another_was_dealt_may_not() -> None:
    state = play(dealt_to_one(), (1, attack("6H")), (0, TAKE), (1, PASS), (1, attack("KC")))
    assert "6H" in hand(state, 0)
    assert refusal(state, 0, EXCHANGE) == "exchange_not_original_holder"
    assert "exchange_trump" not in offered(state, 0)


def test_D_5_who_took_the_lowest_trump_that_another_drew_may_not() -> None:
    hands = ("8S 9S", "9D TD JD QD KD AD")
    options = {"trump_exchange": "six_for_ace"}
    state = table(*hands, talon="6H 7S 7D 7C 8C 8D 9C AH", options=options)
    drawn = play(state, (0, attack("8S")), (1, TAKE), (0, PASS))
    assert "AH" in hand(play(drawn, (0, EXCHANGE)), 0)
    taken = play(drawn, (0, attack("6H")), (1, TAKE), (0, PASS), (0, attack("7S")))
    assert refusal(taken, 1, EXCHANGE) == "exchange_not_original_holder"


def test_D_5_with_52_cards_it_is_the_two() -> None:
    options = {"trump_exchange": "six_for_ace", "deck_size": 52}
    state = table("2H 7S 8S", "9S TS JS", talon="KD AH", options=options)
    assert play(state, (0, EXCHANGE)).turn_up == "2H"
    six = table("6H 7S 8S", "9S TS JS", talon="KD AH", options=options)
    assert refusal(six, 0, EXCHANGE) == "card_not_in_hand"


def test_D_8_every_second_seat_is_a_partner_and_the_next_opponent_defends() -> None:
    state = table("6S 9D", WIDE, "6C 9C", "6D KD", ruleset_id="partners")
    assert state.defender == 1
    state = play(state, (0, attack("6S")), (1, beat("6S", "7S")), (0, PASS))
    assert refusal(state, 3, throw_in("6D")) == "not_allowed_to_throw"
    assert on_table(play(state, (2, throw_in("6C")))) == "6S/7S 6C"


def test_D_8_after_a_take_the_next_seat_of_either_team_attacks() -> None:
    state = table("6S 9D", WIDE, "TC 9C", "JD KD", ruleset_id="partners")
    state = play(state, (0, attack("6S")), (1, TAKE), (0, PASS), (2, PASS))
    assert (state.attacker, state.defender) == (2, 3)


def test_D_8_all_of_the_last_team_lose() -> None:
    state = table("6S", "7S 8S", "", "JD KD", ruleset_id="partners", out_in_order=[2])
    result = play(state, (0, attack("6S")), (1, TAKE)).result
    assert result is not None
    assert (result.durak, result.winner, result.draw) == ((1, 3), 2, False)


HASTY = {"throw_in_timing": "anytime"}


def test_D_4_defender_and_all_who_may_add_act_at_once() -> None:
    state = play(table("6S 9D", WIDE, "KC", "QD", options=HASTY), (0, attack("6S")))
    assert set(state.to_act) == {0, 1, 2, 3}
    assert set(play(state, (2, PASS)).to_act) == {0, 1, 3}


def test_D_4_a_thrown_in_card_clears_the_passes() -> None:
    state = play(table("6S 6D", WIDE, "KC", "QD 6C", options=HASTY), (0, attack("6S")))
    state = play(state, (2, PASS), (0, PASS))
    assert set(state.to_act) == {1, 3}
    assert set(play(state, (3, throw_in("6C"))).to_act) == {0, 1, 2, 3}


def test_D_4_who_holds_no_fitting_card_is_waited_for_and_may_only_pass() -> None:
    state = play(table("6S 6D", WIDE, "KC", "6C QD", options=HASTY), (0, attack("6S")))
    assert offered(state, 2) == {"pass"}
    assert offered(state, 3) == {"throw_in", "pass"}
    state = play(state, (1, beat("6S", "7S")), (0, PASS), (3, PASS))
    assert (state.phase, state.to_act) == ("throw_in", (2,))


def test_D_4_who_holds_no_card_is_not_waited_for() -> None:
    state = table("6S 9D", WIDE, "", "QD", talon="9H", options=HASTY)
    assert set(play(state, (0, attack("6S"))).to_act) == {0, 1, 3}


def test_D_4_at_the_limit_nobody_is_waited_for_but_the_defender() -> None:
    state = table("6S 6D 9D", WIDE, "6C", options=HASTY | {"attack_limit": 2})
    state = play(state, (0, attack("6S")), (2, throw_in("6C")))
    assert state.to_act == (1,)
    state = play(state, (1, beat("6S", "7S")))
    assert state.to_act == (1,)
    assert play(state, (1, beat("6C", "7C"))).phase == "attack"


def test_D_4_a_take_at_the_limit_ends_the_bout_at_once() -> None:
    state = table("6S 6D 9D", WIDE, "6C", options=HASTY | {"attack_limit": 2})
    state = play(state, (0, attack("6S")), (2, throw_in("6C")), (1, TAKE))
    assert (state.phase, state.attacker) == ("attack", 0)


def test_D_4_a_beat_clears_the_passes() -> None:
    state = play(table("6S 9D", WIDE, "KC", options=HASTY), (0, attack("6S")), (2, PASS))
    state = play(state, (1, beat("6S", "7S")))
    assert set(state.to_act) == {0, 2}


def test_D_4_it_is_over_when_all_is_beaten_and_all_have_passed() -> None:
    state = play(table("6S 9D", WIDE, "KC", options=HASTY), (0, attack("6S")))
    state = play(state, (1, beat("6S", "7S")), (2, PASS), (0, PASS))
    assert (state.phase, state.attacker, state.discard_count) == ("attack", 1, 2)


CAUGHT = {"enforcement": "catchable"}


def test_D_11_a_wrong_beat_stands_until_it_is_called_then_he_takes() -> None:
    state = play(table("9S 6D KC", "7S 8C AD", "QC JC", options=CAUGHT), (0, attack("9S")))
    wrong = play(state, (1, beat("9S", "7S")))
    assert on_table(wrong) == "9S/7S"
    assert refusal(wrong, 1, call("7S")) == "call_unfounded"
    called, events = told(wrong, (2, call("7S")))
    assert isinstance(events[0], WrongPlayCalled)
    assert (called.phase, on_table(called), hand(called, 1)) == ("take", "9S", "7S 8C AD")


def test_D_11_who_threw_in_wrongly_gets_it_back_and_adds_no_more() -> None:
    state = play(table("9S 6D KC", "TS 8C AD", "QC TC", options=CAUGHT), (0, attack("9S")))
    state = play(state, (1, beat("9S", "TS")), (0, throw_in("KC")), (1, call("KC")))
    assert (on_table(state), hand(state, 0)) == ("9S/TS", "6D KC")
    assert refusal(state, 0, throw_in("6D")) == "not_allowed_to_throw"
    assert state.to_act == (2,)


def test_D_11_what_beat_a_wrong_throw_in_returns_with_it_to_the_defender() -> None:
    state = play(table("9S 6D KC", "TS 7D AC", "QC TC", options=CAUGHT), (0, attack("9S")))
    state = play(state, (1, beat("9S", "TS")), (0, throw_in("KC")), (1, beat("KC", "AC")))
    called, events = told(state, (2, call("KC")))
    assert isinstance(events[0], WrongPlayCalled)
    assert events[0].returned == "AC"
    assert [hand(called, seat) for seat in range(3)] == ["6D KC", "7D AC", "TC QC"]
    assert on_table(called) == "9S/TS"


def test_D_11_a_wrong_throw_in_that_nothing_beats_returns_alone() -> None:
    state = play(table("9S 6D KC", "TS 7D AC", "QC TC", options=CAUGHT), (0, attack("9S")))
    state = play(state, (1, beat("9S", "TS")), (0, throw_in("KC")))
    called, events = told(state, (2, call("KC")))
    assert isinstance(events[0], WrongPlayCalled)
    assert events[0].returned is None
    assert [hand(called, seat) for seat in range(3)] == ["6D KC", "7D AC", "TC QC"]


@pytest.mark.parametrize("card", ["9S", "TS"])
def test_D_11_a_wrong_call_costs_nothing(card: str) -> None:
    state = play(table("9S 6D KC", "TS 8C AD", "QC TC", options=CAUGHT), (0, attack("9S")))
    state = play(state, (1, beat("9S", "TS")))
    with pytest.raises(Refusal, match="call_unfounded"):
        engine.decide(state, 2, call(card))
    assert [p.cards for p in engine.legal_moves(state, 2)] == [("TS",)]


def test_D_12_five_of_a_suit_in_a_hand_void_the_deal() -> None:
    bad = first("6S 6H 7S 7H 8S 8H 9S 9D TS TD JD JC")
    good = first("6S 6H 7S 7H 8S 8H 9D 9H TD TC JD JC QH")
    _, events = deal(stacked(bad, good, dealer=1), redeal_on_bad_hand="five_of_suit")
    kinds = [type(event) for event in events[1:4]]
    assert kinds == [CardsDealt, CardsRedealt, CardsDealt]
    assert CardsRedealt(reason="five_of_suit") in events
    _, kept = deal(stacked(bad, dealer=1))
    assert not any(isinstance(event, CardsRedealt) for event in kept)
