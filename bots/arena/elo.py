"""Strengths on the Elo scale from the points of a round-robin: Bradley-Terry, most likely fit."""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from bots.arena.statistics import Z

SCALE: Final = 400 / math.log(10)
BASE: Final = 1000.0
# Each pair is thought to have drawn one game more, so that whoever never lost is still finite.
_DRAWN: Final = 1.0
_TURNS: Final = 100
_LONGEST_STEP: Final = 1.0

Matrix = list[list[float]]


class Pairing(NamedTuple):
    """The points of `first` against `second` in so many games; `variance` is that of the points."""

    first: int
    second: int
    points: float
    games: int
    variance: float


class Rating(NamedTuple):
    """A strength and half of its 95 % interval; the anchor's is 0."""

    elo: float
    margin: float


def ratings(players: int, pairings: Sequence[Pairing], anchor: int = 0) -> list[Rating]:
    """The strengths of so many players, `anchor` having 1000. A draw is half a point.

    R. A. Bradley and M. E. Terry, Biometrika 39 (1952). The likelihood is concave, so Newton's
    method finds its maximum; the intervals follow from the variance that was seen between deals
    (the "sandwich" of Huber), not from the number of games alone.
    """
    strengths = [0.0] * players
    free = [index for index in range(players) if index != anchor]
    for _ in range(_TURNS):
        slope, bend = _slope(strengths, pairings), _bend(strengths, pairings)
        step = _solve(_part(bend, free), [slope[index] for index in free])
        limited = [max(-_LONGEST_STEP, min(_LONGEST_STEP, change)) for change in step]
        for index, change in zip(free, limited, strict=True):
            strengths[index] += change
        if max(map(abs, limited), default=0.0) < 1e-10:
            break
    margins = dict(zip(free, _margins(strengths, pairings, free), strict=True))
    return [
        Rating(BASE + SCALE * strength, SCALE * margins.get(index, 0.0))
        for index, strength in enumerate(strengths)
    ]


def _share(strengths: Sequence[float], pairing: Pairing) -> float:
    return 1 / (1 + math.exp(strengths[pairing.second] - strengths[pairing.first]))


def _slope(strengths: Sequence[float], pairings: Sequence[Pairing]) -> list[float]:
    """By how much each has more points than his strength predicts."""
    slope = [0.0] * len(strengths)
    for one in pairings:
        excess = one.points + _DRAWN / 2 - (one.games + _DRAWN) * _share(strengths, one)
        slope[one.first] += excess
        slope[one.second] -= excess
    return slope


def _bend(strengths: Sequence[float], pairings: Sequence[Pairing]) -> Matrix:
    """The information that the games hold, which weighs each pair by how even it is."""
    weights = [
        (one.games + _DRAWN) * _share(strengths, one) * (1 - _share(strengths, one))
        for one in pairings
    ]
    return _laplacian(len(strengths), pairings, weights)


def _laplacian(size: int, pairings: Sequence[Pairing], weights: Sequence[float]) -> Matrix:
    matrix = [[0.0] * size for _ in range(size)]
    for one, weight in zip(pairings, weights, strict=True):
        for mine, theirs in ((one.first, one.second), (one.second, one.first)):
            matrix[mine][mine] += weight
            matrix[mine][theirs] -= weight
    return matrix


def _margins(
    strengths: Sequence[float], pairings: Sequence[Pairing], free: Sequence[int]
) -> list[float]:
    bend = _part(_bend(strengths, pairings), free)
    spread = _part(_laplacian(len(strengths), pairings, [one.variance for one in pairings]), free)
    margins = []
    for index in range(len(free)):
        unit = [float(index == other) for other in range(len(free))]
        row = _solve(bend, unit)
        seen = (sum(map(_product, line, row)) for line in spread)
        margins.append(Z * math.sqrt(max(0.0, math.fsum(map(_product, seen, row)))))
    return margins


def _product(one: float, other: float) -> float:
    return one * other


def _part(matrix: Matrix, kept: Sequence[int]) -> Matrix:
    return [[matrix[row][column] for column in kept] for row in kept]


def _solve(matrix: Matrix, right: Sequence[float]) -> list[float]:
    """The solution of a regular system of equations, by elimination with pivots."""
    rows = [[*line, value] for line, value in zip(matrix, right, strict=True)]
    for column in range(len(rows)):
        best = max(range(column, len(rows)), key=lambda row: abs(rows[row][column]))
        rows[column], rows[best] = rows[best], rows[column]
        top = [value / rows[column][column] for value in rows[column]]
        rows[column] = top
        for index, line in enumerate(rows):
            if index != column:
                factor = line[column]
                rows[index] = [a - factor * b for a, b in zip(line, top, strict=True)]
    return [line[-1] for line in rows]
