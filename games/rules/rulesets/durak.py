"""Presets of the bout family: only what differs from the defaults (rulebook 3.4)."""

from typing import Final

_ARTICLE: Final[dict[str, object]] = {
    "throw_in_scope": "neighbours",
    "throw_in_batch": "one",
    "first_attack_limit": 5,
    "first_limit_scope": "first_bout",
}
_ONLINE: Final[dict[str, object]] = {
    "first_attack_limit": 5,
    "first_limit_scope": "until_first_discard",
}

PRESETS: Final[dict[str, dict[str, object]]] = {
    "simple": {"throw_in": "on_take", "next_first_attacker": "previous_winner"},
    "throw_in": {"next_first_attacker": "previous_winner"},
    "throw_in_article": _ARTICLE,
    "transfer": {"transfer": True, "next_first_attacker": "previous_winner"},
    "transfer_article": _ARTICLE | {"transfer": True, "transfer_first_bout": False},
    "online_throw_in": _ONLINE,
    "online_transfer": _ONLINE | {"transfer": True},
}
