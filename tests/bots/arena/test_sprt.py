"""The sequential test: its formula by hand, and how often it is wrong."""

import math
import random

import pytest

from bots.arena.sprt import Sprt, elo_of, expected_score

TEST = Sprt(0, 60)
OUTCOMES = (0.0, 0.25, 0.5, 0.75, 1.0)


def test_elo_and_score_are_each_others_inverse() -> None:
    assert expected_score(0) == 0.5
    assert expected_score(400) == pytest.approx(10 / 11)
    for elo in (-300, -1, 0, 20, 700):
        assert elo_of(expected_score(elo)) == pytest.approx(elo)
    assert (elo_of(0), elo_of(1)) == (-1200, 1200)


def test_the_bounds_are_those_of_wald() -> None:
    low, high = TEST.bounds
    assert (low, high) == (pytest.approx(-math.log(19)), pytest.approx(math.log(19)))
    lenient = Sprt(0, 60, alpha=0.1, beta=0.2)
    assert lenient.bounds == (pytest.approx(math.log(0.2 / 0.9)), pytest.approx(math.log(8)))


def test_wins_and_losses_alone_give_the_ratio_of_the_binomial_test() -> None:
    won, lost = 70, 50
    p0, p1 = expected_score(0), expected_score(60)
    ratio = won * math.log(p1 / p0) + lost * math.log((1 - p1) / (1 - p0))
    assert TEST.llr([1.0] * won + [0.0] * lost) == pytest.approx(ratio, abs=0.01)


def test_even_scores_near_the_middle_give_the_normal_approximation() -> None:
    """LLR = N (s1 - s0) (2 s - s0 - s1) / (2 var) where the hypotheses are close."""
    near = Sprt(0, 5)
    scores = [0.0] * 100 + [0.25] * 230 + [0.5] * 300 + [0.75] * 260 + [1.0] * 110
    middle = sum(scores) / len(scores)
    spread = sum((score - middle) ** 2 for score in scores) / len(scores)
    s0, s1 = expected_score(0), expected_score(5)
    normal = len(scores) * (s1 - s0) * (2 * middle - s0 - s1) / (2 * spread)
    assert near.llr(scores) == pytest.approx(normal, rel=0.03)


def test_nothing_seen_says_nothing() -> None:
    assert TEST.llr([]) == pytest.approx(0, abs=0.01)
    assert TEST.verdict([]) is None


def test_the_order_of_the_deals_does_not_matter() -> None:
    assert TEST.llr([1.0, 0.0, 0.5]) == TEST.llr([0.5, 1.0, 0.0])


def play(elo: float, rng: random.Random) -> tuple[str, int]:
    """Deals between two brains of this difference until the test stops; luck of the cards is
    shared by the two games of a deal.
    """
    share = expected_score(elo)
    scores: list[float] = []
    while True:
        for _ in range(10):
            luck = rng.uniform(-0.3, 0.3)
            first, second = share + luck, share - luck
            scores.append((rng.random() < first) / 2 + (rng.random() < second) / 2)
        verdict = TEST.verdict(scores)
        if verdict is not None:
            return verdict, len(scores)


@pytest.mark.parametrize(("elo", "wrong"), [(0, "H1"), (60, "H0")])
def test_one_verdict_in_twenty_is_wrong_at_most(elo: float, wrong: str) -> None:
    rng = random.Random(7)
    verdicts = [play(elo, rng) for _ in range(300)]
    errors = sum(1 for verdict, _ in verdicts if verdict == wrong)
    # Two standard deviations above 5 %.
    assert errors / len(verdicts) <= 0.075
    assert sum(deals for _, deals in verdicts) / len(verdicts) < 400


def test_far_from_both_it_ends_soon() -> None:
    verdict, deals = play(250, random.Random(3))
    assert (verdict, deals <= 60) == ("H1", True)
    verdict, deals = play(-250, random.Random(3))
    assert (verdict, deals <= 60) == ("H0", True)
