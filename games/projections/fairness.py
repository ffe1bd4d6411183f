"""How much a game counts for each of its players: who meets too often moves less.

Pure: everything follows from the games before it in the order in which they were rated, so a
rebuild decides alike. The rules are settings (`docs/scores.md`); each can be switched off.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import Final, NamedTuple
from uuid import UUID

REPEATED: Final = "repeated"
SURRENDERS: Final = "surrenders"
LESS: Final = 0.5

Pair = tuple[UUID, UUID]


class Limits(NamedTuple):
    """So many a day in full, so many more by half, and no others."""

    full: int
    half: int


class Policy(NamedTuple):
    """The rules that hold; None: that one does not.

    `repeats` limits the games that two accounts play with each other in a day, `surrenders` those
    of them that were given up within their first `early_events` events.
    """

    repeats: Limits | None = None
    surrenders: Limits | None = None
    early_events: int = 0

    @property
    def looks_at_pairs(self) -> bool:
        """Whether it matters who met whom."""
        return self.repeats is not None or self.surrenders is not None


class Met(NamedTuple):
    """How often two accounts had met on a day, and how many of those games ended early."""

    games: int
    surrenders: int


class Weight(NamedTuple):
    """The share of its change that a game gives a player, and why it is not all."""

    share: float
    reason: str


WHOLE: Final = Weight(1.0, "")
NEVER: Final = Met(0, 0)


def pairs_of(players: Iterable[UUID]) -> list[Pair]:
    """Who meets whom at a table, each pair once, in order."""
    listed = sorted(set(players))
    return [(low, high) for index, low in enumerate(listed) for high in listed[index + 1 :]]


def weights(
    policy: Policy, players: Iterable[UUID], met: Mapping[Pair, Met], *, early: bool
) -> dict[UUID, Weight]:
    """What the game counts for each account: the mean over those whom it met.

    `met` are the earlier games of its day; `early`: it was given up within its first moves.
    """
    of_pairs = {
        pair: _of_pair(policy, met.get(pair, NEVER), early=early) for pair in pairs_of(players)
    }
    return {
        player: _mean([weight for pair, weight in of_pairs.items() if player in pair])
        for player in sorted({player for pair in of_pairs for player in pair})
    }


def _of_pair(policy: Policy, met: Met, *, early: bool) -> Weight:
    found = [WHOLE, Weight(_share(policy.repeats, met.games), REPEATED)]
    if early:
        found.append(Weight(_share(policy.surrenders, met.surrenders), SURRENDERS))
    return min(found, key=lambda weight: weight.share)


def _share(limits: Limits | None, before: int) -> float:
    if limits is None or before < limits.full:
        return 1.0
    return LESS if before < limits.full + limits.half else 0.0


def _mean(found: Sequence[Weight]) -> Weight:
    least = min(found, key=lambda weight: weight.share)
    share = fsum(weight.share for weight in found) / len(found)
    return WHOLE if least.share == 1.0 else Weight(share, least.reason)
