"""Opening a bout: who may, with how many cards, against whom."""

import pytest

from games.rules import engine
from games.rules.events import BoutOpened
from tests.rules.tables import (
    attack,
    counts,
    hand,
    offered,
    on_table,
    play,
    refusal,
    table,
    told,
)

WIDE = "7S 8S 9S TS JS QS"


@pytest.mark.parametrize("text", ["6S", "AD", "8H"])
def test_C2_08_any_card_may_open(text: str) -> None:
    state = play(table("6S AD 8H", WIDE), (0, attack(text)))
    assert on_table(state) == text
    assert text not in hand(state, 0)


@pytest.mark.parametrize("text", ["6S 6H", "6S 6H 6D", "6S 6H 6D 6C"])
def test_B08_C1_12_several_cards_of_one_rank_may_open(text: str) -> None:
    state, events = told(table("6S 6H 6D 6C 7D", WIDE), (0, attack(text)))
    assert on_table(state) == text
    assert events == (
        BoutOpened(seat=0, defender=1, cards=tuple(text.split()), limit=6, next=events[0].next),
    )


def test_B08_not_of_two_ranks() -> None:
    assert refusal(table("6S 7D", WIDE), 0, attack("6S 7D")) == "ranks_differ"


@pytest.mark.parametrize("most", [1, 2, 3, 4])
def test_K3_how_many_may_open_is_agreed(most: int) -> None:
    state = table("6S 6H 6D 6C", WIDE, options={"lead_max_cards": most})
    sixes = ["6S", "6H", "6D", "6C"]
    assert engine.legal_moves(state, 0)[0].max == most
    play(state, (0, attack(" ".join(sixes[:most]))))
    if most < 4:
        assert refusal(state, 0, attack(" ".join(sixes))) == "attack_multi_forbidden"


@pytest.mark.parametrize("seat", [1, 2])
def test_C2_07_only_the_attacker_opens(seat: int) -> None:
    state = table("6S", "7S", "8S")
    assert refusal(state, seat, attack("7S" if seat == 1 else "8S")) == "not_your_turn"
    assert engine.legal_moves(state, seat) == ()


def test_B16_no_more_cards_than_the_defender_holds() -> None:
    state = table("6S 6H 6D", "7S 8S")
    assert refusal(state, 0, attack("6S 6H 6D")) == "attack_limit"
    assert engine.legal_moves(state, 0)[0].max == 2
    assert on_table(play(state, (0, attack("6H 6D")))) == "6H 6D"


def test_K8_no_more_cards_than_the_limit() -> None:
    state = table("6S 6H 6D", WIDE, options={"attack_limit": 2})
    assert refusal(state, 0, attack("6S 6H 6D")) == "attack_limit"
    assert play(state, (0, attack("6S 6H"))).limit == 2


def test_K8_without_a_limit_only_the_defenders_hand_counts() -> None:
    state = table("6S", WIDE + " KS AS", options={"attack_limit": None})
    assert play(state, (0, attack("6S"))).limit == 8


@pytest.mark.parametrize(
    ("ruleset_id", "first_bout", "discarded", "limit"),
    [
        ("throw_in", True, 0, 6),
        ("throw_in_article", True, 0, 5),
        ("throw_in_article", False, 0, 6),
        ("transfer_article", True, 0, 5),
        ("online_throw_in", True, 0, 5),
        ("online_throw_in", False, 0, 5),
        ("online_throw_in", False, 2, 6),
        ("online_transfer", False, 0, 5),
    ],
)
def test_C1_23_K7_the_smaller_limit_of_the_beginning(
    ruleset_id: str, first_bout: bool, discarded: int, limit: int
) -> None:
    state = table("6S", WIDE, ruleset_id=ruleset_id, first_bout=first_bout, discard_count=discarded)
    assert play(state, (0, attack("6S"))).limit == limit


def test_C1_13_C2_12_the_defender_is_the_attackers_left_neighbour() -> None:
    state, events = told(table("6S", "7S", "8S", attacker=2), (2, attack("8S")))
    assert isinstance(events[0], BoutOpened)
    assert (events[0].defender, state.defender, state.to_act) == (0, 0, (0,))


def test_C2_24_seats_that_are_out_are_passed_over() -> None:
    state = play(table("6S", "", "8S", "9S"), (0, attack("6S")))
    assert (state.attacker, state.defender) == (0, 2)


def test_C2_13_after_the_attack_it_is_the_defenders_turn() -> None:
    state = play(table("6S 6H", WIDE, "8D"), (0, attack("6S")))
    assert (state.phase, state.to_act) == ("defend", (1,))
    assert offered(state, 1) == {"beat", "take"}
    assert offered(state, 0) == offered(state, 2) == set()


def test_cards_must_be_held_once_and_named() -> None:
    state = table("6S 6H", WIDE)
    assert refusal(state, 0, attack("6S 6S")) == "duplicate_card"
    assert refusal(state, 0, attack("")) == "no_cards"
    assert refusal(state, 0, attack("6S 6D")) == "card_not_in_hand"


@pytest.mark.parametrize("elsewhere", ["7S", "9D", "2S", "AC"])
def test_W10_a_card_not_held_is_refused_alike_wherever_it_is(elsewhere: str) -> None:
    state = table("6S", "7S 8S", "KC", talon="9D 7H", discard_count=2)
    assert refusal(state, 0, attack(elsewhere)) == "card_not_in_hand"


def test_one_pattern_per_rank_names_every_card_of_it() -> None:
    patterns = engine.legal_moves(table("6S 6D 9H KC", WIDE), 0)
    assert [(pattern.cards, pattern.min, pattern.max) for pattern in patterns] == [
        (("6S", "6D"), 1, 2),
        (("9H",), 1, 1),
        (("KC",), 1, 1),
    ]
    assert {pattern.type for pattern in patterns} == {"attack"}


def test_opening_takes_the_cards_from_one_hand_only() -> None:
    assert counts(play(table("6S 6H 9C", WIDE, "8D"), (0, attack("6S 6H")))) == (1, 6, 1)
