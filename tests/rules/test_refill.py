"""After a bout: who draws, how many, in what order, and what the open card does."""

from games.rules.events import HandReplenished
from tests.rules.tables import (
    PASS,
    TAKE,
    Turn,
    attack,
    beat,
    counts,
    hand,
    play,
    table,
    throw_in,
    told,
    transfer,
)

BEATEN: tuple[Turn, ...] = ((0, attack("6S")), (1, beat("6S", "7S")), (0, PASS))
# Five cards each after the first bout between the first two.
TWO = ("6S 9D 9C TD TC", "7S JD JC QD QC")
THREE = ("6S 9D 9C TD TC", "7S JD JC QD QC KD", "6C KC AD AC TS")
CLOCKWISE = {"refill_order": "clockwise_from_leader"}


def drawn(*hands: str, turns: tuple[Turn, ...], **more: object) -> list[tuple[int, str]]:
    """Who drew what in the last move, in order."""
    _, events = told(table(*hands, **more), *turns)
    return [
        (event.seat, " ".join(event.cards))
        for event in events
        if isinstance(event, HandReplenished)
    ]


def test_B13_C2_23_C2_26_after_a_discard_hands_are_filled_to_six() -> None:
    state = play(table(*TWO, talon="6H 8H AH KH 7H"), *BEATEN)
    assert counts(state) == (6, 6)
    assert len(state.talon) == 1


def test_B13_after_a_take_too() -> None:
    state = play(table(*TWO, talon="6H 8H AH KH 7H"), (0, attack("6S")), (1, TAKE), (0, PASS))
    assert counts(state) == (6, 6)


def test_C2_23_only_who_has_fewer_than_six_draws() -> None:
    turns = ((0, attack("6S")), (1, TAKE), (0, PASS))
    hands = (TWO[0], TWO[1] + " KD")
    assert drawn(*hands, turns=turns, talon="6H 8H 7H") == [(0, "6H 8H")]


def test_B14_C2_27_C2_28_K10_the_attacker_first_the_defender_last() -> None:
    turns = (*BEATEN, (2, PASS))
    assert drawn(*THREE, turns=turns, talon="6H 8H AH KH 7H") == [
        (0, "6H 8H"),
        (2, "AH"),
        (1, "KH"),
    ]


def test_C1_24_K10_plainly_clockwise_where_so_agreed() -> None:
    turns = (*BEATEN, (2, PASS))
    assert drawn(*THREE, turns=turns, talon="6H 8H AH KH 7H", options=CLOCKWISE) == [
        (0, "6H 8H"),
        (1, "AH"),
        (2, "KH"),
    ]


def test_B14_the_order_begins_with_the_attacker_of_the_bout() -> None:
    hands = (THREE[1], THREE[2], THREE[0])
    turns = ((2, attack("6S")), (0, beat("6S", "7S")), (2, PASS), (1, PASS))
    found = drawn(*hands, turns=turns, talon="6H 8H AH KH 7H", attacker=2)
    assert [seat for seat, _ in found] == [2, 1, 0]


def test_B14_after_a_transfer_the_last_transferrer_draws_first() -> None:
    hands = ("6S 9D 9C TD TC", "6C 8S 9S TS JS", "7S 8D QC QD KC KD")
    turns = ((0, attack("6S")), (1, transfer("6C")), (2, TAKE), (1, PASS), (0, PASS))
    found = drawn(*hands, turns=turns, talon="6H 8H AH KH 7H", ruleset_id="transfer")
    assert found == [(1, "6H 8H"), (0, "AH KH")]


def test_B15_C1_07_D_13_the_open_card_goes_last_and_its_suit_stays_trump() -> None:
    state, events = told(table(*TWO, talon="8H AH KH 7H"), *BEATEN)
    assert events[-1] == HandReplenished(
        seat=1, cards=("KH", "7H"), open_card="7H", next=events[-1].next
    )
    assert (state.turn_up, state.trump, state.talon) == (None, "H", ())


def test_W02_the_open_card_is_named_only_when_it_is_drawn() -> None:
    _, events = told(table(*TWO, talon="8H AH KH 7H"), *BEATEN)
    assert HandReplenished(seat=0, cards=("8H", "AH")) in events


def test_D_13_the_open_card_lies_there_until_then() -> None:
    state = play(table(*TWO, talon="6H 8H AH KH 7H"), *BEATEN)
    assert (state.turn_up, state.talon) == ("7H", ("7H",))


def test_B15_who_comes_late_gets_what_is_left() -> None:
    turns = (*BEATEN, (2, PASS))
    assert drawn(*THREE, turns=turns, talon="8H 6H 7H") == [(0, "8H 6H"), (2, "7H")]


def test_C2_29_without_a_talon_nobody_draws() -> None:
    assert drawn(*TWO, turns=BEATEN) == []


def test_D_3_an_attacker_without_cards_draws_first_and_stays_in() -> None:
    turns = ((0, attack("6S")), (1, beat("6S", "7S")), (2, PASS))
    state = play(table("6S", *THREE[1:], talon="6H 8H AH KH QH 9H JH TH 7H"), *turns)
    assert hand(state, 0) == "6H 8H 9H QH KH AH"
    assert state.out == ()


def test_hands_are_filled_to_the_size_that_was_dealt() -> None:
    options = {"hand_size": 4}
    state = play(table("6S 9D 9C", "7S JD JC", talon="8H AH 7H", options=options), *BEATEN)
    assert counts(state) == (4, 3)
    assert state.talon == ()


def test_a_thrower_draws_in_his_turn() -> None:
    turns = ((0, attack("6S")), (1, TAKE), (0, PASS), (2, throw_in("6C")), (0, PASS), (2, PASS))
    found = drawn(*THREE, turns=turns, talon="6H 8H AH KH 7H")
    assert found == [(0, "6H 8H"), (2, "AH KH")]
