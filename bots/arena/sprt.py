"""A sequential test: stop as soon as it is clear which of two differences in strength is true."""

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final, Literal

import msgspec

Verdict = Literal["H0", "H1"]
# What every outcome is thought to have been seen before the first deal, so that none is ruled out.
_PRIOR: Final = 1e-3
_STEPS: Final = 60


class Sprt(msgspec.Struct, frozen=True):
    """The generalised sequential probability ratio test of "elo is elo0" against "elo is elo1".

    The samples are the scores of whole deals, so that the games of a deal may depend on each other:
    with two seats these are the five outcomes of a pair. The likelihood of either hypothesis is
    that of the most likely distribution of such scores whose mean is the one it predicts.

    After M. Van den Bergh, "Comments on Normalized Elo" and "The Generalized Sequential Probability
    Ratio Test for Monte-Carlo simulations" (hardy.uhasselt.be/Fishtest), and for the test itself
    A. Wald, "Sequential Tests of Statistical Hypotheses", Ann. Math. Statist. 16 (1945).
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """Below the first H0 is accepted, above the second H1."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, scores: Iterable[float]) -> float:
        """The logarithm of how much likelier H1 makes these scores of deals than H0."""
        seen = Counter(scores)
        weights = {value: seen[value] + _PRIOR for value in (*seen, 0.0, 0.5, 1.0)}
        mean0, mean1 = expected_score(self.elo0), expected_score(self.elo1)
        tilt0, tilt1 = _tilt(weights, mean0), _tilt(weights, mean1)
        return math.fsum(
            weight * math.log((1 + tilt0 * (value - mean0)) / (1 + tilt1 * (value - mean1)))
            for value, weight in weights.items()
        )

    def verdict(self, scores: Sequence[float]) -> Verdict | None:
        """Which hypothesis these scores accept; None while they do not say."""
        low, high = self.bounds
        ratio = self.llr(scores)
        if ratio <= low:
            return "H0"
        return "H1" if ratio >= high else None


def expected_score(elo: float) -> float:
    """The share of points that goes with a difference in strength.

    >>> round(expected_score(100), 3)
    0.64
    """
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """The difference in strength that goes with a share of points, at most 1,200 either way."""
    if not 0 < score < 1:
        return math.copysign(1200.0, score - 0.5)
    return max(-1200.0, min(1200.0, -400 * math.log10(1 / score - 1)))


def _tilt(weights: Mapping[float, float], mean: float) -> float:
    """The multiplier of the most likely distribution with this mean: it weighs each outcome by
    1 / (1 + tilt * (outcome - mean)). It is found by halving, since the equation is monotone.
    """
    low, high = -1 / (max(weights) - mean), 1 / (mean - min(weights))
    for _ in range(_STEPS):
        middle = (low + high) / 2
        pull = math.fsum(
            weight * (value - mean) / (1 + middle * (value - mean))
            for value, weight in weights.items()
        )
        low, high = (middle, high) if pull > 0 else (low, middle)
    return (low + high) / 2
