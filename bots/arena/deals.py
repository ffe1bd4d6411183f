"""A deal played from every seat, and what it says of two contestants."""

from collections.abc import Sequence
from math import fsum

import msgspec

from bots.arena.contestants import Contestant
from bots.arena.pairing import Meeting, line_ups
from bots.arena.play import Played, play_game


class DealResult(msgspec.Struct, frozen=True):
    """What one deal gave: `score` is the first side's share of points, a draw is half.

    `lost` counts the games that the first side lost; `faults` are those of first and second,
    `fault` describes one of them.
    """

    score: float
    games: int
    draws: int
    lost: int
    moves: int
    faults: tuple[int, int] = (0, 0)
    fault: str = ""


def play_deal(meeting: Meeting, pool: Sequence[Contestant], seed: str) -> DealResult:
    """Play a deal in all its line-ups; it follows from `seed`, whoever plays it."""
    points, games = [], []
    for line_up in line_ups(meeting):
        played = play_game(meeting.rules, [pool[index] for index in line_up], seed)
        points.append(_points(played, line_up, meeting.first))
        games.append((played, line_up))
    faults = [(line_up[p.faulty], p.fault) for p, line_up in games if p.faulty is not None]
    of_first = sum(1 for who, _ in faults if who == meeting.first)
    return DealResult(
        score=fsum(points) / len(points),
        games=len(games),
        draws=sum(1 for played, _ in games if not played.losers),
        lost=sum(1 for point in points if point == 0),
        moves=sum(played.moves for played, _ in games),
        faults=(of_first, len(faults) - of_first),
        fault=faults[0][1] if faults else "",
    )


def _points(played: Played, line_up: Sequence[int], first: int) -> float:
    """What the first side gets: nothing for a durak of its own, half where both sides have one."""
    if not played.losers:
        return 0.5
    own = sum(1 for seat in played.losers if line_up[seat] == first)
    return 1 - own / len(played.losers)
