"""A player's results, newest first, each with what it did to his rating."""

from datetime import datetime
from typing import Annotated, Final, NamedTuple
from uuid import UUID

import msgspec
from django.contrib.postgres.aggregates import BoolOr
from django.db import connection
from django.db.models import OuterRef, Q, QuerySet, Subquery

from games.models import GameResult
from games.models.results import OVERALL

# Private games of his own that a page looks through for whoever reads somebody else's.
MOST_WALKED: Final = 300
_NEWEST: Final = ("-finished_at", "-game_id", "-seat")
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


# Beyond every seat of a game.
_NO_SEAT: Final = 2**15 - 1


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


class _Shared(NamedTuple):
    """Private games of a viewer's at which the player sat too, newest first.

    `edge` is how far his own were looked through, None if to their end.
    """

    games: list[UUID]
    edge: Position | None


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


def result_list(
    *,
    player_id: UUID,
    ladder: str | None = None,
    viewer_id: UUID | None = None,
    after: Position | None = None,
    limit: int,
) -> tuple[list[ResultRow], Position | None]:
    """At most `limit` results older than `after`, and where to go on, None at the end.

    Private games only for who sat at them. For somebody else who may have, `MOST_WALKED` of his
    own are looked through: then there may be fewer rows than `limit`, even none, and still a rest.

    `ladder`: games of this ruleset; ratings are those of the game's ruleset, and of `overall` if
    that is asked for, which lists games of every ruleset.
    """
    seats = GameResult.objects.all()
    if ladder not in {None, OVERALL}:
        seats = seats.filter(ladder=ladder)
    found, edge = _seen(seats, player_id, viewer_id, after, limit + 1)
    page = found[:limit]
    rest = _position(page[-1]) if len(found) > limit else edge
    changes, tables = _changes(page, player_id, ladder), _tables(page)
    shown = [
        _row(result, tables[result.game_id], changes.get((result.game_id, ladder or result.ladder)))
        for result in page
    ]
    return shown, rest


def _seen(
    seats: QuerySet[GameResult],
    player_id: UUID,
    viewer_id: UUID | None,
    after: Position | None,
    limit: int,
) -> tuple[list[GameResult], Position | None]:
    """The player's newest results that the viewer may see, and `_Shared.edge`."""
    rows = seats.filter(player_id=player_id)
    if after is not None:
        rows = rows.filter(_behind(after))
    public = _walk(rows, limit, private=False)
    if viewer_id is None:
        return list(public), None
    if viewer_id == player_id:
        both = public.union(_walk(rows, limit, private=True), all=True)
        return list(both.order_by(*_NEWEST)[:limit]), None
    shared = _shared(seats.filter(player_id=viewer_id), player_id, after)
    found = [*public, *_seats_at(shared.games[: limit + 1], player_id, after)]
    if shared.edge is not None:
        found = [result for result in found if _position(result) >= shared.edge]
    return sorted(found, key=_position, reverse=True)[:limit], shared.edge


def _walk(rows: QuerySet[GameResult], limit: int, *, private: bool) -> QuerySet[GameResult]:
    """Along one stretch of an index."""
    return rows.filter(private=private).order_by(*_NEWEST)[:limit]


def _shared(own: QuerySet[GameResult], player_id: UUID, after: Position | None) -> _Shared:
    """From the viewer's own side: how many private games the player has shows nowhere."""
    if after is not None:
        # Of a game that was begun, seats of the player may be left.
        own = own.filter(_behind(after._replace(seat=_NO_SEAT if after.seat else 0)))
    # Game by game, and by its seats: a plan made for anybody would look through all of his.
    seats = GameResult.objects.filter(game_id=OuterRef("game_id")).values("game_id")
    sat = Subquery(seats.annotate(sat=BoolOr(Q(player_id=player_id))).values("sat"))
    walked = _walk(own, MOST_WALKED, private=True)
    found = list(walked.values_list("game_id", "finished_at", sat))
    edge = None
    if len(found) == MOST_WALKED:
        game_id, finished_at, _ = found[-1]
        edge = Position(finished_at, game_id, 0)
    return _Shared(list(dict.fromkeys(game_id for game_id, _, sat in found if sat)), edge)


def _seats_at(games: list[UUID], player_id: UUID, after: Position | None) -> list[GameResult]:
    """The player's seats in these games, as far as they are older than `after`."""
    return [
        result
        for result in GameResult.objects.filter(game_id__in=games)
        if result.player_id == player_id and (after is None or _position(result) < after)
    ]


def _behind(position: Position) -> Q:
    at, game_id, seat = position
    same_time = Q(game_id__lt=game_id) | Q(game_id=game_id, seat__lt=seat)
    return Q(finished_at__lte=at) & (Q(finished_at__lt=at) | same_time)


def _position(result: GameResult) -> Position:
    return Position(result.finished_at, result.game_id, result.seat)


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
