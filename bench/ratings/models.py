"""The contenders: what each makes of a game, and what it expects of the next one."""

import math
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Final, NamedTuple
from uuid import UUID

from bench.ratings.worlds import Order
from games.projections.rating import BETA, KAPPA, TAU, Entry, Skill, rate_game

Skills = Sequence[Skill]


class Model(NamedTuple):
    """A way to rate; `odds` are the chances that each seat becomes the durak."""

    name: str
    rate: Callable[[Skills, Order], list[Skill]]
    odds: Callable[[Skills], list[float]]


def by_order(skills: Skills, order: Order) -> list[Skill]:
    """Plackett–Luce on the order of going out, as boards use it."""
    place = {seat: 1 + number for number, group in enumerate(order) for seat in group}
    players = [UUID(int=seat) for seat in range(len(skills))]
    entries = [Entry(players[seat], skill, place[seat]) for seat, skill in enumerate(skills)]
    after = rate_game(entries)
    return [after[player] for player in players]


def by_winners_tied(skills: Skills, order: Order) -> list[Skill]:
    """The same, where all that is told is who was last."""
    if len(order) > 2:
        order = (tuple(seat for group in order[:-1] for seat in group), order[-1])
    return by_order(skills, order)


def by_loser(skills: Skills, order: Order) -> list[Skill]:
    """Plackett–Luce from behind, its first stage only: one choice, of who is the durak."""
    loose = [Skill(mu, math.hypot(sigma, TAU)) for mu, sigma in skills]
    scale = _spread(loose, 2 / len(loose))
    after = []
    for seat, (skill, odds) in enumerate(zip(loose, loser_odds(loose), strict=True)):
        lost = 1 / len(order[-1]) if seat in order[-1] else 0.0
        mu = skill.mu + skill.sigma**2 / scale * (odds - lost)
        left = max(1 - (skill.sigma / scale) ** 3 * odds * (1 - odds), KAPPA)
        after.append(Skill(mu, skill.sigma * math.sqrt(left)))
    return after


def loser_odds(skills: Skills) -> list[float]:
    """The weaker, the likelier to be chosen."""
    scale = _spread(skills, 2 / len(skills))
    shares = [math.exp((50 - skill.mu) / scale) for skill in skills]
    return [share / math.fsum(shares) for share in shares]


def last_odds(skills: Skills) -> list[float]:
    """The chance to be the last in an order by Plackett–Luce, over all sets of others behind."""
    scale = _spread(skills, 1)
    shares = [math.exp((skill.mu - 50) / scale) for skill in skills]
    return [_last(seat, shares) for seat in range(len(shares))]


def _last(seat: int, shares: Sequence[float]) -> float:
    others = [share for other, share in enumerate(shares) if other != seat]
    return math.fsum(
        (-1) ** size * shares[seat] / (shares[seat] + math.fsum(some))
        for size in range(len(shares))
        for some in combinations(others, size)
    )


def _spread(skills: Skills, share: float) -> float:
    return math.sqrt(share * math.fsum(skill.sigma**2 + BETA**2 for skill in skills))


USED: Final = "order of going out (used)"
MODELS: Final = (
    Model(USED, by_order, last_odds),
    Model("who is durak, others tied", by_winners_tied, last_odds),
    Model("loser choice", by_loser, loser_odds),
)
