"""What brains are worth, as the arena measured it: `bots/ladder.json`, written by `make ladder`.

Strengths are on the Elo scale where `random` has 1000.
"""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

import msgspec

LADDER: Final = Path(__file__).resolve().parent.parent / "ladder.json"
OVERALL: Final = "overall"


class Rung(msgspec.Struct, frozen=True):
    """One brain's strength with its 95 % interval, and the games that it follows from."""

    brain: str
    elo: int
    low: int
    high: int
    games: int


class Ladder(msgspec.Struct, frozen=True):
    """The rungs of every ruleset, and of all together under `overall`; the strongest first.

    `command` gives it again. `versions` are those that played, `budgets` what bounded their turns.
    """

    command: str
    seats: tuple[int, ...]
    versions: Mapping[str, int]
    budgets: Mapping[str, int]
    rulesets: Mapping[str, tuple[Rung, ...]]


@lru_cache(maxsize=1)
def ladder() -> Ladder:
    """The stored ladder."""
    return msgspec.json.decode(LADDER.read_bytes(), type=Ladder)


def strengths_of(name: str, version: int) -> dict[str, int]:
    """A brain's strength by ruleset and `overall`; empty if this version was never measured."""
    stored = ladder()
    if stored.versions.get(name) != version:
        return {}
    return {
        ruleset: rung.elo
        for ruleset, rungs in stored.rulesets.items()
        for rung in rungs
        if rung.brain == name
    }
