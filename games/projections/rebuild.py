"""Results and ratings anew, from the logs, to the bit what they were.

The one thing taken over is the number that each game has on its ladders, because ratings depend
on the order of games; games without a number are rated last, in the order in which they ended.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, TypeVar
from uuid import UUID

from django.db import connection, transaction

from games.models.games import Game
from games.models.results import GameFinish, GameResult, Ladder, Rating, RatingChange
from games.projections.ratings import rated_games, ratings_apply_pending
from games.projections.results import FinishedGame, finish_row, finished_game, result_rows, unrated
from games.projections.standings import (
    Change,
    RatedGame,
    Standing,
    change_row,
    game_changes,
    rating_row,
)
from games.rules.events import GameFinished
from games.rules.game import fold
from games.store import log

T = TypeVar("T")
# Called after each batch with the number of games done and of all.
Progress = Callable[[int, int], None]
BATCH: Final = 500
_RESULT: Final = (
    "player",
    "ladder",
    "place",
    "players",
    "shared",
    "is_durak",
    "drew",
    "points",
    "unrated",
    "private",
    "finished_at",
)
# In the order in which games that end meanwhile take their two.
_LOCK_LADDERS: Final = """
    SET LOCAL statement_timeout = 0;
    SET LOCAL lock_timeout = 0;
    INSERT INTO games_ladder (id, games, seasons) VALUES ('overall', 0, '{}')
        ON CONFLICT DO NOTHING;
    SELECT id FROM games_ladder ORDER BY id COLLATE "C" FOR UPDATE
"""


def results_rebuild(progress: Progress) -> int:
    """Fold the log of every finished game into its result rows; how many games there are.

    Games that were called off before their deal have no rows. Each batch is a transaction of its
    own: an interruption loses nothing but time.
    """
    games = Game.objects.filter(status=Game.Status.FINISHED)
    done, total = 0, games.count()
    ids = games.order_by("pk").values_list("pk", flat=True)
    for batch in _batches(ids.iterator(BATCH)):
        with transaction.atomic():
            _results_store([game for game_id in batch for game in _finished(game_id)])
        done += len(batch)
        progress(done, total)
    return done


def ratings_rebuild(progress: Progress) -> int:
    """Rate every numbered game anew, in order, then those without a number; how many there are.

    One transaction: boards show the old ratings until the new ones are complete, and games that
    end meanwhile are rated by the next sweep.
    """
    numbered = GameFinish.objects.exclude(overall_seq=None)
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(_LOCK_LADDERS)
        done, total = 0, numbered.count()
        Rating.objects.all().delete()
        RatingChange.objects.all().delete()
        ledger = _Ledger()
        for batch in _batches(numbered.order_by("overall_seq").iterator(BATCH)):
            RatingChange.objects.bulk_create(ledger.play(rated_games(batch)))
            done += len(batch)
            progress(done, total)
        ledger.store()
    while applied := ratings_apply_pending():
        done += applied
    return done


class _Ledger:
    """All standings in memory while games are rated one after the other."""

    def __init__(self) -> None:
        self._known: dict[tuple[str, UUID], dict[str, Standing]] = defaultdict(dict)
        self._last: dict[tuple[str, UUID, str], tuple[RatedGame, Change]] = {}
        self._ladders: dict[str, Ladder] = {}

    def play(self, games: Iterable[RatedGame]) -> list[RatingChange]:
        """Rate the games; the rows of what changed."""
        return [change_row(game, change) for game in games for change in self._play(game)]

    def store(self) -> None:
        """Write where everybody stands in the end, and how far each ladder has counted."""
        ratings = (rating_row(game, change) for game, change in self._last.values())
        Rating.objects.bulk_create(ratings, batch_size=BATCH)
        Ladder.objects.bulk_create(
            self._ladders.values(),
            update_conflicts=True,
            unique_fields=["id"],
            update_fields=["games", "seasons"],
        )

    def _play(self, game: RatedGame) -> list[Change]:
        changes = game_changes(game, self._known)
        for change in changes:
            self._known[change.ladder, change.player][game.season] = change.after
            self._last[change.ladder, change.player, game.season] = (game, change)
            ladder = self._ladders.setdefault(change.ladder, Ladder(id=change.ladder))
            ladder.games = change.seq
            if game.season not in ladder.seasons:
                ladder.seasons.append(game.season)
        return changes


def _finished(game_id: UUID) -> list[FinishedGame]:
    """The game's end; nothing if it was called off."""
    stored = log.events(game_id)
    game = fold(None, tuple(one.event for one in stored))
    ends = [one.at for one in stored if isinstance(one.event, GameFinished)]
    return [finished_game(game_id, game, at) for at in ends]


def _results_store(games: Sequence[FinishedGame]) -> None:
    GameResult.objects.bulk_create(
        [row for game in games for row in result_rows(game)],
        update_conflicts=True,
        unique_fields=["game", "seat"],
        update_fields=_RESULT,
    )
    GameFinish.objects.bulk_create(
        [finish_row(game) for game in games if not unrated(game)],
        update_conflicts=True,
        unique_fields=["game"],
        update_fields=["ladder", "finished_at"],
    )
    GameFinish.objects.filter(pk__in=[game.game_id for game in games if unrated(game)]).delete()


def _batches(rows: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(rows)
    while batch := list(islice(rest, BATCH)):
        yield batch
