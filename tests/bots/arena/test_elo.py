"""Strengths are found again from games that they caused."""

import random
from itertools import combinations

import pytest

from bots.arena.elo import Pairing, ratings
from bots.arena.sprt import expected_score

TRUE = (1000.0, 1150.0, 1600.0, 1880.0)


def exact(one: int, other: int, games: int) -> Pairing:
    """A pairing that ended as the strengths predict."""
    share = expected_score(TRUE[one] - TRUE[other])
    return Pairing(one, other, share * games, games, games * share * (1 - share))


def test_what_was_predicted_is_found_again() -> None:
    met = [exact(one, other, 1_000_000) for one, other in combinations(range(4), 2)]
    assert [one.elo for one in ratings(4, met)] == [pytest.approx(elo, abs=0.1) for elo in TRUE]


def test_two_players_are_as_far_apart_as_their_score_says() -> None:
    anchored, other = ratings(2, [Pairing(0, 1, 249_999.5, 999_999, 187_500)])
    assert anchored == (1000, 0)
    assert other.elo == pytest.approx(1000 + 400 * 0.477121, abs=0.01)
    # The delta method: 400 / ln 10 / (n p (1 - p)) * sqrt(variance).
    assert other.margin == pytest.approx(1.96 * 173.718 * 187_500**0.5 / 187_500, rel=1e-3)


def test_whoever_is_the_anchor_has_1000() -> None:
    met = [exact(one, other, 10_000) for one, other in combinations(range(4), 2)]
    by_first, by_last = ratings(4, met), ratings(4, met, anchor=3)
    assert by_last[3] == (1000, 0)
    for one, other in zip(by_first, by_last, strict=True):
        assert one.elo - other.elo == pytest.approx(by_first[3].elo - 1000)


def test_a_draw_is_half_a_point() -> None:
    drawn = ratings(2, [Pairing(0, 1, 50, 100, 25)])
    assert [one.elo for one in drawn] == [pytest.approx(1000), pytest.approx(1000)]


def test_whoever_never_lost_has_a_strength_all_the_same() -> None:
    _, unbeaten = ratings(2, [Pairing(0, 1, 0, 100, 0.5)])
    assert 1800 < unbeaten.elo < 2100


def test_intervals_hold_the_truth() -> None:
    rng = random.Random(5)
    held = [0, 0, 0]
    for _ in range(100):
        met = []
        for one, other in combinations(range(4), 2):
            share = expected_score(TRUE[one] - TRUE[other])
            points = sum(rng.random() < share for _ in range(400))
            met.append(Pairing(one, other, points, 400, 400 * share * (1 - share)))
        found = ratings(4, met)
        for index in range(3):
            rating, true = found[index + 1], TRUE[index + 1]
            held[index] += abs(rating.elo - true) <= rating.margin
    assert all(88 <= count <= 100 for count in held), held
