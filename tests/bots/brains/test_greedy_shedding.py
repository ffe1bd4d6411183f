"""What greedy does in shedding games where the right thing is plain."""

import random
from typing import Any

from bots.arena import duel
from bots.brains import brain_get
from bots.brains.patterns import safe_move
from bots.brains.shedding import prices
from games.rules.rulesets.registry import ruleset

SEATS = [{"seat": 0, "hand_count": 3}, {"seat": 1, "hand_count": 5}]
SUITS = ["S", "H", "D", "C"]


def choose(hand: str, *patterns: dict[str, Any], **more: Any) -> dict[str, Any]:
    view = {"top_card": "KD", "named_suit": None, "seats": SEATS} | more
    shown = view | {"you": {"seat": 0, "hand": hand.split(), "legal_moves": list(patterns)}}
    return brain_get("greedy").brain.choose(shown, (), random.Random(1), 1)


def play(*cards: str, most: int = 1, **more: Any) -> dict[str, Any]:
    return {"type": "play", "cards": list(cards), "min": most, "max": most, **more}


NAMING = {"suits": SUITS, "suit_required": False}


def test_lays_the_dearest_card() -> None:
    assert choose("6D TD 9S", play("6D", "TD"))["cards"] == ["TD"]


def test_lays_what_it_can_follow_itself() -> None:
    assert choose("9D 9S 9H TD", play("9D", "TD"))["cards"] == ["9D"]


def test_strikes_who_is_nearly_out() -> None:
    nearly = [{"seat": 0, "hand_count": 3}, {"seat": 1, "hand_count": 1}]
    assert choose("7D TD 9S", play("7D", "TD"), seats=nearly)["cards"] == ["7D"]


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


def test_beats_random_in_mau_mau() -> None:
    greedy, chance = brain_get("greedy").brain, brain_get("random").brain
    score = duel(greedy, chance, pairs=30, rules=ruleset("mau_mau", players=2))
    assert score.share > 0.6


def test_each_ruleset_has_its_own_prices() -> None:
    priced = {
        name: prices({"ruleset": name, "options": {}, "seats": SEATS})
        for name in ("mau_mau", "crocodile", "hundred_one")
    }
    usual = priced["mau_mau"].striking
    assert {card[0] for card in usual} == {"6", "7", "A"}
    assert priced["crocodile"].striking - usual == {"KH"}
    assert priced["hundred_one"].striking - usual == {"KS"}
    own = prices({"ruleset": "mau_mau", "options": {"points": {"K": 50}}, "seats": SEATS})
    assert (own.costs["KS"], priced["mau_mau"].costs["KS"]) == (50, 4)
