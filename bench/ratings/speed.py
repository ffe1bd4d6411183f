"""What rating a game costs in CPU time: the arithmetic, and the fold of a rebuild around it."""

import random
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple
from uuid import UUID

from games.projections.rating import START, Entry, rate_game

MILLION: Final = 1_000_000
AT: Final = datetime(2026, 11, 1, tzinfo=UTC)


class Cost(NamedTuple):
    """Seconds of CPU time for so many games on both ladders."""

    name: str
    games: int
    seconds: float

    @property
    def per_million(self) -> float:
        """Seconds for a million games."""
        return self.seconds / self.games * MILLION


def costs(games: int, players: int) -> list[Cost]:
    """Tables of two to six, drawn from so many players."""
    rng = random.Random("speed")
    people = [UUID(int=number) for number in range(players)]
    tables = [rng.sample(people, 2 + number % 5) for number in range(games)]
    return [
        _timed("rating arithmetic", games, lambda: _arithmetic(tables)),
        _timed("the whole fold of a rebuild", games, lambda: _folded(tables)),
    ]


def _timed(name: str, games: int, work: Callable[[], None]) -> Cost:
    started = time.process_time()
    work()
    return Cost(name, games, time.process_time() - started)


def _arithmetic(tables: Sequence[Sequence[UUID]]) -> None:
    known = dict.fromkeys({player for table in tables for player in table}, START)
    for table in tables:
        entries = [Entry(player, known[player], place) for place, player in enumerate(table, 1)]
        rate_game(entries)
        known |= rate_game(entries)
