"""Beating: one card each, in any order, while it can be done."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import engine
from games.rules.cards import BIT, beaters, pack
from games.rules.events import CardBeaten
from tests.rules.tables import (
    TAKE,
    attack,
    beat,
    hand,
    offered,
    on_table,
    play,
    refusal,
    table,
    told,
)


def test_B09_every_attack_card_needs_a_card_of_its_own() -> None:
    state = play(table("6S 6C 9D", "7S 8C QD"), (0, attack("6S 6C")), (1, beat("6S", "7S")))
    assert (state.phase, state.to_act) == ("defend", (1,))
    state = play(state, (1, beat("6C", "8C")))
    assert (state.phase, on_table(state)) == ("throw_in", "6S/7S 6C/8C")


def test_C1_20_the_defender_beats_in_any_order() -> None:
    state = play(table("6S 6C 9D", "7S 8C QD"), (0, attack("6S 6C")), (1, beat("6C", "8C")))
    assert on_table(state) == "6S 6C/8C"


def test_C1_14_C2_14_a_higher_card_of_the_suit_beats() -> None:
    state, events = told(table("8S 9D", "9S 7S"), (0, attack("8S")), (1, beat("8S", "9S")))
    assert events == (CardBeaten(seat=1, target="8S", card="9S", next=events[0].next),)
    assert hand(state, 1) == "7S"


@pytest.mark.parametrize("card", ["7S", "AC", "8D"])
def test_C1_14_K11_nothing_else_beats_a_plain_card(card: str) -> None:
    state = play(table("8S 9D", "7S 8D AC"), (0, attack("8S")))
    assert refusal(state, 1, beat("8S", card)) == "cannot_beat"


def test_C2_05_C2_15_a_trump_beats_a_plain_card_and_a_lower_trump() -> None:
    state = play(table("8S 9H KD", "6H TH QC"), (0, attack("8S")))
    assert on_table(play(state, (1, beat("8S", "6H")))) == "8S/6H"
    state = play(table("8S 9H KD", "6H TH QC"), (0, attack("9H")))
    assert refusal(state, 1, beat("9H", "6H")) == "cannot_beat"
    assert refusal(state, 1, beat("9H", "QC")) == "cannot_beat"
    assert on_table(play(state, (1, beat("9H", "TH")))) == "9H/TH"


def test_only_what_lies_uncovered_can_be_beaten() -> None:
    state = play(table("6S 6C 9D", "7S 8S 9C"), (0, attack("6S 6C")), (1, beat("6S", "7S")))
    assert refusal(state, 1, beat("6S", "8S")) == "already_beaten"
    assert refusal(state, 1, beat("6D", "9C")) == "no_such_target"
    assert refusal(state, 1, beat("7S", "8S")) == "no_such_target"


@pytest.mark.parametrize("seat", [0, 2])
def test_C1_13_nobody_else_beats(seat: int) -> None:
    state = play(table("6S 7S", "8S 9S", "TS JS"), (0, attack("6S")))
    assert refusal(state, seat, beat("6S", "7S" if seat == 0 else "TS")) == "not_your_turn"


def test_patterns_list_what_beats_each_card() -> None:
    state = play(table("6S 6D 9C", "7S 8D 6H KC"), (0, attack("6S 6D")))
    beats = [pattern for pattern in engine.legal_moves(state, 1) if pattern.type == "beat"]
    assert {pattern.target: pattern.cards for pattern in beats} == {
        "6S": ("6H", "7S"),
        "6D": ("6H", "8D"),
    }
    assert all((pattern.min, pattern.max) == (1, 1) for pattern in beats)


def test_B23_C2_20_K12_who_can_beat_may_still_take() -> None:
    state = play(table("6S 9D", "7S 8S"), (0, attack("6S")))
    assert offered(state, 1) == {"beat", "take"}
    assert play(state, (1, TAKE)).phase == "take"


FORCED = {"must_defend_if_able": True}


def test_K12_forced_defence_is_by_agreement() -> None:
    state = play(table("6S 9D", "7S 8S", options=FORCED), (0, attack("6S")))
    assert refusal(state, 1, TAKE) == "must_beat"
    assert offered(state, 1) == {"beat"}


def test_K12_forced_defence_lets_him_take_what_he_cannot_beat() -> None:
    state = play(table("9S 6D", "7S 8S", options=FORCED), (0, attack("9S")))
    assert offered(state, 1) == {"take"}
    assert play(state, (1, TAKE)).phase == "take"


def test_K12_each_card_needs_a_card_of_its_own_to_force_him() -> None:
    held = "7S 8C"
    both = play(table("6S 6C 9D", held, options=FORCED), (0, attack("6S 6C")))
    assert refusal(both, 1, TAKE) == "must_beat"
    one_for_two = table("6S 6C 9D", "6H 7D", options=FORCED)
    assert "take" in offered(play(one_for_two, (0, attack("6S 6C"))), 1)


def test_K12_the_right_assignment_is_found_whatever_comes_first() -> None:
    # The trump alone beats the club, so the spade must be left to the seven.
    state = play(table("6S 6C 9D", "6H 7S", options=FORCED), (0, attack("6S 6C")))
    assert refusal(state, 1, TAKE) == "must_beat"


def test_K12_a_hopeless_bout_of_many_cards_is_judged_at_once() -> None:
    # Ten spades with some twenty covers each, and an ace of trumps that nothing beats: trying one
    # assignment after the other would take for ever.
    spades = "2S 3S 4S 5S 6S 7S 8S 9S TS JS"
    trumps = "2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH"
    attacks = [{"attack": card} for card in (*spades.split(), "AH")]
    wide = {"deck_size": 52, "attack_limit": None} | FORCED
    state = table("2D 3D", f"QS KS AS {trumps}", options=wide, table=attacks)
    assert "take" in offered(state, 1)
    beatable = table("2D 3D", f"QS KS AS {trumps}", options=wide, table=attacks[:-1])
    assert "take" not in offered(beatable, 1)


@given(st.sets(st.sampled_from(pack(24)), min_size=6, max_size=8), st.integers(1, 3))
def test_K12_forced_is_who_has_some_assignment(dealt: set[str], count: int) -> None:
    attacks, held = sorted(dealt)[:count], sorted(dealt)[count:]
    state = table(
        "6D",
        " ".join(held),
        options=FORCED,
        table=[{"attack": card} for card in attacks],
    )
    beating = beaters("H", None)
    ways = permutations(held, count)
    can = any(all(beating[a] & BIT[c] for a, c in zip(attacks, way, strict=True)) for way in ways)
    assert ("take" in offered(state, 1)) is not can


def test_K12_who_wasted_his_only_cover_may_take() -> None:
    state = table("6S 6C 9D", "6H 7S", options=FORCED)
    state = play(state, (0, attack("6S 6C")), (1, beat("6S", "6H")))
    assert offered(state, 1) == {"take"}
