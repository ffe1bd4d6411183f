"""What rating a game costs in CPU time: the arithmetic, and the fold of a rebuild around it."""

import gc
import random
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final, NamedTuple, TypeVar
from uuid import UUID

from games.projections.ledger import Ledger
from games.projections.rating import START, Entry, rate_game
from games.projections.standings import Outcome, RatedGame

T = TypeVar("T")
BLOCKS: Final = 50
MILLION: Final = 1_000_000
MOST_FOLDED: Final = 100_000
WANTED: Final = 60.0
ARITHMETIC: Final = "rating arithmetic, both ladders"
FOLD: Final = "all that a rebuild does but reading and writing"
AT: Final = datetime(2026, 11, 1, tzinfo=UTC)


class Cost(NamedTuple):
    """Seconds of CPU time for so many games, in blocks of the same size."""

    name: str
    games: int
    blocks: tuple[float, ...]

    @property
    def per_million(self) -> float:
        """Seconds for a million games."""
        return self._million(sum(self.blocks))

    @property
    def undisturbed(self) -> float:
        """The same by the cheapest block: company makes CPU time dearer."""
        return self._million(min(self.blocks) * len(self.blocks))

    def _million(self, seconds: float) -> float:
        return seconds / self.games * MILLION


def costs(games: int, players: int) -> list[Cost]:
    """Tables of two to six, drawn from so many players; the fold by `MOST_FOLDED` at most."""
    rng = random.Random("speed")
    people = [UUID(int=number) for number in range(players)]
    tables = [rng.sample(people, 2 + number % 5) for number in range(games)]
    rated = [_game(number, table) for number, table in enumerate(tables[:MOST_FOLDED], 1)]
    # A rebuild reads its games one after the other: no collector looks through a million of them.
    gc.freeze()
    found = [
        _timed(ARITHMETIC, games, _arithmetic(tables)),
        _timed(FOLD, len(rated), _folded(rated)),
    ]
    gc.unfreeze()
    return found


def _timed(name: str, games: int, work: Iterator[None]) -> Cost:
    """Run to the end; blocks are what happens between one `yield` and the next."""
    next(work)
    blocks, started = [], time.process_time()
    for _ in work:
        now = time.process_time()
        blocks.append(now - started)
        started = now
    return Cost(name, games, tuple(blocks))


def _blocks(games: Sequence[T]) -> Iterator[Sequence[T]]:
    size = max(len(games) // BLOCKS, 1)
    return (games[first : first + size] for first in range(0, len(games) // size * size, size))


def _arithmetic(tables: Sequence[Sequence[UUID]]) -> Iterator[None]:
    known = dict.fromkeys({player for table in tables for player in table}, START)
    yield
    for block in _blocks(tables):
        for table in block:
            for _ in ("its own ladder", "overall"):
                entries = [
                    Entry(player, known[player], place) for place, player in enumerate(table, 1)
                ]
                after = rate_game(entries)
            known |= after
        yield


def _folded(games: Sequence[RatedGame]) -> Iterator[None]:
    ledger = Ledger(None)
    yield
    for block in _blocks(games):
        for game in block:
            for _ in ledger.play(game, {}):
                pass
        yield


def _game(number: int, table: Sequence[UUID]) -> RatedGame:
    last = len(table)
    outcomes = tuple(
        Outcome(player, "human", place, place == last, drew=False, points=0)
        for place, player in enumerate(table, 1)
    )
    numbers = (("throw_in", number), ("overall", number))
    return RatedGame(UUID(int=number), "2026Q4", AT, outcomes, numbers=numbers)
