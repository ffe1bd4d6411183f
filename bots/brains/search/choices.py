"""The moves that a search looks at, out of all that the patterns allow."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from bots.brains.patterns import Pattern, entries_of, move_of, smallest
from bots.brains.registry import Answer


def choices(patterns: Sequence[Pattern], also: Answer) -> list[Answer]:
    """Single cards, runs of several from the front, suits to name; `also` is among them.

    Of slots one is as good as another: only the first is looked at.
    """
    found: list[Answer] = []
    for pattern in patterns:
        for answer in _of(pattern):
            if answer not in found:
                found.append(answer)
    return found if also in found else [*found, also]


def offers(patterns: Sequence[Pattern], answer: Mapping[str, Any]) -> bool:
    """Whether one of the patterns has this move."""
    return any(_has(pattern, answer) for pattern in patterns)


def _of(pattern: Pattern) -> Iterator[Answer]:
    field, entries = entries_of(pattern)
    if field == "slots" or pattern["type"] == "call":
        yield smallest(pattern)
        return
    least, most = pattern.get("min") or 0, pattern.get("max") or 0
    chosen: list[Sequence[Any]] = [[entry] for entry in entries] if least < 2 else []
    if pattern.get("first") and least < 2:
        chosen = [[entry] for entry in pattern["first"]]
    chosen += [entries[:count] for count in range(max(2, least), most + 1)]
    suits: list[str | None] = [] if pattern.get("suit_required") else [None]
    for cards in chosen or [()]:
        for suit in (*suits, *(pattern.get("suits") or ())):
            yield move_of(pattern, cards, suit)


def _has(pattern: Pattern, answer: Mapping[str, Any]) -> bool:
    field, entries = entries_of(pattern)
    if answer.get("type") != pattern["type"] or answer.get("target") != pattern.get("target"):
        return False
    if answer.get("suit") is None and pattern.get("suit_required"):
        return False
    chosen = answer.get(field, ()) if field else ()
    least, most = pattern.get("min") or 0, pattern.get("max") or 0
    led = not pattern.get("first") or chosen[:1] in [[one] for one in pattern["first"]]
    return led and least <= len(chosen) <= most and set(chosen) <= set(entries)
