"""Results and ratings anew, from the logs, to the bit what they were.

The one thing taken over is the number that each game has on its ladders, because ratings depend
on the order of games; games without a number are rated last, in the order in which they ended.
"""

from collections.abc import Collection, Iterable, Iterator
from itertools import islice
from typing import Final, TypeVar
from uuid import UUID

from django.db import connection, transaction

from games.models.games import Game
from games.models.results import OVERALL, GameFinish, Ladder
from games.projections.numbering import NO_TIMEOUTS
from games.projections.ratings import ratings_apply_pending
from games.projections.refold import BEGINNING, Progress, refold
from games.projections.results import FinishedGame, finished_log, results_store
from games.store import log

T = TypeVar("T")
BATCH: Final = 500
# What one rebuild holds to its end another one writes in another order: they take turns.
_TAKE_TURN: Final = "SELECT pg_advisory_xact_lock(hashtext('games_projections'))"


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
            _take_turn()
            # A verdict that comes meanwhile is either read here or waits.
            held = Game.objects.select_for_update(no_key=True).filter(pk__in=batch).order_by("pk")
            list(held.values_list("pk"))
            results_store([game for game_id in batch for game in _finished(game_id)])
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
        _take_turn()
        done = refold(progress, dict.fromkeys(ladders, BEGINNING) if ladders else None)
    for voided in (False, True):
        while not ladders and (applied := ratings_apply_pending(voided=voided)):
            done += applied
    return done


def _take_turn() -> None:
    """Wait for whoever rebuilds, and from then on for anybody, as long as it takes."""
    with connection.cursor() as cursor:
        cursor.execute(NO_TIMEOUTS)
        cursor.execute(_TAKE_TURN)


def _finished(game_id: UUID) -> list[FinishedGame]:
    """The game's end; nothing if it was called off."""
    end = finished_log(game_id, log.events(game_id))
    return [] if end is None else [end]


def _batches(rows: Iterable[T]) -> Iterator[list[T]]:
    rest = iter(rows)
    while batch := list(islice(rest, BATCH)):
        yield batch
