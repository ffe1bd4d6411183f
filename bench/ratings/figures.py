"""What a model is judged by: order found, odds told, mean kept, the same again."""

import math
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from bench.ratings.models import Model
from bench.ratings.worlds import Played
from games.projections.rating import MU, START, Skill

BINS: Final = 10


class Figures(NamedTuple):
    """Of one simulated season.

    `found` is the rank correlation of ratings with true strength; `surprise` the mean log-loss of
    naming the durak beforehand, in the second half of the season, and `blind` that of naming
    nobody; `off` how far the odds told were from what came, in the mean; `drift` how far the mean
    of all players moved.
    """

    found: float
    surprise: float
    blind: float
    off: float
    drift: float


class Told(NamedTuple):
    """The odds that a seat would be durak, and how much of a durak it became."""

    odds: float
    came: float


def season_figures(model: Model, strengths: Sequence[float], games: Sequence[Played]) -> Figures:
    """Rate a season game by game."""
    skills = [START] * len(strengths)
    told: list[list[Told]] = []
    for number, game in enumerate(games):
        table = [skills[player] for player in game.players]
        if number >= len(games) // 2:
            told.append(_told(model.odds(table), game.order[-1]))
        for player, skill in zip(game.players, model.rate(table, game.order), strict=True):
            skills[player] = skill
    return Figures(
        found=rank_correlation([skill.mu for skill in skills], strengths),
        surprise=_mean(_surprise(game) for game in told),
        blind=_mean(math.log(len(game)) for game in told),
        off=_off([seat for game in told for seat in game]),
        drift=_mean(skill.mu for skill in skills) - MU,
    )


def final_skills(model: Model, players: int, games: Iterable[Played]) -> list[Skill]:
    """Where everybody stands after the season."""
    skills = [START] * players
    for game in games:
        table = [skills[player] for player in game.players]
        for player, skill in zip(game.players, model.rate(table, game.order), strict=True):
            skills[player] = skill
    return skills


def rank_correlation(one: Sequence[float], other: Sequence[float]) -> float:
    """Spearman's, of values without ties.

    >>> rank_correlation([1, 2, 3], [10, 20, 30]), rank_correlation([1, 2, 3], [9, 8, 7])
    (1.0, -1.0)
    """
    count = len(one)
    apart = sum((a - b) ** 2 for a, b in zip(_ranks(one), _ranks(other), strict=True))
    return 1 - 6 * apart / (count * (count**2 - 1))


def _ranks(values: Sequence[float]) -> list[int]:
    order = sorted(range(len(values)), key=lambda index: values[index])
    ranks = [0] * len(values)
    for rank, index in enumerate(order):
        ranks[index] = rank
    return ranks


def _told(odds: Sequence[float], last: Sequence[int]) -> list[Told]:
    return [
        Told(chance, 1 / len(last) if seat in last else 0.0) for seat, chance in enumerate(odds)
    ]


def _surprise(game: Sequence[Told]) -> float:
    return -math.fsum(seat.came * math.log(max(seat.odds, 1e-9)) for seat in game)


def _off(seats: Iterable[Told]) -> float:
    """Told and come are compared within tenths of the odds, each as heavy as its seats."""
    bins: dict[int, list[Told]] = {}
    for seat in seats:
        bins.setdefault(min(int(seat.odds * BINS), BINS - 1), []).append(seat)
    apart = [
        abs(math.fsum(seat.odds for seat in some) - math.fsum(seat.came for seat in some))
        for some in bins.values()
    ]
    return math.fsum(apart) / sum(map(len, bins.values()))


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return math.fsum(listed) / len(listed)
