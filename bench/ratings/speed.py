"""What rating a game costs in CPU time: the arithmetic, and the fold of a rebuild around it."""

import random
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple
from uuid import UUID

from games.projections.ledger import Ledger
from games.projections.rating import START, Entry, rate_game
from games.projections.standings import Outcome, RatedGame

MILLION: Final = 1_000_000
MOST_FOLDED: Final = 100_000
WANTED: Final = 60.0
ARITHMETIC: Final = "rating arithmetic, both ladders"
FOLD: Final = "all that a rebuild does but reading and writing"
AT: Final = datetime(2026, 11, 1, tzinfo=UTC)


class Cost(NamedTuple):
    """Seconds of CPU time for so many games."""

    name: str
    games: int
    seconds: float

    @property
    def per_million(self) -> float:
        """Seconds for a million games."""
        return self.seconds / self.games * MILLION


def costs(games: int, players: int) -> list[Cost]:
    """Tables of two to six, drawn from so many players; the fold by `MOST_FOLDED` at most."""
    rng = random.Random("speed")
    people = [UUID(int=number) for number in range(players)]
    tables = [rng.sample(people, 2 + number % 5) for number in range(games)]
    rated = [_game(number, table) for number, table in enumerate(tables[:MOST_FOLDED], 1)]
    return [
        _timed(ARITHMETIC, games, lambda: _arithmetic(tables)),
        _timed(FOLD, len(rated), lambda: _folded(rated)),
    ]


def _timed(name: str, games: int, work: Callable[[], None]) -> Cost:
    started = time.process_time()
    work()
    return Cost(name, games, time.process_time() - started)


def _arithmetic(tables: Sequence[Sequence[UUID]]) -> None:
    known = dict.fromkeys({player for table in tables for player in table}, START)
    for table in tables:
        for _ in ("its own ladder", "overall"):
            entries = [Entry(player, known[player], place) for place, player in enumerate(table, 1)]
            after = rate_game(entries)
        known |= after


def _folded(games: Sequence[RatedGame]) -> None:
    ledger = Ledger(None)
    for game in games:
        for _ in ledger.play(game, {}):
            pass


def _game(number: int, table: Sequence[UUID]) -> RatedGame:
    last = len(table)
    outcomes = tuple(
        Outcome(player, "human", place, place == last, drew=False, points=0)
        for place, player in enumerate(table, 1)
    )
    numbers = (("throw_in", number), ("overall", number))
    return RatedGame(UUID(int=number), "2026Q4", AT, outcomes, numbers=numbers)
