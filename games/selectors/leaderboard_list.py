"""Leaderboards: a page of one, and the neighbourhood of a player.

Boards are sorted by rating, equal ratings by player id, both downwards, and paged by the last row
seen. Players of equal rating share a rank, which is one more than the number of players rated
higher.

Whatever the size of a board, a page is read along an index from where the last one ended: along
one index for everybody, along the classes that a filter leaves otherwise, whose first rows are
merged. Ranks come from counts.
"""

from collections.abc import Iterator, Mapping, Sequence
from operator import attrgetter
from typing import Any, Final, Literal, NamedTuple
from uuid import UUID

import msgspec
from django.db import connection
from msgspec.structs import replace

from games.models import Ladder
from games.models.board_classes import classes_of
from games.selectors.board_ranks import Range, ranks_get

Direction = Literal["down", "up"]
_SHOWN: Final = """
    r.rating, r.player_id, p.name, r.kind, r.uncertainty, r.provisional, r.games, r.durak_count,
    r.first_places, r.draws, r.points
"""
_NAMED: Final = """
    SELECT {shown} FROM ({rows}) AS r JOIN games_player AS p ON p.id = r.player_id {order}
"""
_OWN: Final = """
    SELECT * FROM games_rating
    WHERE ladder = %(ladder)s AND season = %(season)s AND player_id = %(player)s
        AND board_class = ANY(%(classes)s)
"""
_WALK: Final = """
    SELECT {columns} FROM games_rating
    WHERE ladder = %(ladder)s AND season = %(season)s {narrowed} {start} {order} LIMIT {limit:d}
"""
_MERGE: Final = """
    SELECT whole.* FROM (
        SELECT one.* FROM unnest(%(classes)s::smallint[]) AS class (id)
        CROSS JOIN LATERAL ({walk}) AS one
        {order} LIMIT {limit:d}
    ) AS page
    JOIN games_rating AS whole ON whole.player_id = page.player_id
        AND whole.ladder = %(ladder)s AND whole.season = %(season)s
"""
# All of one moment: who moves meanwhile is neither there twice nor left out.
_AROUND: Final = """
    WITH own AS MATERIALIZED ({own}) {named}
    UNION ALL SELECT near.* FROM own CROSS JOIN LATERAL ({above}) AS near
    UNION ALL SELECT near.* FROM own CROSS JOIN LATERAL ({below}) AS near
"""
_BEHIND: Final[Mapping[Direction, str]] = {
    "down": "AND (rating, player_id) < ({place})",
    "up": "AND (rating, player_id) > ({place})",
}
_GIVEN_PLACE: Final = "%(rating)s, %(player)s"
_OWN_PLACE: Final = "own.rating, own.player_id"
_ORDER: Final[Mapping[Direction, str]] = {
    "down": "ORDER BY rating DESC, player_id DESC",
    "up": "ORDER BY rating, player_id",
}


class Board(msgspec.Struct, frozen=True):
    """Which board: a ladder in a season, and who is left of it.

    One kind of player or both, provisional ones or not, and from so many games of the season on,
    which is the beginning of a tier (`games.models.board_classes`).
    """

    ladder: str
    season: str
    kind: str | None = None
    established: bool = False
    min_games: int = 1

    @property
    def is_whole(self) -> bool:
        """Whether everybody is on it."""
        return self.kind is None and not self.established and self.min_games == 1

    def classes(self) -> list[int]:
        """The classes of ratings that are on it. Raises ValueError for games in mid-tier."""
        return classes_of(kind=self.kind, established=self.established, min_games=self.min_games)


class BoardRow(msgspec.Struct, frozen=True):
    """A player's line; `uncertainty` is one deviation in points of `rating`."""

    rank: int
    rating: int
    player_id: UUID
    player: str
    kind: str
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
    if after is None:
        return list(_counted(_asked(board, _walk(board, "", limit))))
    rows = _walk(board, _GIVEN_PLACE, limit)
    return _ranked(board, _asked(board, rows, rating=after.rating, player=after.player_id))


def leaderboard_around(*, board: Board, player_id: UUID, limit: int) -> list[BoardRow]:
    """At most `limit` players with this one in the middle; empty if he is not on the board."""
    near = _AROUND.format(
        own=_OWN,
        named=_named("TABLE own"),
        above=_walk(board, _OWN_PLACE, (limit - 1) // 2, "up"),
        below=_walk(board, _OWN_PLACE, limit - 1),
    )
    rows = _asked(board, near, player=player_id)
    rows.sort(key=attrgetter("rating", "player_id"), reverse=True)
    return _ranked(board, rows[:limit])


def _walk(board: Board, place: str, limit: int, direction: Direction = "down") -> str:
    """The statement for rows behind a place in the board's order, or against it."""
    order, begin = _ORDER[direction], _BEHIND[direction].format(place=place) if place else ""
    narrowed, columns = "", "*"
    if not board.is_whole:
        # What the index holds is enough to choose who is shown.
        narrowed, columns = "AND board_class = class.id", "rating, player_id"
    rows = _WALK.format(columns=columns, narrowed=narrowed, start=begin, order=order, limit=limit)
    if not board.is_whole:
        rows = _MERGE.format(walk=rows, order=order, limit=limit)
    return _named(rows, order)


def _named(rows: str, order: str = "") -> str:
    return _NAMED.format(shown=_SHOWN, rows=rows, order=order)


def _asked(board: Board, statement: str, **values: Any) -> list[BoardRow]:
    wanted = {"ladder": board.ladder, "season": board.season, "classes": board.classes()}
    with connection.cursor() as cursor:
        cursor.execute(statement, wanted | values)
        return [BoardRow(0, *row) for row in cursor.fetchall()]


def _counted(rows: Sequence[BoardRow]) -> Iterator[BoardRow]:
    """The rows from the top of a board with their ranks, which can be counted."""
    ranks: dict[int, int] = {}
    for index, row in enumerate(rows, 1):
        yield replace(row, rank=ranks.setdefault(row.rating, index))


def _ranked(board: Board, rows: Sequence[BoardRow]) -> list[BoardRow]:
    if not rows:
        return []
    ranks = ranks_get(
        ladder=board.ladder,
        season=board.season,
        classes=board.classes(),
        ratings=Range(rows[-1].rating, rows[0].rating),
    )
    return list(_with_ranks(rows, ranks))


def _with_ranks(rows: Sequence[BoardRow], ranks: Mapping[int, int]) -> Iterator[BoardRow]:
    # Between the two statements the last player may have left a rating: it counts as the one above.
    rank = 1
    for row in rows:
        rank = ranks.get(row.rating, rank)
        yield replace(row, rank=rank)
