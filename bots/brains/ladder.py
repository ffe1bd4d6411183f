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
USUAL: Final = "throw_in"


class Rung(msgspec.Struct, frozen=True):
    """One brain's strength with its 95 % interval, and the games that it follows from."""

    brain: str
    elo: int
    low: int
    high: int
    games: int


class Ladder(msgspec.Struct, frozen=True):
    """The rungs of every ruleset, and of all together under `overall`; the strongest first.

    `commands` give them again. `versions` are those that played, `budgets` what bounded their
    turns. Not every brain is measured in every ruleset, and under `overall` those that are.
    """

    commands: Mapping[str, str]
    seats: tuple[int, ...]
    versions: Mapping[str, int]
    budgets: Mapping[str, int]
    rulesets: Mapping[str, tuple[Rung, ...]]


@lru_cache(maxsize=1)
def ladder() -> Ladder:
    """The stored ladder."""
    return msgspec.json.decode(LADDER.read_bytes(), type=Ladder)


def merged(known: Ladder, new: Ladder) -> Ladder:
    """A ladder with the rulesets of both, told by the newer one where it tells of them.

    What stands under `overall` stays: it is of all rulesets. Of a brain that was measured in
    another version or with another budget the older rungs go.
    """

    def is_same(rung: Rung) -> bool:
        measured = (new.versions.get(rung.brain), new.budgets.get(rung.brain))
        return measured in {(None, None), (known.versions[rung.brain], known.budgets[rung.brain])}

    rulesets = {name: tuple(filter(is_same, rungs)) for name, rungs in known.rulesets.items()}
    rulesets |= {name: rungs for name, rungs in new.rulesets.items() if name != OVERALL}
    brains = {rung.brain for rungs in rulesets.values() for rung in rungs}
    versions, budgets = {**known.versions, **new.versions}, {**known.budgets, **new.budgets}
    return Ladder(
        commands={**known.commands, **new.commands, OVERALL: known.commands[OVERALL]},
        seats=new.seats,
        versions={name: version for name, version in versions.items() if name in brains},
        budgets={name: budget for name, budget in budgets.items() if name in brains},
        rulesets=rulesets,
    )


def strength_of(name: str, version: int) -> int | None:
    """What a brain is worth in the ruleset that most people play; None if nobody measured it."""
    return strengths_of(name, version).get(USUAL)


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
