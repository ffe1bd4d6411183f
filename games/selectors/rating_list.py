"""A player's ratings and their history."""

from collections.abc import Iterable
from datetime import date, datetime
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from django.db import connection
from django.db.models import Q

from games.models import GameResult, Rating, RatingChange

# Changes that a page of days may walk over: whoever plays more in a day has pages of fewer days.
MOST_WALKED: Final = 1_000
# Games near midnight may be numbered in another order than they ended in: a day that was begun
# stays the day until an earlier one comes.
_DAYS: Final = """
    WITH walked AS MATERIALIZED (
        SELECT id, seq, (finished_at AT TIME ZONE 'UTC')::date AS day FROM games_ratingchange
        WHERE player_id = %(player)s AND ladder = %(ladder)s AND seq < %(seq)s
        ORDER BY seq DESC LIMIT %(most)s
    ), dated AS (
        SELECT id, seq, min(day) OVER (ORDER BY seq DESC) AS day FROM walked
    ), closing AS (
        SELECT *, lag(day, 1, %(day)s::date) OVER (ORDER BY seq DESC) AS later FROM dated
    )
    SELECT id, seq, day, 0 FROM closing WHERE day < later
    UNION ALL SELECT NULL, min(seq), min(day), count(*) FROM dated
    ORDER BY 4, 2 DESC
"""


class DayPosition(NamedTuple):
    """Where a history by days is gone on from: the last change looked at, and its day."""

    seq: int
    day: date


class HistoryRow(msgspec.Struct, frozen=True):
    """A change of a rating; `game` is null for a private game, except to who sat at it."""

    seq: int
    game: UUID | None
    season: str
    place: int
    rating_before: int
    rating_after: int
    finished_at: datetime


def rating_list(*, player_id: UUID, season: str | None = None) -> list[Rating]:
    """Where a player stands on each of his ladders, in `season` or else in his last there."""
    rows = Rating.objects.filter(player_id=player_id)
    if season is not None:
        rows = rows.filter(season=season)
    return list(rows.order_by("ladder", "-season").distinct("ladder"))


def rating_history_list(
    *,
    player_id: UUID,
    ladder: str,
    viewer_id: UUID | None = None,
    before: int | None = None,
    limit: int,
) -> list[HistoryRow]:
    """At most `limit` changes on a ladder, newest first, numbered below `before`."""
    changes = RatingChange.objects.filter(player_id=player_id, ladder=ladder)
    if before is not None:
        changes = changes.filter(seq__lt=before)
    return _shown(changes.order_by("-seq")[:limit], viewer_id)


def rating_day_list(
    *,
    player_id: UUID,
    ladder: str,
    viewer_id: UUID | None = None,
    before: DayPosition | None = None,
    limit: int,
) -> tuple[list[HistoryRow], DayPosition | None]:
    """The last change of each day (UTC), newest first, and where to go on, None at the end.

    At most `limit`, and fewer, even none, where `MOST_WALKED` changes fill fewer days.
    """
    seq, day = before or DayPosition(2**63 - 1, date.max)
    wanted: dict[str, Any] = {"player": player_id, "ladder": ladder, "seq": seq, "day": day}
    with connection.cursor() as cursor:
        cursor.execute(_DAYS, wanted | {"most": MOST_WALKED})
        *closing, (_, last, earliest, walked) = cursor.fetchall()
    changes = RatingChange.objects.filter(pk__in=[change for change, *_ in closing[:limit]])
    rest = None
    if len(closing) > limit:
        rest = DayPosition(*closing[limit - 1][1:3])
    elif walked == MOST_WALKED:
        rest = DayPosition(last, earliest)
    return _shown(changes.order_by("-seq"), viewer_id), rest


def _shown(changes: Iterable[RatingChange], viewer_id: UUID | None) -> list[HistoryRow]:
    rows = list(changes)
    who_sees = Q(private=False) | (Q(player_id=viewer_id) if viewer_id else Q())
    seats = GameResult.objects.filter(who_sees, game_id__in=[row.game_id for row in rows])
    shown = set(seats.values_list("game_id", flat=True))
    return [_history_row(row, row.game_id in shown) for row in rows]


def _history_row(change: RatingChange, is_shown: bool) -> HistoryRow:
    return HistoryRow(
        seq=change.seq,
        game=change.game_id if is_shown else None,
        season=change.season,
        place=change.place,
        rating_before=change.rating_before,
        rating_after=change.rating_after,
        finished_at=change.finished_at,
    )
