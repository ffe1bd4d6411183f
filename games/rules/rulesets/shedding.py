"""Presets of the shedding family: only what differs from `mau_mau` (rulebook 3.4)."""

from typing import Final

Values = dict[str, object]

_SINGLE_DRAW: Final[Values] = {"draw_rule": "one", "drawn_card": "must_play"}
_DEALER_OPENS: Final[Values] = {
    "starter": "dealer_last_card",
    "first_player": "dealer_left",
    "next_first": "dealer_left",
}
_SIX: Final = {"6": {"draw": 2, "skip": 1}}
_SEVEN: Final = {"7": {"draw": 1, "skip": 1}}
_ACE: Final = {"A": {"draw": 0, "skip": 1}}
_FIVE: Final = {"draw": 5, "skip": 1}
_PENTAGON: Final = {"A": 11, "K": 4, "Q": 20, "J": 2, "T": 10}

PRESETS: Final[dict[str, Values]] = {
    "japanese_shedding": _DEALER_OPENS
    | {
        "deal": 4,
        "wild_condition": "only_if_stuck",
        "effects": {"6": {"draw": 1, "skip": 1}, "7": {"draw": 2, "skip": 1}} | _ACE,
        "multi_play": {"A": (3, 4)},
        "draw_rule": "one",
        "drawn_card": "may_play",
        "end": "last_holder",
        "points": None,
        "lone_wild_penalty": 0,
        "stalemate": "draw",
    },
    "mau_mau": {},
    "mau_mau_single_draw": _SINGLE_DRAW,
    "mau_mau_32": {
        "deck_size": 32,
        "effects": {"7": {"draw": 2, "skip": 1}, "8": {"draw": 1, "skip": 1}} | _ACE,
    },
    "mau_mau_jacks": _DEALER_OPENS
    | {"deal": 6, "wild": "J", "wild_left_loses": True, "lone_wild_penalty": 0},
    "english_durak": {"ace_chain": "english"},
    "pharaoh": {"deal": 4, "finish_wild_bonus": 30, "lone_wild_penalty": 30},
    "pentagon": {
        "match": "suit_only",
        "rank_match_only": ("6",),
        "order_skips_next": True,
        "points": _PENTAGON | dict.fromkeys("23456789", 0),
    },
    "crocodile": _SINGLE_DRAW | {"effects": _SIX | _SEVEN | _ACE | {"KH": _FIVE}},
    "hundred_one": _DEALER_OPENS
    | {
        "deal": 4,
        "draw_rule": "one",
        "effects": _SIX | _SEVEN | _ACE | {"KS": _FIVE},
        "end": "last_holder",
        "points": {"J": 2, "Q": 3, "K": 4, "A": 11, "9": 0},
        "finish_wild_bonus": {"Q": 20, "QS": 40},
        "match_target": 101,
        "exact_target_resets": True,
    },
}
