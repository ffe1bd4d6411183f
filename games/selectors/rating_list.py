"""A player's ratings and their history."""

from datetime import datetime
from uuid import UUID

import msgspec
from django.db.models import Exists, OuterRef, Q

from games.models import GameResult, Rating, RatingChange


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
    who_sees = Q(private=False) | (Q(player_id=viewer_id) if viewer_id else Q())
    seats = GameResult.objects.filter(who_sees, game_id=OuterRef("game_id"))
    known = changes.annotate(is_shown=Exists(seats)).order_by("-seq")[:limit]
    return [_history_row(change, change.is_shown) for change in known]


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
