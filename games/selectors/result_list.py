"""A player's results, newest first, each with what it did to his rating."""

from datetime import datetime
from typing import Annotated, Final, NamedTuple
from uuid import UUID

import msgspec
from django.db import connection
from django.db.models import Exists, OuterRef, Q, QuerySet

from games.models import GameResult
from games.models.results import OVERALL

# Game by game: a plan made for anybody would look through all the changes of a busy player.
_CHANGES: Final = """
    SELECT page.game_id, page.ladder, found.rating_before, found.rating_after
    FROM unnest(%(games)s::uuid[], %(ladders)s::varchar[]) AS page (game_id, ladder)
    CROSS JOIN LATERAL (
        SELECT rating_before, rating_after FROM games_ratingchange AS change
        WHERE change.game_id = page.game_id AND change.player_id = %(player)s
            AND change.ladder = page.ladder
        OFFSET 0
    ) AS found
"""


class Position(NamedTuple):
    """Where a history is gone on from: the last result seen."""

    finished_at: Annotated[datetime, msgspec.Meta(tz=True)]
    game: UUID
    seat: int


class Opponent(msgspec.Struct, frozen=True):
    """Somebody else at the table, partners too, and how the game ended for his seat."""

    seat: int
    player: str
    kind: str
    place: int
    durak: bool


class _Change(NamedTuple):
    before: int
    after: int


class _Table(NamedTuple):
    match: UUID
    seats: list[tuple[UUID, Opponent]]


class ResultRow(msgspec.Struct, frozen=True):
    """How a game ended for a seat of the player.

    `weight` is the share of its change that the game gave the player: 1 if it counts in full.
    `not_rated` says why it counts on no ladder; null if it does. The ratings are null then, and
    until they are applied. `reduced` says why it counts less than in full; null if it does not.
    """

    game: UUID
    match: UUID
    ruleset: str
    seat: int
    players: int
    opponents: list[Opponent]
    place: int
    shared: bool
    durak: bool
    draw: bool
    points: int | None
    weight: float
    not_rated: str | None
    reduced: str | None
    rating_before: int | None
    rating_after: int | None
    finished_at: datetime

    @property
    def position(self) -> Position:
        """Where a page that ends here is gone on from."""
        return Position(self.finished_at, self.game, self.seat)


def result_list(
    *,
    player_id: UUID,
    ladder: str | None = None,
    viewer_id: UUID | None = None,
    after: Position | None = None,
    limit: int,
) -> list[ResultRow]:
    """At most `limit` results, older than `after`; private games only for who sat at them.

    `ladder`: games of this ruleset; ratings are those of the game's ruleset, and of `overall` if
    that is asked for, which lists games of every ruleset.
    """
    rows = GameResult.objects.filter(player_id=player_id)
    if ladder not in {None, OVERALL}:
        rows = rows.filter(ladder=ladder)
    if after is not None:
        rows = rows.filter(_behind(after))
    visible = _visible_to(rows, player_id, viewer_id)
    page = list(visible.order_by("-finished_at", "-game_id", "-seat")[:limit])
    changes, tables = _changes(page, player_id, ladder), _tables(page)
    return [
        _row(result, tables[result.game_id], changes.get((result.game_id, ladder or result.ladder)))
        for result in page
    ]


def _visible_to(
    rows: QuerySet[GameResult], player_id: UUID, viewer_id: UUID | None
) -> QuerySet[GameResult]:
    if viewer_id == player_id:
        return rows
    if viewer_id is None:
        return rows.filter(private=False)
    seats = GameResult.objects.filter(game_id=OuterRef("game_id"), player_id=viewer_id)
    return rows.filter(Q(private=False) | Exists(seats))


def _behind(position: Position) -> Q:
    at, game_id, seat = position
    same_time = Q(game_id__lt=game_id) | Q(game_id=game_id, seat__lt=seat)
    return Q(finished_at__lte=at) & (Q(finished_at__lt=at) | same_time)


def _changes(
    page: list[GameResult], player_id: UUID, ladder: str | None
) -> dict[tuple[UUID, str], _Change]:
    wanted = {(result.game_id, ladder or result.ladder) for result in page}
    games, ladders = [game for game, _ in wanted], [name for _, name in wanted]
    with connection.cursor() as cursor:
        cursor.execute(_CHANGES, {"games": games, "ladders": ladders, "player": player_id})
        rows = cursor.fetchall()
    return {(game, name): _Change(before, after) for game, name, before, after in rows}


def _tables(page: list[GameResult]) -> dict[UUID, _Table]:
    """Who sat in the games of a page, in the order of their seats."""
    seats = GameResult.objects.filter(game_id__in={result.game_id for result in page})
    rows = seats.order_by("game_id", "seat").values_list(
        *("game_id", "game__match_id", "player_id"),
        *("seat", "player__name", "player__kind", "place", "is_durak"),
    )
    tables: dict[UUID, _Table] = {}
    for game_id, match_id, player_id, *seat in rows:
        table = tables.setdefault(game_id, _Table(match_id, []))
        table.seats.append((player_id, Opponent(*seat)))
    return tables


def _row(result: GameResult, table: _Table, change: _Change | None) -> ResultRow:
    return ResultRow(
        game=result.game_id,
        match=table.match,
        ruleset=result.ladder,
        seat=result.seat,
        players=result.players,
        opponents=[seat for player_id, seat in table.seats if player_id != result.player_id],
        place=result.place,
        shared=result.shared,
        durak=result.is_durak,
        draw=result.drew,
        points=result.points,
        weight=0.0 if result.unrated else result.weight,
        not_rated=result.unrated or (result.reduced if result.weight == 0.0 else "") or None,
        reduced=result.reduced if 0.0 < result.weight < 1.0 and not result.unrated else None,
        rating_before=change.before if change else None,
        rating_after=change.after if change else None,
        finished_at=result.finished_at,
    )
