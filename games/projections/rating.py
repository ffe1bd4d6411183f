"""Rating arithmetic: skills before a game to skills after it. No clock, no database, no chance.

Plackett–Luce (Weng & Lin 2011) by openskill, fed with the order of going out: the first out beat
everybody who went out later, the durak lost to all. One `rate` call a game. Seats that share a
place (a draw) are ties.

What openskill 6.2 does unasked, and how it is kept out: `rate(tau=0)` is ignored and
`rate(limit_sigma=…)` sticks to the model, so both are set when a ladder's model is made, never in
a call; sums run in the order of the teams, so seats are sorted first, and seats of equal skill
that share a place get the same, to the last bit, whoever sat where.

An account may hold several seats of one game (a bot does). Each seat takes part; the account gets
the mean of what its seats would get. It is one game played by one player: seats of the same
account that beat each other cancel out, and a table full of one bot moves that bot no further
than a single seat could.
"""

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final, NamedTuple
from uuid import UUID

from openskill.models import PlackettLuce

MU: Final = 25.0
SIGMA: Final = MU / 3
BETA: Final = SIGMA / 2
# Added to sigma before every game, so that nobody becomes too certain to move.
TAU: Final = SIGMA / 100
KAPPA: Final = 0.0001

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


def rate_game(ladder: str, entries: Iterable[Entry]) -> dict[UUID, Skill]:
    """The skills after a game, by account; seats may come in any order.

    Raises ValueError unless at least two accounts took part.
    """
    ordered = sorted(entries, key=_place_and_skill)
    if len({entry.player for entry in ordered}) < 2:
        raise ValueError("a game is rated between two accounts or more")
    model = _model(ladder)
    teams = [[model.rating(mu=entry.skill.mu, sigma=entry.skill.sigma)] for entry in ordered]
    rated = model.rate(teams, ranks=[float(entry.place) for entry in ordered])
    seats: dict[UUID, list[Skill]] = defaultdict(list)
    alike: dict[tuple[int, Skill], Skill] = {}
    for entry, (after,) in zip(ordered, rated, strict=True):
        skill = alike.setdefault(_place_and_skill(entry), Skill(after.mu, after.sigma))
        seats[entry.player].append(skill)
    return {player: _mean(skills) for player, skills in seats.items()}


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


def carried(skill: Skill) -> Skill:
    """What a player starts a season with who ended an earlier one with `skill`.

    >>> carried(Skill(33.0, 2.0))
    Skill(mu=31.0, sigma=4.0)
    """
    return Skill(MU + CARRIED_SHARE * (skill.mu - MU), max(skill.sigma, CARRIED_SIGMA))


def _place_and_skill(entry: Entry) -> tuple[int, Skill]:
    return entry.place, entry.skill


@cache
def _model(_ladder: str) -> PlackettLuce:
    return PlackettLuce(
        mu=MU, sigma=SIGMA, beta=BETA, kappa=KAPPA, tau=TAU, limit_sigma=False, balance=False
    )


def _mean(skills: Sequence[Skill]) -> Skill:
    count = len(skills)
    mu = math.fsum(skill.mu for skill in skills) / count
    return Skill(mu, math.fsum(skill.sigma for skill in skills) / count)
