"""What a pattern covers, written down independently of the brains."""

from collections.abc import Mapping, Sequence
from typing import Any

LISTS = ("cards", "slots")


def covered(patterns: Sequence[Mapping[str, Any]], move: Mapping[str, Any]) -> bool:
    """Whether a pattern of `patterns` covers the move."""
    return any(_covers(pattern, move) for pattern in patterns)


def _covers(pattern: Mapping[str, Any], move: Mapping[str, Any]) -> bool:
    fields = {"type", "target", *LISTS} & set(pattern)
    return (
        set(move) - {"suit"} == fields
        and all(move[name] == pattern[name] for name in fields - set(LISTS))
        and all(_chosen_well(pattern, move[name], pattern[name]) for name in fields & set(LISTS))
        and _suit_allowed(pattern, move.get("suit"))
    )


def _chosen_well(pattern: Mapping[str, Any], chosen: Sequence[Any], listed: Sequence[Any]) -> bool:
    return (
        pattern["min"] <= len(chosen) <= pattern["max"]
        and len(set(chosen)) == len(chosen)
        and set(chosen) <= set(listed)
        and (not pattern.get("first") or chosen[0] in pattern["first"])
    )


def _suit_allowed(pattern: Mapping[str, Any], suit: str | None) -> bool:
    if suit is None:
        return not pattern.get("suit_required", False)
    return suit in pattern.get("suits", ())
