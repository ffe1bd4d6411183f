"""A game's numbers, given under the locks of its ladders; and seasons that begin with a game."""

import logging
from typing import Final

from django.db import connection

from games.models.results import OVERALL
from games.projections.rating import GRAINS, drift_of
from games.projections.standings import Placing

_log = logging.getLogger("games.ratings")
NO_TIMEOUTS: Final = "SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = 0"
# Rows are locked in the order of VALUES, which is sorted: no two games wait for each other.
# A ladder never goes back to a season: what ended it stays as it was.
_BEGINS: Final = """
    ladder.seasons = '{}'
    OR ladder.seasons[cardinality(ladder.seasons)] COLLATE "C" < EXCLUDED.seasons[1] COLLATE "C"
"""
_UPSERT: Final = """
    INSERT INTO games_ladder AS ladder (id, games, seasons, starts, drifts)
    VALUES (%(first)s, 1, ARRAY[%(season)s]::varchar[], ARRAY[1], ARRAY[]::float8[]),
           (%(second)s, 1, ARRAY[%(season)s]::varchar[], ARRAY[1], ARRAY[]::float8[])
    ON CONFLICT (id) DO UPDATE SET
        games = ladder.games + 1,
        seasons = CASE WHEN {begins} THEN ladder.seasons || EXCLUDED.seasons
                       ELSE ladder.seasons END,
        starts = CASE WHEN {begins} THEN ladder.starts || (ladder.games + 1) ELSE ladder.starts END
    RETURNING id, games, seasons, drifts
"""
_NUMBER: Final = _UPSERT.format(begins=_BEGINS)
_MEANS: Final = """
    SELECT COALESCE(sum((mu * %s)::bigint), 0)::bigint, count(*) FROM games_rating
    WHERE ladder = %s AND season = %s
"""
_DRIFTED: Final = "UPDATE games_ladder SET drifts = drifts || %s::float8 WHERE id = %s"


def game_placings(ladder: str, season: str) -> tuple[Placing, Placing]:
    """Number a game on its ladder and on `overall`; both stay locked until the commit.

    The first game of a season puts an end to the one before it.
    """
    first, second = sorted((ladder, OVERALL))
    with connection.cursor() as cursor:
        cursor.execute(_NUMBER, {"first": first, "second": second, "season": season})
        rows = {row[0]: row for row in cursor.fetchall()}
    return _placing(*rows[ladder]), _placing(*rows[OVERALL])


def _placing(ladder: str, games: int, seasons: list[str], drifts: list[float]) -> Placing:
    ended = [_end(ladder, season) for season in seasons[len(drifts) : -1]]
    known = dict(zip(seasons[:-1], (*drifts, *ended), strict=True))
    return Placing(ladder, games, seasons[-1], known)


def _end(ladder: str, season: str) -> float:
    """How far the mean of the season's players had moved in the end: written down once."""
    with connection.cursor() as cursor:
        cursor.execute(NO_TIMEOUTS)
        cursor.execute(_MEANS, [float(GRAINS), ladder, season])
        total, players = cursor.fetchone()
        drift = drift_of(total, players)
        cursor.execute(_DRIFTED, [drift, ladder])
    _log.info("%s: season %s ended, %d players, mean drift %+.3f", ladder, season, players, drift)
    return drift
