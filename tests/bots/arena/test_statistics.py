"""Intervals against published values and against what they promise."""

import random

import pytest

from bots.arena.statistics import Interval, mean, score_interval, variance, wilson


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_is_as_published(successes: int, trials: int, low: float, high: float) -> None:
    found = wilson(successes, trials)
    assert found.low == pytest.approx(low, abs=5e-5)
    assert found.high == pytest.approx(high, abs=5e-5)
    assert found.share == successes / trials


def test_mean_and_variance() -> None:
    assert mean([0.0, 0.5, 1.0]) == 0.5
    assert variance([0.0, 0.5, 1.0]) == 0.25
    assert variance([0.5]) == 0.0


def test_a_score_is_as_sure_as_the_deals_agree() -> None:
    found = score_interval([0.0, 0.5, 1.0, 0.5] * 25)
    assert found.share == 0.5
    assert found.margin == pytest.approx(1.96 * (0.12626 / 100) ** 0.5, rel=1e-3)
    assert score_interval([0.5] * 8) == Interval(0.5, 0.5, 0.5)


def test_winning_everything_is_not_certainty() -> None:
    assert score_interval([1.0] * 20) == wilson(20, 20)
    assert score_interval([0.0] * 20).high > 0.1


def test_nineteen_intervals_of_twenty_hold_the_truth() -> None:
    rng = random.Random(1)
    held = 0
    for _ in range(400):
        scores = [(rng.random() < 0.7) / 2 + (rng.random() < 0.7) / 2 for _ in range(150)]
        found = score_interval(scores)
        held += found.low <= 0.7 <= found.high
    assert 0.92 < held / 400 < 0.98
