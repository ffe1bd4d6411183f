"""What greedy does where the right thing is plain."""

import random
from typing import Any

import pytest

from bots.brains import brain_get

HEARTS = {"trump": "H", "talon_count": 10, "phase": "defend", "table": []}


def choose(patterns: list[dict[str, Any]], **view: Any) -> dict[str, Any]:
    shown = HEARTS | view | {"you": {"seat": 0, "hand": [], "legal_moves": patterns}}
    return brain_get("greedy").brain.choose(shown, (), random.Random(1), 1)


def cards(kind: str, *listed: str, most: int = 1, **more: Any) -> dict[str, Any]:
    return {"type": kind, "cards": list(listed), "min": 1, "max": most, **more}


def test_leads_all_plain_cards_of_the_lowest_rank() -> None:
    moves = [
        cards("attack", "9C"),
        cards("attack", "7S", "7H", "7D", most=3),
        cards("attack", "6H"),
    ]
    assert choose(moves) == {"type": "attack", "cards": ["7S", "7D"]}


def test_leads_its_lowest_trump_when_it_holds_nothing_else() -> None:
    moves = [cards("attack", "9H"), cards("attack", "8H")]
    assert choose(moves) == {"type": "attack", "cards": ["8H"]}


def test_beats_with_the_cheapest_card_plain_before_trump() -> None:
    moves = [cards("beat", "6H", "QC", "9C", target="8C"), {"type": "take"}]
    table = [{"attack": "8C", "beat": None}]
    assert choose(moves, table=table) == {"type": "beat", "target": "8C", "cards": ["9C"]}


def test_spares_the_only_answer_to_another_card() -> None:
    moves = [
        cards("beat", "9C", "TC", target="8C"),
        cards("beat", "9C", target="7C"),
        {"type": "take"},
    ]
    table = [{"attack": "8C", "beat": None}, {"attack": "7C", "beat": None}]
    assert choose(moves, table=table) == {"type": "beat", "target": "7C", "cards": ["9C"]}


@pytest.mark.parametrize(
    "moves",
    [
        [cards("beat", "9C", target="8C"), {"type": "take"}],
        [cards("beat", "9C", target="8C"), cards("beat", "9C", target="7C"), {"type": "take"}],
    ],
)
def test_takes_at_once_when_one_card_must_stay_open(moves: list[dict[str, Any]]) -> None:
    table = [{"attack": "8C", "beat": None}, {"attack": "7C", "beat": None}]
    assert choose(moves, table=table) == {"type": "take"}


@pytest.mark.parametrize(("talon", "answer"), [(12, "take"), (0, "beat")])
def test_a_high_trump_is_too_dear_only_while_there_is_much_to_draw(talon: int, answer: str) -> None:
    moves = [cards("beat", "AH", target="8C"), {"type": "take"}]
    table = [{"attack": "8C", "beat": None}]
    assert choose(moves, table=table, talon_count=talon)["type"] == answer


def test_beats_what_it_can_where_taking_is_not_allowed() -> None:
    moves = [cards("beat", "AH", target="8C")]
    table = [{"attack": "8C", "beat": None}]
    assert choose(moves, table=table)["cards"] == ["AH"]


def test_transfers_with_a_plain_card_never_with_a_trump() -> None:
    beat, take = cards("beat", "9C", target="8C"), {"type": "take"}
    table = [{"attack": "8C", "beat": None}]
    plain = [beat, cards("transfer", "8H", "8D", most=2), take]
    trump = [beat, cards("transfer", "8H"), take]
    assert choose(plain, table=table) == {"type": "transfer", "cards": ["8D"]}
    assert choose(trump, table=table)["type"] == "beat"


@pytest.mark.parametrize(("talon", "thrown"), [(4, ["8C", "9D"]), (0, ["8C", "9D", "8H"])])
def test_throws_in_trumps_only_when_nothing_is_left_to_draw(talon: int, thrown: list[str]) -> None:
    moves = [cards("throw_in", "8C", "8H", "9D", most=3), {"type": "pass"}]
    assert choose(moves, talon_count=talon) == {"type": "throw_in", "cards": thrown}


def test_passes_when_only_a_trump_could_be_thrown_in() -> None:
    assert choose([cards("throw_in", "8H"), {"type": "pass"}]) == {"type": "pass"}


@pytest.mark.parametrize(
    ("offered", "made"),
    [
        (("attack",), "attack"),
        (("throw_in", "pass"), "pass"),
        (("beat", "transfer", "take"), "beat"),
    ],
)
def test_with_a_hand_that_only_others_see_nothing_is_thrown_in(
    offered: tuple[str, ...], made: str
) -> None:
    slots = {"slots": ["s3", "s5"], "min": 1, "max": 1}
    moves = [{"type": name} | ({} if name in {"take", "pass"} else slots) for name in offered]
    answer = choose(moves)
    assert answer["type"] == made
    assert answer.get("slots", ["s3"]) == ["s3"]
