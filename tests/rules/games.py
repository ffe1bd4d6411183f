"""Whole random games for the tests of notations: every ruleset, and what presets do not reach."""

import hashlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from games.rules import engine
from games.rules.errors import InvalidOptions
from games.rules.events import Event
from games.rules.rulesets.registry import Ruleset, players_range, ruleset
from games.rules.shuffle import Entropy
from games.rules.state import State
from tests.soak.play import steps
from tests.soak.tables import Table

# What no preset has, or seldom comes up without some help.
THEMES: list[tuple[str, dict[str, Any]]] = [
    ("throw_in", {"enforcement": "catchable"}),
    ("transfer", {"enforcement": "catchable", "throw_in_timing": "anytime"}),
    ("transfer_article", {"enforcement": "catchable"}),
    ("throw_in", {"throw_in_timing": "anytime"}),
    ("online_transfer", {"throw_in_timing": "anytime", "throw_in_scope": "neighbours"}),
    ("transfer.face_out", {"throw_in_timing": "anytime", "throw_in_batch": "many"}),
    ("throw_in", {"trump_exchange": "six_for_any"}),
    ("throw_in.japanese_drawn_diamond", {"trump_exchange": "six_for_any", "deck_size": 52}),
    ("throw_in", {"self_only_suit": "S", "redeal_on_bad_hand": "five_of_suit"}),
    ("transfer", {"no_trump_first": "redeal", "deck_size": 24, "hand_size": 4}),
    ("proyezdnoy", {"deck_size": 24, "hand_size": 4, "lead_max_cards": 1}),
    ("transfer", {"teams": "pairs"}),
    ("throw_in", {"teams": "triples", "draw_allowed": False}),
    ("simple", {"epaulettes": True, "hand_size": 4}),
    ("throw_in", {"trump_source": "none", "first_attacker": "random", "hand_size": 8}),
    ("throw_in.face_out", {"max_moves": 25}),
    ("simple.full_deal", {"deck_size": 24, "repetition_draw": 2}),
    ("mau_mau", {"recycle": "shuffle", "starter": "deck_top", "deal": 7}),
    ("pentagon", {"recycle": "shuffle", "draw_until_recycles": True, "max_moves": 300}),
    ("hundred_one", {"stacking": "same_rank", "multi_play": {"A": [3, 4], "6": [2]}}),
    ("japanese_shedding", {"stacking": "same_rank", "recycle": "shuffle", "deck_size": 52}),
    ("english_durak", {"end": "last_holder", "drawn_card": "may_play"}),
    ("mau_mau_jacks", {"order_skips_next": True, "wild_blocked_on": ["7", "K"]}),
]


class Played(NamedTuple):
    """A whole game: the states after each move (the first is that of the deal), and its events."""

    rules: Ruleset
    states: list[State]
    events: tuple[Event, ...]


def played(
    rules: Ruleset, seats: int, seed: str, previous: engine.Previous | None = None
) -> Played:
    """A random game to its end; the seed decides all of it."""
    number = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:6], "big")
    entropy = Entropy(hashlib.sha256(seed.encode()).digest(), seed, (b"",) * seats)
    events = engine.start(rules.rules, seats, entropy, previous)
    states = [engine.fold(engine.empty_state(rules.rules, seats), events)]
    for step in steps(Table(number, rules, seats, entropy, 0.2), states[0]):
        states.append(step.after)
        events += step.events
    return Played(rules, states, events)


def preset_game(ruleset_id: str, seats: int) -> Played:
    """A game of a preset as it stands."""
    low, high = players_range(ruleset(ruleset_id).rules)
    seats = min(max(seats, low), high)
    return played(ruleset(ruleset_id, players=seats), seats, f"{ruleset_id} {seats}")


def themes() -> Iterator[tuple[str, dict[str, Any], int]]:
    """Every theme with every number of seats that it allows."""
    for name, options in THEMES:
        for seats in range(2, 7):
            if _goes_together(name, options, seats):
                yield name, options, seats


def _goes_together(name: str, options: dict[str, Any], seats: int) -> bool:
    try:
        ruleset(name, options, seats)
    except InvalidOptions:
        return False
    return True
