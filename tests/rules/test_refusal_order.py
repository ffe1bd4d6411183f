"""Which reason a move is refused with when several hold (rulebook 3.7)."""

from typing import Any

import pytest

from games.rules import engine
from games.rules.moves import Move
from games.rules.state import State
from tests.rules.tables import (
    CALL,
    EXCHANGE,
    PASS,
    SHOW,
    TAKE,
    attack,
    beat,
    play,
    refusal,
    table,
    throw_in,
    transfer,
)

WIDE = "7S 8S 9S TS JS QS"
HANDS = ("6S 6D 6C 9D", WIDE + " 6H", "KC KD", "8C 9C")


def opening(ruleset_id: str = "throw_in", **options: Any) -> State:
    return table(*HANDS, ruleset_id=ruleset_id, options=options, talon="AH")


def defending(ruleset_id: str = "throw_in", lead: str = "6S", **options: Any) -> State:
    return play(opening(ruleset_id, **options), (0, attack(lead)))


def throwing(ruleset_id: str = "throw_in", **options: Any) -> State:
    return play(defending(ruleset_id, **options), (1, beat("6S", "7S")))


def taking(ruleset_id: str = "throw_in", **options: Any) -> State:
    return play(defending(ruleset_id, **options), (1, TAKE))


ONE = {"lead_max_cards": 1}
TIGHT = {"attack_limit": 2}


@pytest.mark.parametrize(
    ("state", "seat", "move", "reason"),
    [
        (defending(), 1, attack("AS AS"), "wrong_phase"),
        (throwing(), 1, attack(""), "wrong_phase"),
        (opening(), 1, attack(""), "not_your_turn"),
        (opening(), 2, attack("AS"), "not_your_turn"),
        (opening(**ONE), 0, attack(""), "no_cards"),
        (opening(**ONE), 0, attack("AS AS"), "duplicate_card"),
        (opening(**ONE), 0, attack("6S AS"), "card_not_in_hand"),
        (opening(**ONE), 0, attack("6S 9D"), "attack_multi_forbidden"),
        (opening(**TIGHT), 0, attack("6S 6D 9D"), "ranks_differ"),
        (opening(**TIGHT), 0, attack("6S 6D 6C"), "attack_limit"),
    ],
)
def test_D_order_attack(state: State, seat: int, move: Move, reason: str) -> None:
    assert refusal(state, seat, move) == reason


@pytest.mark.parametrize(
    ("state", "seat", "move", "reason"),
    [
        (opening(), 0, beat("6S", "AS"), "not_your_turn"),
        (defending(), 2, beat("AS", "AS"), "not_your_turn"),
        (throwing(), 0, beat("6S", "6D"), "not_your_turn"),
        (opening(), 1, beat("6S", "AS"), "wrong_phase"),
        (throwing(), 1, beat("6S", "AS"), "wrong_phase"),
        (taking(), 1, beat("AS", "AS"), "wrong_phase"),
        (defending(), 1, beat("6D", ""), "no_such_target"),
        (play(defending(lead="6S 6D"), (1, beat("6S", "7S"))), 1, beat("6S", ""), "already_beaten"),
        (defending(), 1, beat("6S", ""), "no_cards"),
        (defending(), 1, beat("6S", "AC"), "card_not_in_hand"),
        (defending(lead="6D"), 1, beat("6D", "7S"), "cannot_beat"),
    ],
)
def test_D_order_beat(state: State, seat: int, move: Move, reason: str) -> None:
    assert refusal(state, seat, move) == reason


FORCED = {"must_defend_if_able": True}


@pytest.mark.parametrize(
    ("state", "seat", "reason"),
    [
        (opening(), 0, "not_your_turn"),
        (defending(**FORCED), 0, "not_your_turn"),
        (opening(), 1, "wrong_phase"),
        (throwing(**FORCED), 1, "wrong_phase"),
        (taking(), 1, "wrong_phase"),
        (defending(**FORCED), 1, "must_beat"),
    ],
)
def test_D_order_take(state: State, seat: int, reason: str) -> None:
    assert refusal(state, seat, TAKE) == reason


@pytest.mark.parametrize(
    ("state", "seat", "reason"),
    [
        (opening(), 0, "wrong_phase"),
        (defending(), 1, "wrong_phase"),
        (defending(), 2, "wrong_phase"),
        (throwing(), 1, "not_your_turn"),
        (throwing(), 2, "not_your_turn"),
        (taking(), 3, "not_your_turn"),
    ],
)
def test_D_order_pass(state: State, seat: int, reason: str) -> None:
    assert refusal(state, seat, PASS) == reason


NEAR = {"throw_in_scope": "neighbours"}
BY_ONE = {"throw_in_batch": "one"}
FULL = {"attack_limit": 1}


@pytest.mark.parametrize(
    ("state", "seat", "move", "reason"),
    [
        (opening("simple", throw_in="never"), 1, throw_in(""), "wrong_phase"),
        (opening(**NEAR), 3, throw_in("8C"), "wrong_phase"),
        (defending("simple"), 1, throw_in("8S"), "not_your_turn"),
        (throwing(**NEAR), 1, throw_in("8S 9S"), "not_your_turn"),
        (taking("simple"), 1, throw_in(""), "not_your_turn"),
        (defending("simple", **NEAR), 3, throw_in(""), "not_allowed_to_throw"),
        (throwing(**NEAR), 3, throw_in("8C 9C"), "not_allowed_to_throw"),
        (defending("simple", throw_in="never"), 0, throw_in(""), "throw_in_disabled"),
        (defending("simple"), 2, throw_in("KC"), "throw_in_disabled"),
        (defending(**BY_ONE), 2, throw_in("KC KD"), "wrong_phase"),
        (defending(**TIGHT), 2, throw_in("KC KD AS"), "wrong_phase"),
        (throwing(**BY_ONE, **TIGHT), 2, throw_in("KC KD"), "one_card_at_a_time"),
        (throwing(**TIGHT), 2, throw_in("KC KD"), "attack_limit"),
        (throwing(**TIGHT), 0, throw_in("6D 6D"), "attack_limit"),
        (throwing(), 2, throw_in(""), "not_your_turn"),
        (throwing(), 3, throw_in("AS"), "not_your_turn"),
        (taking(), 2, throw_in("KC"), "not_your_turn"),
        (throwing(), 0, throw_in(""), "no_cards"),
        (throwing(), 0, throw_in("9D 9D"), "duplicate_card"),
        (throwing(), 0, throw_in("9D AS"), "card_not_in_hand"),
        (throwing(), 0, throw_in("6D 9D"), "rank_not_on_table"),
    ],
)
def test_D_order_throw_in(state: State, seat: int, move: Move, reason: str) -> None:
    assert refusal(state, seat, move) == reason


def test_D_order_a_full_bout_is_over_before_anybody_is_refused_for_room() -> None:
    assert play(defending(**FULL), (1, beat("6S", "7S"))).phase == "attack"


FIRST = {"transfer_first_bout": False}
SINGLE = {"transfer_multi": False}


def first_bout(lead: str = "6S", **options: Any) -> State:
    state = table(*HANDS, ruleset_id="transfer", options=options, first_bout=True)
    return play(state, (0, attack(lead)))


def half_beaten(**options: Any) -> State:
    return play(defending("transfer", "6S 6D", **options), (1, beat("6S", "7S")))


@pytest.mark.parametrize(
    ("state", "seat", "move", "reason"),
    [
        (opening(), 0, transfer(""), "transfer_disabled"),
        (defending(), 2, transfer("KC"), "transfer_disabled"),
        (opening("transfer"), 0, transfer(""), "not_your_turn"),
        (first_bout(**FIRST), 2, transfer(""), "not_your_turn"),
        (opening("transfer"), 1, transfer(""), "wrong_phase"),
        (throwing("transfer"), 1, transfer("6H"), "wrong_phase"),
        (taking("transfer"), 1, transfer("6H"), "wrong_phase"),
        (
            play(first_bout("6S 6D", **FIRST), (1, beat("6S", "7S"))),
            *(1, transfer(""), "transfer_first_bout"),
        ),
        (half_beaten(), 1, transfer(""), "transfer_after_beat"),
        (half_beaten(**SINGLE), 1, transfer("8S 8S"), "transfer_after_beat"),
        (defending("transfer", **SINGLE), 1, transfer(""), "no_cards"),
        (defending("transfer", **SINGLE), 1, transfer("6H 6H"), "duplicate_card"),
        (defending("transfer", **SINGLE), 1, transfer("6H AS"), "card_not_in_hand"),
        (defending("transfer", **SINGLE), 1, transfer("8S 9S"), "one_card_at_a_time"),
        (defending("transfer", **FULL), 1, transfer("8S 9S"), "transfer_target_too_few"),
        (defending("transfer", "6S 6D", **SINGLE), 1, transfer("8S"), "transfer_target_too_few"),
        (defending("transfer", **FULL), 1, transfer("8S"), "attack_limit"),
        (defending("transfer"), 1, transfer("8S"), "transfer_rank"),
    ],
)
def test_D_order_transfer(state: State, seat: int, move: Move, reason: str) -> None:
    assert refusal(state, seat, move) == reason


@pytest.mark.parametrize("seat", range(4))
@pytest.mark.parametrize("state", [opening(), defending(), throwing(), taking()])
def test_D_order_what_the_ruleset_lacks_is_refused_whoever_asks(state: State, seat: int) -> None:
    assert refusal(state, seat, SHOW) == "transfer_disabled"
    assert refusal(state, seat, EXCHANGE) == "exchange_disabled"
    assert refusal(state, seat, CALL) == "call_disabled"


def test_D_order_showing_a_trump_is_off_where_only_transferring_is_on() -> None:
    assert refusal(defending("transfer"), 1, SHOW) == "show_disabled"


def test_K27_exchanging_the_open_trump_is_off_unless_agreed() -> None:
    state = table("6H 9D", "7S 8S", talon="QC AH")
    assert refusal(state, 0, EXCHANGE) == "exchange_disabled"


def test_a_refused_move_changes_nothing() -> None:
    state = throwing()
    before = engine.legal_moves(state, 0)
    refusal(state, 0, throw_in("9D"))
    assert engine.legal_moves(state, 0) == before
    assert state == throwing()
