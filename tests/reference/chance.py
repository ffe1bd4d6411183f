"""Chance for the comparison: which game is played, and moves that are mostly refused."""

import random
from collections.abc import Sequence
from typing import Any

from games.rules.errors import InvalidOptions
from games.rules.rulesets.registry import Ruleset, ruleset, ruleset_ids
from tests.reference.cards import RANKS, SUITS
from tests.reference.table import Table

PACK = [rank + suit for rank in RANKS for suit in SUITS]
VALUES: dict[str, list[Any]] = {
    "deck_size": [24, 32, 36, 52],
    "hand_size": [4, 5, 6, 7, 8],
    "deal_mode": ["talon", "full"],
    "trump_source": ["turn_up", "last_dealt", "fixed_suit", "draw_until_suit", "none"],
    "trump_suit": ["S", "H", "D", "C"],
    "self_only_suit": ["S", "H", "D", "C", None],
    "self_only_suit_is_trump": ["redraw", "rule_off"],
    "lowest_trump_beats_trump_ace": [True],
    "redeal_on_bad_hand": ["five_of_suit"],
    "first_attacker": ["lowest_trump", "random", "dealer_left"],
    "next_first_attacker": ["lowest_trump", "previous_winner"],
    "lead_max_cards": [1, 2, 3, 4],
    "throw_in": ["never", "on_take", "always"],
    "throw_in_scope": ["leader", "neighbours", "all"],
    "throw_in_timing": ["after_all_beaten", "anytime"],
    "throw_in_batch": ["one", "many"],
    "throw_in_ranks": ["lead", "table"],
    "attack_limit": [1, 2, 3, 5, 6, 8, None],
    "first_attack_limit": [1, 2, 4, 5],
    "first_limit_scope": ["first_bout", "until_first_discard"],
    "must_defend_if_able": [True],
    "transfer": [True],
    "transfer_first_bout": [False, True],
    "transfer_multi": [False, True],
    "transfer_by_showing_trump": [True],
    "trump_exchange": ["six_for_ace", "six_for_any"],
    "refill_order": ["leader_clockwise_defender_last", "clockwise_from_leader"],
    "draw_allowed": [False],
    "face_out": [True],
    "enforcement": ["catchable"],
    "teams": ["pairs", "triples"],
    "epaulettes": [True],
    "repetition_draw": [2, 3, None],
    "max_moves": [10, 25, 60, 300],
}
# What would seldom come up among so many options.
THEMES: list[dict[str, Any]] = [
    {"enforcement": "catchable"},
    {"enforcement": "catchable", "throw_in_timing": "anytime"},
    {"throw_in_timing": "anytime", "transfer": True},
    {"transfer": True, "transfer_by_showing_trump": True, "lead_max_cards": 1},
    {"trump_exchange": "six_for_any"},
    {"teams": "pairs"},
    {"teams": "triples"},
    {"epaulettes": True, "deck_size": 36},
    {"deck_size": 24, "hand_size": 4, "draw_allowed": False},
    {"deck_size": 24, "repetition_draw": 2},
    {"face_out": True, "throw_in_batch": "many", "lead_max_cards": 1},
]
TYPES = ["attack", "beat", "throw_in", "transfer", "show_trump", "take", "pass"]
RARE_TYPES = ["exchange_trump", "call"]


def any_ruleset(rng: random.Random) -> tuple[Ruleset, int]:
    """A ruleset with a few options that go together, and a number of players."""
    return any_table(rng, "bout", VALUES, [0, 1, 2, 3, 4, 6, 8], THEMES, 0.7)


def any_table(
    rng: random.Random,
    family: str,
    values: dict[str, list[Any]],
    counts: Sequence[int],
    themes: Sequence[dict[str, Any]],
    themed: float,
) -> tuple[Ruleset, int]:
    """A ruleset of a family and a number of players.

    Of the options as many are set as one of `counts` says, each to one of its `values`; a share of
    `themed` plays one of the `themes` besides.
    """
    while True:
        name, players = rng.choice(ruleset_ids(family)), rng.randint(2, 6)
        options = {
            option: rng.choice(values[option])
            for option in rng.sample(sorted(values), rng.choice(counts))
        }
        if rng.random() < themed:
            options |= rng.choice(themes)
        if found := ruleset_without_faults(rng, name, options, players):
            return found, players


def ruleset_without_faults(
    rng: random.Random, name: str, options: dict[str, Any], players: int
) -> Ruleset | None:
    """The ruleset, without some of the options at fault; None if it stays at fault anyhow."""
    try:
        return ruleset(name, options, players)
    except InvalidOptions as refused:
        named = sorted(set(refused.errors) & set(options))
    if not named:
        return None
    options.pop(rng.choice(named))
    return ruleset_without_faults(rng, name, options, players)


def near_the_end(rng: random.Random, options: dict[str, Any], players: int) -> dict[str, Any]:
    """A position with a few cards in each hand and next to nothing left to draw."""
    ranks = RANKS[13 - options["deck_size"] // 4 :]
    most = rng.choice([1, 2, 2, 3, 4])
    few_ranks = rng.sample(ranks, min(len(ranks), most + players // 2))
    ranks = rng.choice([ranks, few_ranks])
    pack = [card for card in PACK if card[0] in ranks]
    rng.shuffle(pack)
    hands = [[pack.pop() for _ in range(rng.randint(1, most))] for _ in range(players)]
    discarded = rng.choice([0, 2])
    talon = [] if options["deal_mode"] == "full" else pack[: rng.choice([0, 0, 0, 1, 2, 5])]
    return {
        "hands": hands,
        "talon": talon,
        "trump": trump_of(rng, options, talon),
        "attacker": rng.randrange(players),
        "first_bout": not discarded and rng.random() < 0.4,
        "discard_count": discarded,
    }


def trump_of(rng: random.Random, options: dict[str, Any], talon: list[str]) -> str | None:
    """The trump that goes with such a talon."""
    if options["trump_source"] == "none":
        return None
    if options["trump_suit"] is not None:
        return str(options["trump_suit"])
    return talon[-1][1] if talon else rng.choice("SHDC")


def any_move(rng: random.Random, table: Table) -> tuple[int, dict[str, Any]]:
    """Some seat and a move of a readable shape, whether or not it makes sense."""
    seat = rng.choice([*range(table.seats), *table.to_act(), table.defender])
    kind = rng.choice(TYPES + TYPES + RARE_TYPES)
    move: dict[str, Any] = {"type": kind}
    if kind in ("attack", "throw_in", "transfer"):
        move["cards"] = any_cards(rng, table, seat, rng.choice([0, 1, 1, 1, 2, 2, 3, 5]))
    if kind in ("beat", "show_trump"):
        move["cards"] = any_cards(rng, table, seat, rng.choice([0, 1, 1, 1, 1, 1]))
    if kind == "call":
        move["cards"] = any_cards(rng, table, seat, 1)
    if kind == "beat":
        attacks = [attack for attack, _ in table.table]
        move["target"] = rng.choice([*attacks, *attacks, rng.choice(PACK)])
    return seat, move


def any_cards(rng: random.Random, table: Table, seat: int, count: int) -> list[str]:
    """Mostly cards of the hand, sometimes from the table, of one rank or of any, or twice."""
    hand = list(table.hands[seat])
    on_table = [card for pair in table.table for card in pair if card is not None]
    odd = rng.random() < 0.2
    cards = []
    for _ in range(count):
        pool = (on_table + PACK) if odd or not hand else hand
        alike = [card for card in pool if cards and card[0] == cards[0][0]]
        card = rng.choice(alike or pool)
        cards.append(card)
        if card in hand and rng.random() < 0.9:
            hand.remove(card)
    return cards
