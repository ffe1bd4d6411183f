"""In which order a shedding move is judged, and what no refusal tells."""

import pytest

from games.rules import engine
from games.rules.errors import MalformedMove
from games.rules.moves import Move, parse_move
from tests.rules.piles import DRAW, PASS, lay, name, table, told
from tests.rules.tables import refusal

JAPANESE = {"ruleset_id": "japanese_shedding"}
OPENED = {"starter": "deck_top"}


def test_D_order_after_the_end_nothing_else_is_looked_at() -> None:
    state, _ = told(table("8D", "8C 9H"), (0, lay("8D")))
    for seat, move in ((1, lay("")), (0, DRAW), (1, PASS), (1, name("H"))):
        assert refusal(state, seat, move) == "game.over"


@pytest.mark.parametrize("move", [lay(""), lay("9S 9S"), lay("AC"), DRAW, PASS, name(None)])
def test_D_order_the_turn_comes_first(move: Move) -> None:
    state = table("9D 8H", "8C 9H", **JAPANESE)
    assert refusal(state, 1, move) == "not_your_turn"


def test_D_order_then_the_phase_before_the_cards() -> None:
    assert refusal(table("9D 8H", "8C 9H"), 0, name(None)) == "wrong_phase"
    state = table("9S 8H", "QD", pile="QH", dealer=0, phase="name_suit", options=OPENED)
    assert refusal(state, 0, lay("")) == "wrong_phase"
    assert refusal(state, 0, DRAW) == "wrong_phase"
    assert refusal(state, 0, PASS) == "wrong_phase"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no_cards"),
        ("9S 9S", "duplicate_card"),
        ("9S AC", "card_not_in_hand"),
        ("AC AC", "duplicate_card"),
        ("7S 9S", "multi_not_allowed"),
        ("7S 9S TS", "ranks_differ"),
        ("9S 9H 9C", "multi_not_allowed"),
        ("9S", "no_match"),
        ("QS", "wild_not_allowed"),
    ],
)
def test_D_order_cards_then_their_number_then_the_match(text: str, reason: str) -> None:
    state = table("9S 9H 9C 7S TS QS 8D", "8C", **JAPANESE)
    assert refusal(state, 0, lay(text, "H")) == reason


def test_D_order_the_drawn_card_before_number_and_match_and_the_suit_last() -> None:
    state, _ = told(table("9S 9H 9C", "8C", talon="9D TC", **JAPANESE), (0, DRAW))
    assert refusal(state, 0, lay("9S 9H")) == "only_drawn_card"
    assert refusal(state, 0, lay("9D 9S 9H")) == "multi_not_allowed"
    assert refusal(state, 0, lay("9D", "H")) == "suit_not_allowed"
    held = table("9S 9D", "8C", **JAPANESE)
    assert refusal(held, 0, lay("9S", "H")) == "no_match"


@pytest.mark.parametrize("card", ["TC", "8C", "QH"])
def test_W10_a_card_not_held_is_refused_alike_wherever_it_is(card: str) -> None:
    state = table("9D 8H", "8C 9H", talon="TC JC", **JAPANESE)
    assert refusal(state, 0, lay(card)) == "card_not_in_hand"


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"type": "attack", "cards": ["9D"]}, "type"),
        ({"type": "take"}, "type"),
        ({"type": "draw", "cards": ["9D"]}, "cards"),
        ({"type": "pass", "suit": "H"}, "suit"),
        ({"type": "play", "cards": ["9D"], "suit": "X"}, "suit"),
        ({"type": "play", "cards": ["9D"], "target": "8C"}, "target"),
        ({"type": "play"}, "cards"),
        ({"type": "name_suit", "cards": ["9D"], "suit": "H"}, "cards"),
    ],
)
def test_D_order_a_move_that_cannot_be_read_is_no_refusal(body: object, field: str) -> None:
    with pytest.raises(MalformedMove) as raised:
        parse_move("shedding", body)
    assert field in raised.value.errors


def test_D_order_cards_are_named_by_face() -> None:
    move = parse_move("shedding", {"type": "play", "slot": 0})
    with pytest.raises(MalformedMove) as raised:
        engine.decide(table("9D 8H", "8C 9H"), 0, move)
    assert raised.value.errors.keys() == {"slots"}


def test_moves_are_read_as_they_are_sent() -> None:
    body = {"type": "play", "card": "10d", "suit": "H"}
    assert parse_move("shedding", body) == lay("TD", "H")
    assert parse_move("shedding", {"type": "name_suit", "suit": "S"}) == name("S")
    assert parse_move("shedding", {"type": "draw"}) == DRAW
