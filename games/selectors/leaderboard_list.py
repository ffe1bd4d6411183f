"""Leaderboards: a page of one, and the neighbourhood of a player.

Boards are sorted by rating, equal ratings by player id, and paged by the last row seen. Players
of equal rating share a rank, which is one more than the number of players rated higher.
"""

from collections.abc import Sequence
from typing import NamedTuple
from uuid import UUID

import msgspec
from django.db.models import Count, Q, QuerySet

from games.models import Ladder, Rating


class Board(msgspec.Struct, frozen=True):
    """Which board: a ladder in a season, of one kind of player or all, provisional ones or not."""

    ladder: str
    season: str
    kind: str | None = None
    established: bool = False


class BoardRow(msgspec.Struct, frozen=True):
    """A player's line; `uncertainty` is one deviation in points of `rating`."""

    rank: int
    player_id: UUID
    player: str
    kind: str
    rating: int
    uncertainty: int
    provisional: bool
    games: int
    durak_count: int
    first_places: int
    draws: int
    points: int


class Position(NamedTuple):
    """Where a board is gone on from: the last player seen."""

    rating: int
    player_id: UUID


def ladder_list() -> list[Ladder]:
    """The ladders on which somebody stands."""
    return list(Ladder.objects.order_by("pk"))


def leaderboard_list(*, board: Board, after: Position | None, limit: int) -> list[BoardRow]:
    """At most `limit` players, best first, from behind `after` on."""
    rows = _rows(board)
    if after is None:
        return _ranked(board, list(rows[:limit]), first_page=True)
    return _ranked(board, list(rows.filter(_behind(after))[:limit]))


def leaderboard_around(*, board: Board, player_id: UUID, limit: int) -> list[BoardRow]:
    """At most `limit` players with this one in the middle; empty if he is not on the board."""
    own = _rows(board).filter(player_id=player_id).first()
    if own is None:
        return []
    place = Position(own.rating, own.player_id)
    before = _rows(board).filter(_before(place)).reverse()[: (limit - 1) // 2]
    above = list(before)[::-1]
    below = _rows(board).filter(_behind(place))[: limit - 1 - len(above)]
    return _ranked(board, [*above, own, *below])


def _rows(board: Board) -> QuerySet[Rating]:
    rows = Rating.objects.filter(ladder=board.ladder, season=board.season)
    if board.kind is not None:
        rows = rows.filter(kind=board.kind)
    if board.established:
        rows = rows.filter(provisional=False)
    return rows.select_related("player").order_by("-rating", "player_id")


def _behind(position: Position) -> Q:
    rating, player_id = position
    return Q(rating__lte=rating) & (Q(rating__lt=rating) | Q(player_id__gt=player_id))


def _before(position: Position) -> Q:
    rating, player_id = position
    return Q(rating__gte=rating) & (Q(rating__gt=rating) | Q(player_id__lt=player_id))


def _ranked(board: Board, rows: Sequence[Rating], *, first_page: bool = False) -> list[BoardRow]:
    if not rows:
        return []
    higher, before = (0, 0) if first_page else _ahead(board, rows[0])
    shown, rating = [], rows[0].rating
    for index, row in enumerate(rows):
        if row.rating != rating:
            rating, higher = row.rating, before + index
        shown.append(_board_row(higher + 1, row))
    return shown


def _ahead(board: Board, row: Rating) -> tuple[int, int]:
    """How many players are rated higher than this one, and how many stand before him."""
    place = Position(row.rating, row.player_id)
    ahead = _rows(board).order_by().filter(rating__gte=row.rating)
    counts = ahead.aggregate(
        higher=Count("pk", filter=Q(rating__gt=row.rating)),
        before=Count("pk", filter=_before(place)),
    )
    return counts["higher"], counts["before"]


def _board_row(rank: int, row: Rating) -> BoardRow:
    return BoardRow(
        rank=rank,
        player_id=row.player_id,
        player=row.player.name,
        kind=row.kind,
        rating=row.rating,
        uncertainty=row.uncertainty,
        provisional=row.provisional,
        games=row.games,
        durak_count=row.durak_count,
        first_places=row.first_places,
        draws=row.draws,
        points=row.points,
    )
