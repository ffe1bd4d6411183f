"""Edge cases recorded from another engine: what it answered is what ours answers.

Ours closes a bout by itself when the limit is beaten, so where the record begins after that the
last beat is taken back and played. Three scenarios have no limit but the attackers' wish; that is
no game of ours (B-16), whose positions refuse them.
"""

from typing import Any

import pytest

from games.rules.bout.seating import throwers
from games.rules.cards import pack
from games.rules.errors import InvalidPosition
from games.rules.notation import read_position
from games.rules.rulesets.registry import ruleset
from games.rules.state import State
from tests.rules.recorded import Json, cards, pairs, scenario
from tests.rules.tables import (
    PASS,
    TAKE,
    attack,
    beat,
    hand,
    play,
    refusal,
    throw_in,
    transfer,
)


def seats(name: str) -> dict[str, int]:
    """Seats by player, as they sit before the step."""
    players = scenario(name, "from")["players"]
    return {player["id"]: seat for seat, player in enumerate(players)}


def body(name: str, *, undo: bool = False, **more: Any) -> Json:
    """The position before the step; `undo` gives the last beat back to the defender."""
    state = scenario(name, "from")
    players = state["players"]
    laid = [(place, pair) for place, one in enumerate(players) for pair in one["attacks"]]
    laid.sort(key=lambda item: item[1].get("timestamp", 0))
    table = [[pair["attack"], *filter(None, [pair.get("defense")])] for _, pair in laid]
    hands = [cards(player["hand"]) for player in players]
    if undo:
        hands[more["defender"]] += cards([table[-1].pop()])
    left = [card for card in pack(36) if card not in cards(state["drawn_cards"])]
    talon = sorted(left, key=lambda card: card == cards([state.get("last_card", "10H")])[0])
    out = [place for place, one in enumerate(players) if "out_of_play" in one["state"]]
    placed = {"hands": hands, "talon": talon, "table": pairs(table), "out_in_order": out}
    return {**placed, "trump": state["trump_suit"][0].upper(), **more}


def position(name: str, **more: Any) -> State:
    limit = 6 if scenario(name, "from")["attack_limit"] == "six" else None
    return read_position(ruleset("transfer", {"attack_limit": limit}).rules, body(name, **more))[0]


def assert_as_recorded(state: State, name: str) -> None:
    """Who attacks whom, and with what in hand."""
    theirs, places = scenario(name, "to"), seats(name)
    assert state.attacker == places[theirs["attackers"][0]]
    assert state.defender == places[theirs["defender"]]
    for player in theirs["players"]:
        held = set(hand(state, places[player["id"]]).split())
        assert held == set(cards(player["hand"]))


def test_C1_19_the_seventh_card_is_refused() -> None:
    state = position("attack_limit_6", attacker=0, to_act=2)
    assert refusal(state, 2, throw_in("8C 8H 8S")) == "attack_limit"
    assert play(state, (2, throw_in("8C 8H"))).to_act == (1,)


def test_B08_two_ranks_do_not_open() -> None:
    state = position("cannot_attack_with_unmatched_rank", attacker=0)
    assert refusal(state, 0, attack("KD 6D")) == "ranks_differ"


def test_C2_24_who_took_defends_when_the_next_one_attacks() -> None:
    name = "collect_rotates_properly"
    state = play(position(name, attacker=0, defender=1), (1, TAKE), (2, PASS))
    assert_as_recorded(state, name)
    assert set(state.out) == {0, 3}


def test_C2_29_an_attacker_who_laid_his_last_card_goes_out_and_the_defender_attacks() -> None:
    name = "defend_successfully_after_attack_plays_last_card"
    state = play(position(name, attacker=0), (2, PASS), (3, PASS))
    assert_as_recorded(state, name)
    assert state.out == (0,)


def test_C2_24_with_the_middle_players_out_the_attack_passes_over_them() -> None:
    name = "order_after_middle_players_out"
    state = position(name, undo=True, attacker=0, defender=1)
    state = play(state, (1, beat("7S", "QS")))
    assert_as_recorded(state, name)


def test_C2_24_a_defender_who_won_by_beating_leaves_the_attack_to_the_next() -> None:
    name = "yielding_when_defender_wins"
    state = play(position(name, undo=True, attacker=0, defender=1), (1, beat("8S", "JD")))
    assert_as_recorded(state, name)
    assert state.out == (1,)


def test_D_2_who_transfers_his_last_card_is_passed_over_as_a_thrower() -> None:
    state = play(position("passed_with_last_card", attacker=0), (1, transfer("TH")))
    assert (state.attacker, state.defender, state.hands[1]) == (1, 2, 0)
    assert [seat for seat in throwers(state) if state.hands[seat]] == [3, 0]


def test_D_2_a_transfer_passes_over_those_who_are_out() -> None:
    name = "pass_back_to_player_without_cards"
    read = position(name, attacker=1, out_in_order=[0, 3])
    state = play(read, (2, transfer("9D")))
    assert_as_recorded(state, name)


@pytest.mark.parametrize(
    "name", ["unlimited_attack_yield", "unlimited_attack_last_attacker_yields"]
)
def test_B16_an_attack_larger_than_the_defenders_hand_is_no_position(name: str) -> None:
    with pytest.raises(InvalidPosition, match="more attack cards"):
        position(name, attacker=0)


def test_B16_nothing_is_added_to_a_take_that_is_as_large_as_the_hand() -> None:
    name = "unlimited_attack_throw_more_cards_to_collector"
    with pytest.raises(InvalidPosition, match="nobody could act"):
        position(name, attacker=0, phase="take")
    assert play(position(name, attacker=0), (1, TAKE)).phase == "attack"
