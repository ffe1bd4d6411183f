"""What greedy does in shedding games where the right thing is plain."""

import random
from typing import Any

import pytest

from bots.arena import duel
from bots.brains import brain_get
from bots.brains.patterns import safe_move
from bots.brains.shedding import cost, harm, rules_of
from games.rules.rulesets.registry import ruleset, ruleset_ids
from games.rules.rulesets.schema import SheddingRules

SEATS = [{"seat": 0, "hand_count": 3}, {"seat": 1, "hand_count": 5}]
SUITS = ["S", "H", "D", "C"]


def choose(hand: str, *patterns: dict[str, Any], **more: Any) -> dict[str, Any]:
    view = {"ruleset": "mau_mau", "top_card": "KD", "named_suit": None, "seats": SEATS} | more
    shown = view | {"you": {"seat": 0, "hand": hand.split(), "legal_moves": list(patterns)}}
    return brain_get("greedy").brain.choose(shown, (), random.Random(1), 1)


def play(*cards: str, most: int = 1, **more: Any) -> dict[str, Any]:
    return {"type": "play", "cards": list(cards), "min": most, "max": most, **more}


NAMING = {"suits": SUITS, "suit_required": False}


def test_lays_the_dearest_card() -> None:
    assert choose("8D TD 9S", play("8D", "TD"))["cards"] == ["TD"]


def test_lays_what_it_can_follow_itself() -> None:
    assert choose("9D 9S 9H TD", play("9D", "TD"))["cards"] == ["9D"]


def test_strikes_who_is_nearly_out() -> None:
    nearly = [{"seat": 0, "hand_count": 3}, {"seat": 1, "hand_count": 1}]
    assert choose("7D TD 9S", play("7D", "TD"), seats=nearly)["cards"] == ["7D"]


NEARLY_OUT = [{"seat": 0, "hand_count": 3}, {"seat": 1, "hand_count": 1}]


@pytest.mark.parametrize(
    ("ruleset_id", "hand", "laid"),
    [
        ("mau_mau", "6D TD 8D", "6D"),
        ("mau_mau_32", "8D TD 9D", "8D"),
        ("japanese_shedding", "TD 6D 7D", "7D"),
        ("mau_mau", "TD 6D 7D", "6D"),
        ("crocodile", "KH AH TH", "KH"),
        ("mau_mau", "KH AH TH", "AH"),
        ("hundred_one", "KS AS TS", "KS"),
        ("english_durak", "AD 6D TD", "6D"),
    ],
)
def test_strikes_with_the_cards_that_strike_in_this_game(
    ruleset_id: str, hand: str, laid: str
) -> None:
    answer = choose(hand, play(*hand.split()), ruleset=ruleset_id, seats=NEARLY_OUT)
    assert answer["cards"] == [laid]


def test_strikes_by_what_the_table_agreed() -> None:
    agreed = {"effects": {"9": {"draw": 3, "skip": 0}}}
    for options, laid in (({}, "6D"), (agreed, "9D")):
        answer = choose("6D 9D TD", play("6D", "9D", "TD"), options=options, seats=NEARLY_OUT)
        assert answer["cards"] == [laid]


def test_parts_with_what_counts_most_in_this_game() -> None:
    assert choose("9D KD 8D", play("9D", "KD"))["cards"] == ["9D"]
    assert choose("9D KD 8D", play("9D", "KD"), ruleset="pentagon")["cards"] == ["KD"]
    assert choose("9D 8D JC", play("8D", "9D"), ruleset="hundred_one")["cards"] == ["8D"]


@pytest.mark.parametrize(
    ("ruleset_id", "card", "harms", "costs"),
    [
        ("mau_mau", "6S", 3, 6),
        ("mau_mau_32", "6S", 0, 6),
        ("japanese_shedding", "7S", 3, 0),
        ("english_durak", "AS", 0, 11),
        ("pentagon", "QS", 0, 20),
        ("hundred_one", "9S", 0, 0),
    ],
)
def test_harm_and_cost_are_the_rulesets(ruleset_id: str, card: str, harms: int, costs: int) -> None:
    rules = rules_of({"ruleset": ruleset_id, "options": {}})
    assert (harm(rules, card), cost(rules, card)) == (harms, costs)


@pytest.mark.parametrize(
    "view",
    [
        {},
        {"ruleset": "of_tomorrow", "options": {"wild": "K"}},
        {"ruleset": "mau_mau", "options": {"wild": "K"}},
        {"ruleset": "throw_in", "options": {}},
    ],
)
def test_rules_that_nobody_knows_are_those_of_mau_mau(view: dict[str, Any]) -> None:
    assert rules_of(view) == SheddingRules()


def test_keeps_the_card_that_names_a_suit_while_another_fits() -> None:
    answer = choose("QS 9D", play("9D"), play("QS", **NAMING))
    assert answer == {"type": "play", "cards": ["9D"]}


def test_names_the_suit_that_it_holds_most() -> None:
    answer = choose("QS 9C 8C 7H", play("QS", **NAMING), {"type": "draw"})
    assert answer == {"type": "play", "cards": ["QS"], "suit": "C"}
    opened = {"type": "name_suit", "suits": SUITS, "suit_required": True}
    assert choose("9H 8H 7C", opened) == {"type": "name_suit", "suit": "H"}


def test_lays_as_many_aces_as_go() -> None:
    aces = play("AD", "AS", "AC", most=3, first=["AD"])
    assert choose("AD AS AC 9D", play("AD", "9D"), aces)["cards"] == ["AD", "AS", "AC"]


def test_draws_before_it_passes() -> None:
    assert choose("9C", {"type": "draw"}) == {"type": "draw"}
    assert choose("9C", {"type": "pass"}) == {"type": "pass"}


def test_the_safe_move_draws_and_then_passes() -> None:
    """X01."""
    view = {"top_card": "KD", "you": {"legal_moves": [play("QS", **NAMING), {"type": "draw"}]}}
    assert safe_move(view) == {"type": "draw"}
    view = {"top_card": "KD", "you": {"legal_moves": [play("9D"), {"type": "pass"}]}}
    assert safe_move(view) == {"type": "pass"}
    view = {"top_card": "KD", "you": {"legal_moves": [play("9D", "6D")]}}
    assert safe_move(view) == {"type": "play", "cards": ["6D"]}


@pytest.mark.parametrize("ruleset_id", ruleset_ids("shedding"))
def test_beats_random_in_every_shedding_game(ruleset_id: str) -> None:
    greedy, chance = brain_get("greedy").brain, brain_get("random").brain
    score = duel(greedy, chance, pairs=30, rules=ruleset(ruleset_id, players=2))
    assert score.share - score.margin > 0.45
