"""Rating arithmetic: skills before a game to skills after it. No clock, no database, no chance.

Plackett–Luce (Weng & Lin 2011, algorithm 4), fed with the order of going out: the first out beat
everybody who went out later, the durak lost to all. Seats that share a place (a draw, a team that
lost) are ties. `make bench-ratings` compares it with models that ask only who became durak.

Sums run in the order of places and skills, so who sat where changes no bit, and seats of equal
skill that share a place get the same.

An account may hold several seats of one game (a bot does). Each seat takes part; the account gets
the mean of what its seats would get. It is one game played by one player: seats of the same
account that beat each other cancel out, and a table full of one bot moves that bot no further
than a single seat could.
"""

from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import exp, fsum, sqrt
from operator import itemgetter
from typing import Final, NamedTuple
from uuid import UUID

MU: Final = 25.0
SIGMA: Final = MU / 3
BETA: Final = SIGMA / 2
# Added to sigma before every game, so that nobody becomes too certain to move.
TAU: Final = SIGMA / 100
# The least that a game leaves of a variance.
KAPPA: Final = 0.0001
_TAU_2: Final = TAU**2
_BETA_2: Final = BETA**2
_place_and_skill: Final = itemgetter(2, 1)

# With little uncertainty 30 points of difference make the odds of an Elo difference of 30.
POINTS_PER_MU: Final = 30.0
NEWCOMER: Final = 1000
DEVIATIONS: Final = 3.0

# Sigma falls below it after some 20 games of two players, 45 games of six.
PROVISIONAL_SIGMA: Final = 5.0
PROVISIONAL_GAMES: Final = 15

# What a new season keeps: three quarters of the distance to the mean, and less certainty.
CARRIED_SHARE: Final = 0.75
CARRIED_SIGMA: Final = 4.0

# Grains of a mean: a power of two, so that the database and this module round alike.
GRAINS: Final = 2**20


class Skill(NamedTuple):
    """What is believed of a player: a normal distribution with this mean and deviation."""

    mu: float
    sigma: float


class Entry(NamedTuple):
    """One seat of a finished game: its account, what was believed of it, its place from 1."""

    player: UUID
    skill: Skill
    place: int


START: Final = Skill(MU, SIGMA)
# Cheaper than the constructor, which costs as much as the arithmetic.
_skill: Final = Skill._make


def rate_game(entries: Iterable[Entry]) -> dict[UUID, Skill]:
    """The skills after a game, by account; seats may come in any order.

    Raises ValueError unless at least two accounts took part.
    """
    ordered = sorted(entries, key=_place_and_skill)
    after = _plackett_luce(ordered) if ordered else []
    rated = {entry[0]: skill for entry, skill in zip(ordered, after, strict=True)}
    if len(rated) < 2:
        raise ValueError("a game is rated between two accounts or more")
    if len(rated) < len(ordered):
        seats: dict[UUID, list[Skill]] = {}
        for entry, skill in zip(ordered, after, strict=True):
            seats.setdefault(entry.player, []).append(skill)
        return {player: _mean(skills) for player, skills in seats.items()}
    return rated


def scaled(before: Skill, after: Skill, weight: float) -> Skill:
    """The skill after a game that counts `weight` (0 to 1) of a whole one.

    >>> scaled(Skill(25.0, 8.0), Skill(27.0, 7.0), 0.5)
    Skill(mu=26.0, sigma=7.5)
    """
    if weight == 1.0:
        return after
    return Skill(
        before.mu + weight * (after.mu - before.mu),
        before.sigma + weight * (after.sigma - before.sigma),
    )


def displayed(skill: Skill) -> int:
    """The rating that boards show: three deviations below the mean, a newcomer has 1000.

    >>> displayed(START), displayed(Skill(25.0, 3.0))
    (1000, 1480)
    """
    return NEWCOMER + round(POINTS_PER_MU * (skill.mu - DEVIATIONS * skill.sigma))


def uncertainty(skill: Skill) -> int:
    """One deviation in points of the board.

    >>> uncertainty(START)
    250
    """
    return round(POINTS_PER_MU * skill.sigma)


def is_provisional(skill: Skill, games: int) -> bool:
    """Whether too little is known of the player to take the rating at its word."""
    return games < PROVISIONAL_GAMES or skill.sigma >= PROVISIONAL_SIGMA


def carried(skill: Skill, drift: float = 0.0) -> Skill:
    """What a player starts a season with who ended an earlier one with `skill`.

    `drift` is how far the mean of all players had moved in that season: it is taken back.

    >>> carried(Skill(33.0, 2.0)), carried(Skill(33.0, 2.0), drift=-0.5)
    (Skill(mu=31.0, sigma=4.0), Skill(mu=31.375, sigma=4.0))
    """
    return Skill(MU + CARRIED_SHARE * (skill.mu - drift - MU), max(skill.sigma, CARRIED_SIGMA))


def grains(mu: float) -> int:
    """A mean in the unit in which means are added up, so that no order of adding matters."""
    return round(mu * GRAINS)


def drift_of(total: int, players: int) -> float:
    """How far the mean of so many players is from where all begin; `total` is in grains.

    >>> drift_of(grains(25.5) + grains(24.0), 2)
    -0.25
    """
    return total / (players * GRAINS) - MU if players else 0.0


def _plackett_luce(ordered: Sequence[Entry]) -> list[Skill]:
    """One skill after the game for each entry, of which there are some, sorted by place."""
    _, skills, places = zip(*ordered, strict=True)
    mus, sigmas = zip(*skills, strict=True)
    variances = [sigma**2 + _TAU_2 for sigma in sigmas]
    scale = sqrt(sum(variances) + len(mus) * _BETA_2)
    top = max(mus)
    shares = [exp((mu - top) / scale) for mu in mus]
    # Of those still in the game when a seat goes out, itself included: the sum of their shares.
    rest = list(accumulate(reversed(shares)))[::-1]
    after: list[Skill] = []
    # Sums over those who have gone out up to now, of one over the rest and of its square.
    inverse = squared = 0.0
    last = ties = 0
    for share, left, place, mu, variance in zip(shares, rest, places, mus, variances, strict=True):
        if place != last:
            last, ties = place, places.count(place)
            inverse += 1.0 / left
            squared += 1.0 / (left * left)
        lost = share * inverse
        ratio = sqrt(variance) / scale
        kept = max(1.0 - (lost - share * share * squared) * ratio * ratio * ratio, KAPPA)
        after.append(_skill((mu + variance / scale * (1.0 / ties - lost), sqrt(variance * kept))))
    return after


def _mean(skills: Sequence[Skill]) -> Skill:
    if len(skills) == 1:
        return skills[0]
    count = len(skills)
    mu = fsum(skill.mu for skill in skills) / count
    return Skill(mu, fsum(skill.sigma for skill in skills) / count)
