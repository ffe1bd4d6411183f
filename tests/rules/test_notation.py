"""Positions as JSON: read, written, read again; those that no game could be in are refused."""

from typing import Any

import pytest

from games.rules import engine
from games.rules.cards import to_cards
from games.rules.errors import InvalidPosition
from games.rules.moves import Move
from games.rules.notation import read_position, write_position
from games.rules.rulesets.registry import ruleset
from games.rules.state import State
from tests.rules.tables import TAKE, attack, play, position, table, throw_in

TWO = ("6S 9D KD", "7S 8C QC")
FOUR = ("6S 9D", "7S 8S 9S", "6C KC", "6D QD")
REQUIRED = {"hands", "trump", "talon", "attacker"}
WRITTEN = {
    *REQUIRED,
    *("phase", "to_act", "defender", "dealer", "table", "passed", "discard_count", "first_bout"),
    *("out_in_order", "emptied", "turn_up", "lowest_trump_owner", "named_suit", "pending"),
    *("shown", "plays", "barred", "limit"),
    *("game_over", "durak", "draw", "winner", "stalemate", "points", "match_losers"),
}


def read(body: Any, ruleset_id: str = "throw_in", **options: Any) -> State:
    return read_position(ruleset(ruleset_id, options).rules, body)[0]


def faults(body: Any, ruleset_id: str = "throw_in", **options: Any) -> set[str]:
    with pytest.raises(InvalidPosition) as raised:
        read(body, ruleset_id, **options)
    assert all(reason for reason in raised.value.errors.values())
    assert str(raised.value)
    return set(raised.value.errors)


def pairs(text: str) -> list[dict[str, Any]]:
    """``"6S/7S 6C"`` as JSON."""
    found = [[*pair.split("/"), None] for pair in text.split()]
    return [{"attack": pair[0], "beat": pair[1]} for pair in found]


def test_four_fields_are_enough() -> None:
    state = read(position(*TWO, talon="TC 7H"))
    assert (state.phase, state.to_act, state.attacker, state.defender) == ("attack", (0,), 0, 1)
    assert (state.turn_up, state.trump, state.discard_count, state.bouts) == ("7H", "H", 0, 1)
    assert state.passed == state.out == state.emptied == ()


def test_what_is_written_has_every_field() -> None:
    assert write_position(read(position(*TWO)), []).keys() == WRITTEN


@pytest.mark.parametrize("missing", sorted(REQUIRED))
def test_the_four_fields_must_be_there(missing: str) -> None:
    body = position(*TWO)
    del body[missing]
    assert faults(body) == {missing}


def test_cards_are_read_leniently_and_written_strictly() -> None:
    body = position("6s 10d", "7S", talon="10h")
    state, listing = read_position(ruleset("throw_in").rules, body)
    written = write_position(state, listing)
    assert written["hands"] == [["6S", "TD"], ["7S"]]
    assert written["talon"] == ["TH"]


@pytest.mark.parametrize(
    ("lying", "phase", "to_act"),
    [
        ("", "attack", (0,)),
        ("TS", "defend", (1,)),
        ("TS/JS", "throw_in", (0,)),
        ("TS/JS TC", "defend", (1,)),
    ],
)
def test_the_phase_follows_from_the_table(lying: str, phase: str, to_act: tuple[int]) -> None:
    state = read(position(*FOUR, table=pairs(lying)))
    assert (state.phase, state.to_act) == (phase, to_act)
    assert read(position(*FOUR, table=pairs(lying), phase=phase)) == state


def test_taking_must_be_said() -> None:
    state = read(position(*FOUR, table=pairs("TS"), phase="take"))
    assert (state.phase, state.to_act, state.limit) == ("take", (0,), 3)


@pytest.mark.parametrize("phase", ["attack", "throw_in", "finished"])
def test_a_phase_that_the_table_contradicts_is_refused(phase: str) -> None:
    assert faults(position(*FOUR, table=pairs("TS"), phase=phase)) == {"phase"}


@pytest.mark.parametrize("phase", ["defend", "take", "throw_in"])
def test_without_a_table_only_an_attack_can_follow(phase: str) -> None:
    assert faults(position(*FOUR, phase=phase)) == {"phase"}


@pytest.mark.parametrize("to_act", [2, [2]])
def test_to_act_in_the_queue_says_who_was_asked_before(to_act: Any) -> None:
    state = read(position(*FOUR, table=pairs("TS/JS"), to_act=to_act))
    assert (state.to_act, state.passed) == ((2,), (0,))


def test_passed_says_it_too() -> None:
    state = read(position(*FOUR, table=pairs("TS/JS"), passed=[0, 2]))
    assert state.to_act == (3,)


@pytest.mark.parametrize(
    "more",
    [
        {"to_act": 1},
        {"to_act": [0, 2]},
        {"table": pairs("TS"), "to_act": 0},
        {"table": pairs("TS/JS"), "passed": [0], "to_act": 0},
        {"table": pairs("TS/JS"), "to_act": 1},
    ],
)
def test_a_turn_that_the_rules_contradict_is_refused(more: dict[str, Any]) -> None:
    assert faults(position(*FOUR, **more)) == {"to_act"}


@pytest.mark.parametrize(
    ("ruleset_id", "options", "lying", "phase"),
    [
        ("throw_in", {}, "TS/JS TC/JC TD/JD QS/KS QD/AD QH/KH", None),
        ("throw_in", {}, "TS TC TD TH JS JC", "take"),
        ("throw_in", {"attack_limit": 1}, "TS/JS", None),
        ("simple", {}, "TS/JS", None),
        ("simple", {"throw_in": "never"}, "TS", "take"),
        ("throw_in", {"throw_in_scope": "leader"}, "TS/JS", None),
    ],
)
def test_a_bout_that_is_over_is_no_position(
    ruleset_id: str, options: dict[str, Any], lying: str, phase: str | None
) -> None:
    hands = ("", "7S 8S 9S 6C 7C 8C", "6D KC")
    body = position(*hands, talon="9H", table=pairs(lying), phase=phase)
    assert faults(body, ruleset_id, **options) == {"phase"}


@pytest.mark.parametrize("field", ["attacker", "defender", "dealer", "lowest_trump_owner"])
def test_a_seat_that_does_not_exist_is_named(field: str) -> None:
    assert faults(position(*TWO) | {field: 2}) == {field}
    assert faults(position(*TWO) | {field: -1}) == {field}
    assert faults(position(*TWO) | {field: "0"}) == {field}


@pytest.mark.parametrize("field", ["passed", "out_in_order", "emptied", "to_act"])
def test_lists_of_seats_name_each_existing_seat_once(field: str) -> None:
    assert faults(position(*TWO) | {field: [2]}) == {field}
    assert faults(position(*TWO) | {field: [0, 0]}) == {field}


@pytest.mark.parametrize("hands", [[], [["6S"]], [["6S"]] * 7, "6S", [["6S"], "7S"], None])
def test_two_to_six_hands_are_wanted(hands: Any) -> None:
    (field,) = faults(position(*TWO) | {"hands": hands})
    assert field in ("hands", "hands[1]")


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (position("6S 6S", "7S"), "hands"),
        (position("6S", "6S"), "hands"),
        (position("6S", "7S", talon="6S"), "hands"),
        (position("6S", "7S", talon="8S 8S"), "hands"),
        (position("6S", "7S", table=pairs("6S")), "hands"),
        (position("6S", "7S", table=pairs("TS/TS")), "hands"),
        (position("2S", "7S"), "hands"),
        (position("6S", "7S", talon="5D"), "hands"),
        (position("6S", "XX"), "hands"),
        (position("6S", "??"), "hands"),
        (position("6S", "7S", talon="1S"), "talon"),
        (position("6S", "7S", table=pairs("ZZ")), "table"),
        (position("6S", "7S", talon="8H", turn_up="ZZ"), "turn_up"),
    ],
)
def test_cards_twice_or_outside_the_pack_are_refused(body: Any, field: str) -> None:
    assert faults(body) == {field}


@pytest.mark.parametrize("field", ["hands", "talon", "table"])
def test_no_list_of_cards_is_longer_than_a_pack(field: str) -> None:
    long = {"hands": [["6S"] * 53, ["7S"]], "talon": ["6S"] * 53, "table": pairs("6S " * 53)}
    with pytest.raises(InvalidPosition, match=rf"^{field}.*: Expected `array` of"):
        read(position(*TWO) | {field: long[field]})


def test_the_pack_is_the_rulesets() -> None:
    assert read(position("2S", "7S"), deck_size=52).hands[0]
    assert faults(position("8S", "9S"), deck_size=24) == {"hands"}


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"trump": "X"}, "trump"),
        ({"trump": 1}, "trump"),
        ({"attacker": None}, "attacker"),
        ({"phase": "play"}, "phase"),
        ({"discard_count": -1}, "discard_count"),
        ({"discard_count": 53}, "discard_count"),
        ({"first_bout": "yes"}, "first_bout"),
        ({"table": [{"beat": "6S"}]}, "table[0].attack"),
        ({"table": [["6S", "7S"]]}, "table[0]"),
        ({"discard_pile": []}, "discard_pile"),
        ({"named_suit": "S"}, "named_suit"),
        ({"score": 1}, "score"),
        ({"talon": None}, "talon"),
    ],
)
def test_fields_of_a_wrong_kind_are_named(changes: dict[str, Any], field: str) -> None:
    assert faults(position(*TWO) | changes) == {field}


@pytest.mark.parametrize("body", [None, [], "x", 7])
def test_a_position_is_an_object(body: Any) -> None:
    assert faults(body) == {"position"}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        (position("", "7S"), "attacker"),
        (position("6S", ""), "defender"),
        (position("6S", "", "7S", talon="8H"), "defender"),
        (position("", "6S", "7S", talon="8H"), "attacker"),
        (position("6S", "7S", "8S", out_in_order=[2]), "out_in_order"),
        (position("", "7S", "8S"), "attacker"),
        (position("6S", "", "8S", defender=1), "defender"),
        (position("6S", "7S", "8S", defender=0), "defender"),
        (position("6S", "7S", "8S", defender=2), "defender"),
        (position(*FOUR, passed=[0]), "passed"),
        (position(*FOUR, table=pairs("TS"), passed=[0]), "passed"),
        (position(*FOUR, table=pairs("TS/JS"), passed=[1]), "passed"),
        (position(*TWO, talon="9H 8H", turn_up="9H"), "turn_up"),
        (position(*TWO, turn_up="9H"), "turn_up"),
        (position(*TWO, table=pairs("TS/9S")), "table"),
        (position(*TWO, table=pairs("TH/JS")), "table"),
        (position(*TWO, table=pairs("TS TC TD TH")), "table"),
        (position(*FOUR, table=pairs("TS"), emptied=[2]), "emptied"),
    ],
)
def test_positions_that_no_game_could_be_in(body: Any, field: str) -> None:
    assert faults(body) == {field}


def test_more_cards_than_the_first_limit_allows_cannot_lie_there() -> None:
    body = position("6S", "7S 8S 9S 6C 7C 8C", table=pairs("TS/JS TC/JC TD/JD JH/QH QS/KS QD"))
    assert read(body, first_attack_limit=6)
    assert faults(body, first_attack_limit=5) == {"table"}


def test_seats_without_cards_are_out_once_nothing_can_be_drawn() -> None:
    state = read(position("6S", "", "8S", "9S"))
    assert (state.out, state.defender) == ((1,), 2)
    assert read(position("6S", "7S", "", talon="8H")).out == ()


def test_during_a_bout_they_are_still_in_it() -> None:
    state = read(position("", "7S", "", "9S", table=pairs("TS")))
    assert (state.out, state.emptied) == ((), (0, 2))
    state = read(position("", "7S", "", "9S", table=pairs("TS"), emptied=[2, 0]))
    assert state.emptied == (2, 0)


def test_the_limit_counts_what_the_defender_held_when_the_bout_came_to_him() -> None:
    state = read(position("6S", "7S 8S", table=pairs("TS/JS TC")))
    assert state.limit == 3


@pytest.mark.parametrize("draw", [True, False])
def test_a_finished_position_stays_finished(draw: bool) -> None:
    ending = {"draw": True} if draw else {"durak": 1, "out_in_order": [0]}
    body = position("", "" if draw else "7S", game_over=True, **ending)
    state, listing = read_position(ruleset("throw_in").rules, body)
    assert (state.phase, state.to_act) == ("finished", ())
    assert engine.legal_moves(state, 0) == ()
    written = write_position(state, listing)
    assert (written["game_over"], written["draw"]) == (True, draw)
    assert written["durak"] == (None if draw else 1)
    assert read_position(ruleset("throw_in").rules, written) == (state, listing)


def test_what_is_written_is_read_as_the_same_position() -> None:
    body = position(
        *FOUR,
        talon="TC 7H",
        table=pairs("TS/JS"),
        passed=[0],
        dealer=3,
        discard_count=4,
        lowest_trump_owner=2,
    )
    state, listing = read_position(ruleset("throw_in").rules, body)
    written = write_position(state, listing)
    assert written.items() >= body.items()
    assert read_position(ruleset("throw_in").rules, written) == (state, listing)


def test_a_position_keeps_the_order_in_which_hands_are_listed() -> None:
    body = position("KD 6S 9D", "7S")
    _, listing = read_position(ruleset("throw_in").rules, body)
    assert listing[0] == ["KD", "6S", "9D"]


def test_who_takes_still_takes_when_the_position_is_read_again() -> None:
    state = play(table(*FOUR), (0, attack("6S")), (1, TAKE))
    listing = [list(to_cards(hand)) for hand in state.hands]
    again, _ = read_position(state.rules, write_position(state, listing))
    assert (again.phase, again.to_act, again.limit) == ("take", (0,), state.limit)


def test_a_card_lies_open_only_where_the_ruleset_has_one() -> None:
    body = position(*TWO, talon="TC 7H", trump="D")
    assert read(body).turn_up == "7H"
    assert read(body, "throw_in.japanese").turn_up is None
    assert read(body, "throw_in.japanese_drawn_diamond").turn_up is None
    body = position(*TWO, talon="TC 7D", trump="D")
    assert read(body, "throw_in.japanese_drawn_diamond").turn_up == "7D"


def test_a_draw_has_the_winner_that_it_names_and_no_other() -> None:
    body = position("", "", game_over=True, draw=True, out_in_order=[0, 1])
    state, listing = read_position(ruleset("throw_in").rules, body)
    assert write_position(state, listing)["winner"] is None
    state, listing = read_position(ruleset("throw_in").rules, body | {"winner": 0})
    assert write_position(state, listing)["winner"] == 0


def test_who_was_caught_is_not_taken_for_one_who_passed() -> None:
    options = {"enforcement": "catchable"}
    body = position(*FOUR, table=pairs("TS/JS"), barred=[0], to_act=[2])
    state = read(body, **options)
    assert (state.passed, state.to_act) == ((), (2,))


def test_a_seat_that_is_caught_twice_is_barred_once() -> None:
    options = {"enforcement": "catchable"}
    state = table("6S 9D KD AC", "7S 8C QC TC", "9S 9C", options=options)
    state = play(state, (0, attack("6S")), (1, TAKE), (0, throw_in("9D KD")))
    state = play(state, *((2, Move("call", cards=(card,))) for card in ("9D", "KD")))
    assert state.barred == (0,)
    written = write_position(state, [to_cards(hand) for hand in state.hands])
    assert read(written, **options).barred == (0,)


CALLED = {"enforcement": "catchable"}
LAID = {"table": pairs("6C/9S TD"), "attacker": 0}


@pytest.mark.parametrize(
    ("play", "field"),
    [
        ({"seat": 5, "card": "9S", "target": "6C", "wrong": True}, "plays[0].seat"),
        ({"seat": 0, "card": "9S", "target": "6C", "wrong": True}, "plays[0]"),
        ({"seat": 1, "card": "9S", "target": "6C"}, "plays[0]"),
        ({"seat": 1, "card": "9S", "target": "TD", "wrong": True}, "plays[0]"),
        ({"seat": 0, "card": "8S", "wrong": True}, "plays[0]"),
        ({"seat": 0, "card": "2D", "wrong": True}, "plays[0]"),
        ({"seat": 1, "card": "TD", "wrong": True}, "plays[0]"),
    ],
)
def test_what_can_be_called_lies_on_the_table_as_it_was_played(
    play: dict[str, Any], field: str
) -> None:
    body = position("7H", "8S", "KC") | LAID | {"plays": [play]}
    assert field in faults(body, **CALLED)


def test_a_play_is_named_once() -> None:
    wrong = {"seat": 1, "card": "9S", "target": "6C", "wrong": True}
    body = position("7H", "8S", "KC") | LAID
    assert read(body | {"plays": [wrong]}, **CALLED).plays[0].wrong
    assert faults(body | {"plays": [wrong, wrong]}, **CALLED) == {"plays"}


@pytest.mark.parametrize("field", ["plays", "barred"])
def test_where_moves_are_checked_nothing_can_be_called(field: str) -> None:
    value: Any = [2] if field == "barred" else [{"seat": 1, "card": "9S", "target": "6C"}]
    body = position("7H", "8S", "KC") | {"table": pairs("6C/9C")}
    assert faults(body | {field: value}) == {field}


@pytest.mark.parametrize(
    ("ruleset_id", "options", "changes", "field"),
    [
        ("throw_in.japanese", {}, {"trump": "H"}, "trump"),
        ("throw_in", {}, {"trump": None}, "trump"),
        ("throw_in.japanese", {}, {"trump": "D", "talon": ["9D"], "turn_up": "9D"}, "turn_up"),
        ("throw_in.full_deal", {}, {"talon": ["9D"]}, "talon"),
        ("throw_in", {}, {"talon": ["9D"], "out_in_order": [2]}, "out_in_order"),
        ("throw_in", {}, {"discard_count": 3}, "discard_count"),
        ("throw_in", {}, {"discard_count": 36}, "discard_count"),
        ("throw_in", {}, {"discard_count": 2, "first_bout": True}, "first_bout"),
        ("throw_in", {"teams": "pairs"}, {}, "hands"),
        ("partners", {}, {}, "hands"),
        ("proyezdnoy", {}, {"table": pairs("6C"), "shown": ["6D"]}, "shown"),
        ("throw_in", {}, {"game_over": True, "phase": "attack", "durak": 0}, "phase"),
        ("throw_in", {}, {"game_over": True, "durak": 0, "draw": True}, "draw"),
        ("throw_in", {}, {"game_over": True}, "draw"),
    ],
)
def test_what_the_rules_never_bring_about_is_refused(
    ruleset_id: str, options: dict[str, Any], changes: dict[str, Any], field: str
) -> None:
    body = position("6S", "7S", "") | changes
    assert field in faults(body, ruleset_id, **options)


def test_who_may_act_at_any_time_is_named_in_any_order() -> None:
    body = position("7H 9D", "8S TS", "KC") | {"table": pairs("6C")}
    for order in ([1, 0, 2], [0, 2, 1], [2, 1, 0]):
        state = read(body | {"to_act": order}, throw_in_timing="anytime")
        assert set(state.to_act) == {0, 1, 2}
        assert state.passed == ()
