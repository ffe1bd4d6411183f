"""Presets of the bout family: only what differs from the defaults (rulebook 3.4).

A base and modifiers compose: ``transfer.full_deal.japanese`` is `transfer` with the values of both
modifiers, the later one winning.
"""

from collections import ChainMap
from itertools import combinations
from typing import Final

Values = dict[str, object]

_WINNER_LEADS: Final[Values] = {"next_first_attacker": "previous_winner"}
_ARTICLE: Final[Values] = {
    "throw_in_scope": "neighbours",
    "throw_in_batch": "one",
    "first_attack_limit": 5,
    "first_limit_scope": "first_bout",
}
_ONLINE: Final[Values] = {
    "first_attack_limit": 5,
    "first_limit_scope": "until_first_discard",
}
_TRANSFER: Final[Values] = {"transfer": True}

BASES: Final[dict[str, Values]] = {
    "simple": {"throw_in": "on_take"} | _WINNER_LEADS,
    "throw_in": _WINNER_LEADS,
    "transfer": _TRANSFER | _WINNER_LEADS,
}
MODIFIERS: Final[dict[str, Values]] = {
    "full_deal": {
        "deal_mode": "full",
        "trump_source": "last_dealt",
        "next_first_attacker": "lowest_trump",
    },
    "face_out": {"face_out": True, "lead_max_cards": 1, "throw_in_batch": "one"},
    "japanese": {"trump_source": "fixed_suit", "trump_suit": "D", "self_only_suit": "S"},
}
_SINGLE: Final[dict[str, Values]] = {
    "throw_in_article": _ARTICLE,
    "transfer_article": _ARTICLE | _TRANSFER | {"transfer_first_bout": False},
    "throw_in.japanese_drawn_diamond": MODIFIERS["japanese"]
    | {"trump_source": "draw_until_suit", "next_first_attacker": "lowest_trump"},
    "online_throw_in": _ONLINE,
    "online_transfer": _ONLINE | _TRANSFER,
    "proyezdnoy": _ONLINE | _TRANSFER | {"transfer_by_showing_trump": True},
    "partners": _ONLINE | {"teams": "pairs"},
}


def _composed() -> dict[str, Values]:
    presets: dict[str, Values] = {}
    for base, values in BASES.items():
        for count in range(len(MODIFIERS) + 1):
            for names in combinations(MODIFIERS, count):
                modified = [values, *(MODIFIERS[name] for name in names)]
                presets[".".join((base, *names))] = dict(ChainMap(*reversed(modified)))
    return presets


PRESETS: Final[dict[str, Values]] = _composed() | _SINGLE
# What a preset sets besides at a table of so many players.
AT_PLAYERS: Final[dict[str, dict[int, Values]]] = {"partners": {6: {"teams": "triples"}}}
