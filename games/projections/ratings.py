"""From result rows to ratings, once for each game.

A game is numbered on its ladder and on `overall` under a lock on both ladders that is held until
its changes are committed: games of a ladder are applied one after the other, in the order of
their numbers, and a rebuild that follows the numbers comes to the same ratings.
"""

import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.db import DatabaseError, connection, transaction
from django.utils import timezone

from games.models.results import OVERALL, GameFinish, GameResult, Rating, RatingChange
from games.projections.seasons import season_of
from games.projections.standings import (
    Outcome,
    RatedGame,
    Standing,
    change_row,
    game_changes,
    rating_row,
    standing_of,
)

# A game whose last move is just being answered is left to that request.
PENDING_AFTER: Final = timedelta(seconds=2)
PENDING_BATCH: Final = 200
TOTALS: Final = (
    "kind",
    "mu",
    "sigma",
    "rating",
    "uncertainty",
    "provisional",
    "games",
    "durak_count",
    "first_places",
    "draws",
    "points",
    "safe_run",
    "safe_best",
    "first_run",
    "first_best",
    "updated_seq",
    "updated_at",
)
# Rows are locked in the order of VALUES, which is sorted: no two games wait for each other.
_NUMBER: Final = """
    INSERT INTO games_ladder AS ladder (id, games, seasons)
    VALUES (%(first)s, 1, ARRAY[%(season)s]::varchar[]),
           (%(second)s, 1, ARRAY[%(season)s]::varchar[])
    ON CONFLICT (id) DO UPDATE SET
        games = ladder.games + 1,
        seasons = CASE WHEN ladder.seasons @> EXCLUDED.seasons THEN ladder.seasons
                       ELSE ladder.seasons || EXCLUDED.seasons END
    RETURNING id, games
"""

_log = logging.getLogger("games.ratings")


def ratings_apply(game_id: UUID) -> bool:
    """Apply a finished game's result to its ladders; True if this call did it.

    Called after the commit of the last move. A game that does not count, or is done already,
    changes nothing. A database that refuses is logged: `ratings_apply_pending` comes back to it.
    """
    try:
        return ratings_apply_strictly(game_id)
    except (DatabaseError, ArithmeticError, ValueError):
        _log.warning("ratings of game %s wait for the next sweep", game_id, exc_info=True)
        return False


def ratings_apply_strictly(game_id: UUID) -> bool:
    """The same, but raises DatabaseError."""
    with transaction.atomic():
        waiting = GameFinish.objects.select_for_update(no_key=True).filter(rated_at=None)
        finish = waiting.filter(pk=game_id).first()
        if finish is None:
            return False
        _apply(finish)
    return True


def ratings_apply_pending() -> int:
    """Apply, oldest first, games that a crash or a busy ladder left without; how many were."""
    old = GameFinish.objects.filter(rated_at=None, finished_at__lt=timezone.now() - PENDING_AFTER)
    ids = old.order_by("finished_at", "game_id").values_list("pk", flat=True)[:PENDING_BATCH]
    return sum(ratings_apply(game_id) for game_id in ids)


def rated_games(finishes: Iterable[GameFinish]) -> list[RatedGame]:
    """Games that have their numbers, with how their seats ended."""
    games = list(finishes)
    outcomes = _outcomes([game.pk for game in games])
    return [_rated_game(game, outcomes[game.pk]) for game in games]


def _apply(finish: GameFinish) -> None:
    outcomes = _outcomes([finish.pk])[finish.pk]
    numbers = _number(finish.ladder, season_of(finish.finished_at))
    finish.ladder_seq, finish.overall_seq = numbers[finish.ladder], numbers[OVERALL]
    game = _rated_game(finish, outcomes)
    changes = game_changes(game, _known(game))
    Rating.objects.bulk_create(
        [rating_row(game, change) for change in changes],
        update_conflicts=True,
        unique_fields=["player", "ladder", "season"],
        update_fields=TOTALS,
    )
    RatingChange.objects.bulk_create([change_row(game, change) for change in changes])
    finish.rated_at = timezone.now()
    finish.save(update_fields=["ladder_seq", "overall_seq", "rated_at"])


def _rated_game(finish: GameFinish, outcomes: Iterable[Outcome]) -> RatedGame:
    if finish.ladder_seq is None or finish.overall_seq is None:
        raise ValueError(f"game {finish.pk} has no number yet")
    return RatedGame(
        game_id=finish.pk,
        ladder=finish.ladder,
        season=season_of(finish.finished_at),
        finished_at=finish.finished_at,
        ladder_seq=finish.ladder_seq,
        overall_seq=finish.overall_seq,
        outcomes=tuple(outcomes),
    )


def _outcomes(game_ids: Sequence[UUID]) -> dict[UUID, list[Outcome]]:
    rows = GameResult.objects.filter(game_id__in=game_ids).select_related("player")
    found: dict[UUID, list[Outcome]] = {game_id: [] for game_id in game_ids}
    for row in rows:
        points, kind = row.points or 0, row.player.kind
        outcome = Outcome(row.player_id, kind, row.place, row.is_durak, row.drew, points)
        found[row.game_id].append(outcome)
    return found


def _number(ladder: str, season: str) -> dict[str, int]:
    first, second = sorted((ladder, OVERALL))
    with connection.cursor() as cursor:
        cursor.execute(_NUMBER, {"first": first, "second": second, "season": season})
        return dict(cursor.fetchall())


def _known(game: RatedGame) -> dict[tuple[str, UUID], dict[str, Standing]]:
    rows = Rating.objects.filter(
        player__in={outcome.player for outcome in game.outcomes},
        ladder__in=(game.ladder, OVERALL),
        season__lte=game.season,
    )
    known: dict[tuple[str, UUID], dict[str, Standing]] = defaultdict(dict)
    for row in rows:
        known[row.ladder, row.player_id][row.season] = standing_of(row)
    return known
