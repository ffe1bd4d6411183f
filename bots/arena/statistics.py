"""How sure a score is."""

import math
from collections.abc import Sequence
from typing import Final

import msgspec

# Two-sided 95 % of the normal distribution.
Z: Final = 1.959963984540054


class Interval(msgspec.Struct, frozen=True):
    """A share between 0 and 1, and its 95 % interval."""

    share: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half of the interval."""
        return (self.high - self.low) / 2


def mean(values: Sequence[float]) -> float:
    """The arithmetic mean of at least one value."""
    return math.fsum(values) / len(values)


def variance(values: Sequence[float]) -> float:
    """The unbiased variance; 0 for a single value."""
    middle = mean(values)
    return math.fsum((value - middle) ** 2 for value in values) / max(1, len(values) - 1)


def wilson(successes: float, trials: int) -> Interval:
    """The score interval of Wilson (1927), which is right for shares near 0 and 1 too.

    >>> found = wilson(0, 10)
    >>> round(found.low, 4), round(found.high, 4)
    (0.0, 0.2775)
    """
    share, weight = successes / trials, Z**2 / trials
    middle = (share + weight / 2) / (1 + weight)
    half = Z / (1 + weight) * math.sqrt(share * (1 - share) / trials + weight / trials / 4)
    return Interval(share, max(0.0, middle - half), min(1.0, middle + half))


def score_interval(scores: Sequence[float]) -> Interval:
    """The interval of a score from the scores of the deals.

    Games of one deal depend on each other, so the deals are what is counted. Where all of them
    were won, or all lost, their variance says nothing and Wilson's interval stands in.
    """
    share = mean(scores)
    if share in (0.0, 1.0):
        return wilson(share * len(scores), len(scores))
    half = Z * math.sqrt(variance(scores) / len(scores))
    return Interval(share, max(0.0, share - half), min(1.0, share + half))
