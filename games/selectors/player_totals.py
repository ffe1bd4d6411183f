"""A player's totals on every ladder: of a season, or of all of them."""

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from operator import attrgetter
from uuid import UUID

import msgspec

from games.models import Rating


class Run(msgspec.Struct, frozen=True):
    """Games in a row: up to the last one, and the most there have been."""

    current: int
    best: int


class TotalsRow(msgspec.Struct, frozen=True):
    """What a player's games that count come to; `season` is null for all of them together.

    `not_durak` and `first` are games in a row without being durak, and in first place. They go on
    over the turn of a season.
    """

    ladder: str
    season: str | None
    games: int
    durak_count: int
    first_places: int
    draws: int
    points: int
    not_durak: Run
    first: Run
    last_game_at: datetime


def totals_list(*, player_id: UUID, season: str | None = None) -> list[TotalsRow]:
    """A row for each ladder with games of the player: of `season`, or else of all seasons."""
    rows = Rating.objects.filter(player_id=player_id)
    if season is not None:
        rows = rows.filter(season=season)
    ladders = groupby(rows.order_by("ladder", "season"), key=attrgetter("ladder"))
    return [_totals(ladder, season, list(seasons)) for ladder, seasons in ladders]


def _totals(ladder: str, season: str | None, rows: list[Rating]) -> TotalsRow:
    """Of rows in the order of their seasons."""
    last = rows[-1]
    return TotalsRow(
        ladder=ladder,
        season=season,
        games=_sum(rows, "games"),
        durak_count=_sum(rows, "durak_count"),
        first_places=_sum(rows, "first_places"),
        draws=_sum(rows, "draws"),
        points=_sum(rows, "points"),
        not_durak=Run(last.safe_run, max(row.safe_best for row in rows)),
        first=Run(last.first_run, max(row.first_best for row in rows)),
        last_game_at=max(row.updated_at for row in rows),
    )


def _sum(rows: Iterable[Rating], field: str) -> int:
    return sum(getattr(row, field) for row in rows)
