"""The shape of a move, before any rule is looked at."""

from typing import Any

import pytest

from games.rules import engine
from games.rules.errors import MalformedMove
from games.rules.moves import SHAPES, Move, parse_move
from tests.rules.tables import refusal, table


def faults(body: Any) -> dict[str, str]:
    with pytest.raises(MalformedMove) as raised:
        parse_move("bout", body)
    assert all(reason for reason in raised.value.errors.values())
    return raised.value.errors


@pytest.mark.parametrize(
    ("body", "move"),
    [
        ({"type": "attack", "cards": ["6S", "6c"]}, Move("attack", cards=("6S", "6C"))),
        ({"type": "attack", "card": "10d"}, Move("attack", cards=("TD",))),
        ({"type": "attack", "slots": [0, 3]}, Move("attack", slots=(0, 3))),
        ({"type": "attack", "slot": 0}, Move("attack", slots=(0,))),
        ({"type": "attack", "cards": []}, Move("attack")),
        ({"type": "throw_in", "cards": ["6S", "6S"]}, Move("throw_in", cards=("6S", "6S"))),
        ({"type": "transfer", "cards": ["2S"]}, Move("transfer", cards=("2S",))),
        (
            {"type": "beat", "target": "6s", "card": "7S"},
            Move("beat", cards=("7S",), target="6S"),
        ),
        ({"type": "beat", "target": "6S", "cards": ["7S"]}, Move("beat", ("7S",), (), "6S")),
        ({"type": "show_trump", "card": "6H"}, Move("show_trump", cards=("6H",))),
        ({"type": "call", "card": "6H"}, Move("call", cards=("6H",))),
        ({"type": "take"}, Move("take")),
        ({"type": "pass", "cards": None, "target": None}, Move("pass")),
        ({"type": "exchange_trump"}, Move("exchange_trump")),
    ],
)
def test_a_move_is_read(body: dict[str, Any], move: Move) -> None:
    assert parse_move("bout", body) == move


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "type"),
        ({"type": None}, "type"),
        ({"type": "fly"}, "type"),
        ({"type": "play", "cards": ["6S"]}, "type"),
        ({"type": "draw"}, "type"),
        ({"type": "attack"}, "cards"),
        ({"type": "attack", "cards": "6S"}, "cards"),
        ({"type": "attack", "cards": ["6S", 7]}, "cards"),
        ({"type": "attack", "cards": ["??"]}, "cards"),
        ({"type": "attack", "cards": ["6S"], "card": "6S"}, "cards"),
        ({"type": "attack", "cards": ["6S"], "slots": [0]}, "cards"),
        ({"type": "attack", "cards": ["6S"] * 53}, "cards"),
        ({"type": "attack", "slots": ["0"]}, "slots"),
        ({"type": "attack", "slot": 1.5}, "slot"),
        ({"type": "attack", "cards": ["6S"], "target": "6S"}, "target"),
        ({"type": "attack", "cards": ["6S"], "suit": "S"}, "suit"),
        ({"type": "attack", "cards": ["6S"], "note": 1}, "note"),
        ({"type": "beat", "card": "7S"}, "target"),
        ({"type": "beat", "target": "6S"}, "cards"),
        ({"type": "beat", "target": "6S", "cards": ["7S", "8S"]}, "cards"),
        ({"type": "beat", "target": "??", "card": "7S"}, "target"),
        ({"type": "beat", "target": 6, "card": "7S"}, "target"),
        ({"type": "take", "cards": ["6S"]}, "cards"),
        ({"type": "pass", "suit": "X"}, "suit"),
        ({"type": "exchange_trump", "card": "6H"}, "cards"),
        ("attack", "move"),
        (None, "move"),
        ([], "move"),
        (7, "move"),
    ],
)
def test_a_fault_names_its_field(body: Any, field: str) -> None:
    assert field in faults(body)


def test_every_fault_is_named_at_once() -> None:
    assert faults({"type": "take", "cards": [], "target": "6S", "suit": "S"}).keys() == {
        "cards",
        "target",
        "suit",
    }


def test_the_error_says_what_is_wrong_in_words() -> None:
    with pytest.raises(MalformedMove, match="target: required"):
        parse_move("bout", {"type": "beat", "card": "7S"})


def test_every_move_of_the_family_can_be_read() -> None:
    bodies = {
        name: {"type": name, "cards": ["6S"]} if shape.cards else {"type": name}
        for name, shape in SHAPES["bout"].items()
    }
    bodies["beat"]["target"] = "6S"
    assert {parse_move("bout", body).type for body in bodies.values()} == set(SHAPES["bout"])


def test_D_order_repeated_empty_and_foreign_cards_are_refused_by_the_rules_not_the_shape() -> None:
    state = table("6S 7S", "8S 9S", talon="")
    for sent, reason in (
        (["6S", "6S"], "duplicate_card"),
        ([], "no_cards"),
        (["2S"], "card_not_in_hand"),
    ):
        assert refusal(state, 0, parse_move("bout", {"type": "attack", "cards": sent})) == reason


def test_slots_are_not_read_where_cards_are_seen() -> None:
    with pytest.raises(MalformedMove, match="by face"):
        engine.decide(table("6S", "7S"), 0, Move("attack", slots=(0,)))
