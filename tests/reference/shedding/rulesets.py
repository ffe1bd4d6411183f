"""The dials of the rulebook's 3.2 and the presets of its 3.4, typed in a second time."""

from typing import Any

Options = dict[str, Any]

PIPS = {"2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "7": 7, "8": 8, "9": 9, "T": 10}
ONE = {"draw": 1, "skip": 1}
TWO = {"draw": 2, "skip": 1}
FIVE = {"draw": 5, "skip": 1}
SKIP = {"draw": 0, "skip": 1}

DEFAULTS: Options = {
    "deck_size": 36,
    "deal": 5,
    "starter": "none",
    "starter_effect": True,
    "first_player": "random",
    "next_first": "winner",
    "match": "suit_or_rank",
    "rank_match_only": [],
    "wild": "Q",
    "wild_condition": "always",
    "wild_blocked_on": [],
    "order_skips_next": False,
    "effects": {"6": TWO, "7": ONE, "A": SKIP},
    "stacking": "none",
    "multi_play": {},
    "ace_multi": "per_ace_capped",
    "ace_chain": "none",
    "draw_rule": "until_playable",
    "drawn_card": "must_play",
    "draw_until_recycles": False,
    "recycle": "flip",
    "end": "first_out",
    "last_card_effect": True,
    "points": {"J": 2, "Q": 3, "K": 4, "A": 11, **PIPS},
    "lone_wild_penalty": 20,
    "finish_wild_bonus": 0,
    "wild_left_loses": False,
    "match_target": None,
    "exact_target_resets": False,
    "stalemate": "count_points",
    "max_moves": 5000,
    "next_dealer": "loser",
    "first_dealer": "lot",
}

OPENED_BY_THE_DEALER: Options = {
    "starter": "dealer_last_card",
    "first_player": "dealer_left",
    "next_first": "dealer_left",
}
PRESETS: dict[str, Options] = {
    "japanese_shedding": OPENED_BY_THE_DEALER
    | {
        "deal": 4,
        "wild_condition": "only_if_stuck",
        "effects": {"6": ONE, "7": TWO, "A": SKIP},
        "draw_rule": "one",
        "drawn_card": "may_play",
        "multi_play": {"A": [3, 4]},
        "end": "last_holder",
        "points": {},
        "lone_wild_penalty": 0,
        "next_dealer": "loser",
        "stalemate": "draw",
    },
    "mau_mau": {},
    "mau_mau_single_draw": {"draw_rule": "one"},
    "mau_mau_32": {"deck_size": 32, "effects": {"7": TWO, "8": ONE, "A": SKIP}},
    "mau_mau_jacks": OPENED_BY_THE_DEALER
    | {"deal": 6, "wild": "J", "wild_left_loses": True, "lone_wild_penalty": 0},
    "english_durak": {"ace_chain": "english"},
    "pharaoh": {"deal": 4, "finish_wild_bonus": 30, "lone_wild_penalty": 30},
    "pentagon": {
        "match": "suit_only",
        "rank_match_only": ["6"],
        "order_skips_next": True,
        "points": {"A": 11, "K": 4, "Q": 20, "J": 2, "T": 10},
    },
    "crocodile": {"draw_rule": "one", "effects": {"6": TWO, "7": ONE, "A": SKIP, "KH": FIVE}},
    "hundred_one": OPENED_BY_THE_DEALER
    | {
        "deal": 4,
        "draw_rule": "one",
        "effects": {"6": TWO, "7": ONE, "A": SKIP, "KS": FIVE},
        "end": "last_holder",
        "points": {"J": 2, "Q": 3, "K": 4, "A": 11, **PIPS, "9": 0},
        "finish_wild_bonus": {"Q": 20, "QS": 40},
        "match_target": 101,
        "exact_target_resets": True,
    },
}


def options_of(preset: str, **changed: Any) -> Options:
    """Every dial of a preset, some of them changed."""
    return DEFAULTS | PRESETS[preset] | changed
