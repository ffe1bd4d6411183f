"""Results and ratings anew, from the logs, to the bit what they were.

The one thing taken over is the number that each game has on its ladders, because ratings depend
on the order of games; games without a number are rated last, in the order in which they ended.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final, TypeVar
from uuid import UUID

from django.db import connection, transaction

from games.models.games import Game
from games.models.results import (
    OVERALL,
    GameFinish,
    GameResult,
    Ladder,
    Rating,
    RatingChange,
)
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
_NO_TIMEOUTS: Final = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0"
_MAKE_LADDERS: Final = """
    INSERT INTO games_ladder (id, games, seasons) SELECT unnest(%s::varchar[]), 0, '{}'
    ON CONFLICT DO NOTHING
"""
# In the order in which games that end meanwhile take their two.
_LOCK_LADDERS: Final = """
    SELECT id FROM games_ladder WHERE %s OR id = ANY(%s) ORDER BY id COLLATE "C" FOR UPDATE
"""


def ladders_known() -> set[str]:
    """The ladders that somebody stands on, or would if their rows were there."""
    counted = set(GameFinish.objects.values_list("ladder", flat=True).distinct())
    return {*Ladder.objects.values_list("id", flat=True), *counted, *([OVERALL] if counted else ())}


def results_rebuild(
    progress: Progress, *, games: Collection[UUID] = (), ladders: Collection[str] = ()
) -> int:
    """Fold the logs of finished games into their result rows; how many games there are.

    All games, or those alone that are named, or that are of the named ladders. Games that were
    called off before their deal have no rows. Each batch is a transaction of its own: an
    interruption loses nothing but time.
    """
    finished = Game.objects.filter(status=Game.Status.FINISHED)
    if games:
        finished = finished.filter(pk__in=games)
    elif ladders and OVERALL not in ladders:
        finished = finished.filter(ruleset__in=ladders)
    done, total = 0, finished.count()
    ids = finished.order_by("pk").values_list("pk", flat=True)
    for batch in _batches(ids.iterator(BATCH)):
        with transaction.atomic():
            _results_store([game for game_id in batch for game in _finished(game_id)])
        done += len(batch)
        progress(done, total)
    return done


def ratings_rebuild(progress: Progress, *, ladders: Collection[str] = ()) -> int:
    """Rate every numbered game anew, in order, then those without a number; how many there are.

    Where ladders are named, the others stay as they are, and games without a number are left to the
    sweep. One transaction: boards show the old ratings until the new ones are complete, and games
    that end meanwhile are rated by the next sweep.
    """
    with transaction.atomic():
        _lock(ladders)
        done = _rate_anew(progress, ladders)
    while not ladders and (applied := ratings_apply_pending()):
        done += applied
    return done


def _lock(ladders: Collection[str]) -> None:
    with connection.cursor() as cursor:
        cursor.execute(_NO_TIMEOUTS)
        cursor.execute(_MAKE_LADDERS, [list(ladders or (OVERALL,))])
        cursor.execute(_LOCK_LADDERS, [not ladders, list(ladders)])


def _rate_anew(progress: Progress, ladders: Collection[str]) -> int:
    numbered = GameFinish.objects.exclude(overall_seq=None)
    ratings, changes = Rating.objects.all(), RatingChange.objects.all()
    if ladders:
        ratings, changes = ratings.filter(ladder__in=ladders), changes.filter(ladder__in=ladders)
        if OVERALL not in ladders:
            numbered = numbered.filter(ladder__in=ladders)
    done, total = 0, numbered.count()
    ratings.delete()
    changes.delete()
    ledger = _Ledger(ladders)
    # Numbers of a ladder and those of all games are given together: one order is the other.
    for batch in _batches(numbered.order_by("overall_seq").iterator(BATCH)):
        RatingChange.objects.bulk_create(ledger.play(rated_games(batch)))
        done += len(batch)
        progress(done, total)
    ledger.store()
    return done


class _Ledger:
    """All standings in memory while games are rated one after the other; `wanted` ladders only."""

    def __init__(self, wanted: Collection[str]) -> None:
        self._wanted = wanted
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
        made = game_changes(game, self._known)
        changes = [change for change in made if not self._wanted or change.ladder in self._wanted]
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
