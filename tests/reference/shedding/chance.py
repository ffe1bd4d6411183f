"""Chance for the comparison: which game is played, and moves that are mostly refused."""

import random
from typing import Any

from games.rules.rulesets.registry import Ruleset
from tests.reference.cards import SUITS
from tests.reference.chance import any_table
from tests.reference.shedding.cards import is_wild, pack
from tests.reference.shedding.table import Table

Options = dict[str, Any]
ONE = {"draw": 1, "skip": 1}
THREE = {"draw": 3, "skip": 1}
GIFT = {"draw": 2, "skip": 0}
FAR = {"draw": 1, "skip": 2}
SKIP = {"draw": 0, "skip": 1}
VALUES: dict[str, list[Any]] = {
    "deck_size": [32, 36, 52],
    "deal": [3, 4, 5, 6, 7],
    "starter": ["none", "dealer_last_card", "deck_top"],
    "starter_effect": [True, False],
    "first_player": ["random", "dealer_left"],
    "match": ["suit_or_rank", "suit_only"],
    "rank_match_only": [[], ["6"], ["7", "A"], ["Q", "J"]],
    "wild": ["Q", "J", None],
    "wild_condition": ["always", "only_if_stuck"],
    "wild_blocked_on": [[], ["7", "A"], ["Q"], ["8", "9", "T", "J", "K"]],
    "order_skips_next": [True, False],
    "effects": [
        {},
        {"7": GIFT, "A": SKIP},
        {"7": FAR, "8": ONE, "A": FAR},
        {"A": ONE, "Q": ONE, "J": SKIP},
        {"K": SKIP, "KH": THREE, "QS": THREE, "A": SKIP},
        {"9": THREE, "T": GIFT, "A": {"draw": 0, "skip": 3}},
    ],
    "stacking": ["same_rank"],
    "multi_play": [{}, {"A": [2, 3, 4]}, {"A": [3, 4]}, {"7": [2, 3], "Q": [2]}, {"J": [2, 4]}],
    "ace_multi": ["per_ace_capped", "single"],
    "ace_chain": ["none", "english"],
    "draw_rule": ["one", "until_playable"],
    "drawn_card": ["may_play", "must_play"],
    "draw_until_recycles": [True, False],
    "recycle": ["flip", "shuffle"],
    "end": ["first_out", "last_holder"],
    "last_card_effect": [True, False],
    "lone_wild_penalty": [0, 20, 50],
    "finish_wild_bonus": [0, 10, {"Q": 20, "QS": 40}, {"JH": 5}],
    "wild_left_loses": [True, False],
    "stalemate": ["draw", "count_points"],
    "max_moves": [10, 25, 60, 300],
}
# What would seldom come up among so many options.
THEMES: list[Options] = [
    {"ace_chain": "english"},
    {"stacking": "same_rank"},
    {"stacking": "same_rank", "end": "last_holder"},
    {"wild_left_loses": True},
    {"ace_chain": "english", "draw_rule": "one", "drawn_card": "may_play"},
    {"ace_chain": "english", "end": "last_holder"},
    {"multi_play": {"A": [2, 3, 4]}, "end": "last_holder"},
    {"starter": "dealer_last_card", "first_player": "dealer_left"},
    {"draw_until_recycles": True},
    {"draw_rule": "until_playable", "drawn_card": "may_play"},
]
TYPES = ["play", "play", "play", "play", "draw", "pass", "name_suit"]


def any_ruleset(rng: random.Random) -> tuple[Ruleset, int]:
    """A ruleset with a few options that go together, and a number of players."""
    return any_table(rng, "shedding", VALUES, [0, 0, 1, 2, 3, 4, 6, 8], THEMES, 0.5)


def near_the_end(rng: random.Random, options: Options, players: int) -> dict[str, Any]:
    """A position with a few cards in each hand and little to draw."""
    cards = pack(options["deck_size"])
    ranks = sorted({card[0] for card in cards})
    some = rng.sample(ranks, rng.randint(6, len(ranks)))
    cards = [card for card in cards if card[0] in some]
    rng.shuffle(cards)
    wilds_first = rng.random() < 0.1
    if wilds_first:
        cards.sort(key=lambda card: is_wild(card, options))
    most = rng.choice([1, 2, 2, 3, 4])
    hands = [[cards.pop() for _ in range(rng.randint(1, most))] for _ in range(players)]
    pile = [cards.pop() for _ in range(min(len(cards), rng.choice([0, 1, 1, 1, 2, 4, 8])))]
    position: dict[str, Any] = {
        "hands": hands,
        "discard_pile": pile,
        "talon": cards[: rng.choice([0, 0, 0, 1, 2, 5, 20])],
        "to_act": 0 if wilds_first else rng.randrange(players),
    }
    if pile and is_wild(pile[-1], options) and rng.random() < 0.7:
        position["named_suit"] = rng.choice(SUITS)
    return position


def any_move(rng: random.Random, table: Table) -> tuple[int, dict[str, Any]]:
    """Some seat and a move of a readable shape, whether or not it makes sense."""
    seat = rng.choice([*range(table.seats), *[table.to_act] * 8])
    kind = rng.choice(TYPES)
    move: dict[str, Any] = {"type": kind}
    if kind == "play":
        move["cards"] = any_cards(rng, table, seat, rng.choice([0, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4]))
    if kind == "name_suit" or (kind == "play" and rng.random() < 0.4):
        move["suit"] = rng.choice(SUITS)
    return seat, move


def any_cards(rng: random.Random, table: Table, seat: int, count: int) -> list[str]:
    """Mostly cards of the hand, sometimes others, mostly of one rank, sometimes twice."""
    hand = list(table.hands[seat])
    odd = rng.random() < 0.15
    cards: list[str] = []
    for _ in range(count):
        pool = pack(52) if odd or not hand else hand
        alike = [card for card in pool if cards and card[0] == cards[0][0]]
        card = rng.choice(alike if alike and rng.random() < 0.8 else pool)
        cards.append(card)
        if card in hand and rng.random() < 0.9:
            hand.remove(card)
    return cards
