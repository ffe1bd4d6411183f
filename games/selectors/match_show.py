"""Matches: folds of the results of their games, asked for anew each time."""

from collections.abc import Sequence
from datetime import datetime
from itertools import groupby
from typing import Annotated, Any, Final, NamedTuple
from uuid import UUID

import msgspec
from django.db import connection

from games.models import GameResult
from games.rules import engine
from games.rules.events import TYPE_OF, GameFinished, GameVoided, Result, Seat
from games.rules.game import Game
from games.rules.match import (
    SeatScore,
    Standing,
    Terms,
    match_losers,
    previous_of,
    standing_of,
    terms_of,
)
from games.selectors.game_show import may_see
from games.store import log
from games.store.codec import decode_event
from games.store.log import Head

Json = dict[str, Any]
# The last event of a finished game is its end; what was called off before its deal never was a
# game, and what a referee has voided is one, for the match.
_GAMES: Final = """
    FROM games_game g LEFT JOIN games_gameevent e
        ON g.status = 'finished' AND e.game_id = g.id AND e.seq = g.version
    WHERE g.match_id = %s AND (e.type IS DISTINCT FROM %s OR e.data ? 'reason')
"""
_PAGE: Final = f"""
    SELECT g.id, g.game_number, g.status, g.finished_at, e.type, e.schema_version, e.data::text
    {_GAMES} AND (g.game_number, g.id) > (%s, %s) ORDER BY g.game_number, g.id LIMIT %s
"""
_NEWEST: Final = f"SELECT g.id {_GAMES} ORDER BY g.game_number DESC, g.id DESC LIMIT 1"
_CALLED_OFF: Final = TYPE_OF[GameVoided]


class Position(NamedTuple):
    """Where a list of games is gone on from: the last game seen."""

    number: Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]
    game: UUID


_START: Final = Position(0, UUID(int=0))


class MatchGame(msgspec.Struct, frozen=True):
    """A game of a match; `result` is None until it is finished."""

    id: UUID
    game_number: int
    status: str
    finished_at: datetime | None
    result: Result | None

    @property
    def position(self) -> Position:
        """Where a page that ends here is gone on from."""
        return Position(self.game_number, self.id)


def match_show(
    match_id: UUID, player_id: UUID | None, *, after: Position | None = None, limit: int
) -> Json | None:
    """The match as JSON, or None if it does not exist for the caller.

    Of its games there are at most `limit`, from `after` on; all else tells of all of them. Games
    that were called off before their deal are no games of it.
    """
    newest = _newest(match_id)
    head = None if newest is None else log.load(newest)
    if head is None or not may_see(head, player_id):
        return None
    standing = match_standing(head.game)
    return {
        "id": match_id,
        "ruleset": head.game.ruleset,
        "options": head.game.options,
        "rated": head.game.rated,
        "visibility": head.game.visibility,
        "series_length": head.game.series_length,
        "match_target": head.game.match_target,
        "seats": _seats(head, standing),
        "games": match_games(match_id, after=after, limit=limit),
        "next_dealer": _next_dealer(head.game) if standing.result is None else None,
        "rematch": _rematch(head),
        "result": standing.result,
    }


def match_games(match_id: UUID, *, after: Position | None = None, limit: int) -> list[MatchGame]:
    """At most `limit` games of a match in their order, those after `after`."""
    number, game = after or _START
    with connection.cursor() as cursor:
        cursor.execute(_PAGE, [match_id, _CALLED_OFF, number, game, limit])
        return [_match_game(*row) for row in cursor.fetchall()]


def _newest(match_id: UUID) -> UUID | None:
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST, [match_id, _CALLED_OFF])
        row = cursor.fetchone()
    return None if row is None else row[0]


def match_is_over(game: Game) -> bool:
    """Whether the match of a game has its result; without an end it never has."""
    return terms_of(game).has_end and match_standing(game).result is not None


def match_standing(game: Game) -> Standing:
    """Where the match of a game stands."""
    rows = GameResult.objects.filter(game__match_id=UUID(game.match))
    ordered = rows.order_by("game__game_number", "seat")
    terms = terms_of(game)
    by_game = groupby(ordered, key=lambda row: row.game_id)
    scores = (_scores(terms, list(seats)) for _, seats in by_game)
    # If an earlier game had been lost like that, no other would have followed.
    return standing_of(terms, scores, match_losers(game))


def _scores(terms: Terms, seats: Sequence[GameResult]) -> tuple[SeatScore, ...]:
    """How a game ended for each seat; of a team all have won or none."""
    drawn = any(seat.drew for seat in seats)
    return tuple(
        SeatScore(
            won=not (drawn or seat.is_durak) if terms.teams else seat.place == 1 and not seat.drew,
            is_durak=seat.is_durak,
            drew=seat.drew,
            points=seat.points or 0,
        )
        for seat in seats
    )


def _match_game(
    game_id: UUID,
    number: int,
    status: str,
    finished_at: datetime | None,
    kind: str | None,
    version: int,
    facts: str,
) -> MatchGame:
    event = None if kind is None else decode_event(kind, version, facts)
    result = event.result if isinstance(event, GameFinished | GameVoided) else None
    return MatchGame(game_id, number, status, finished_at, result)


def _seats(head: Head, standing: Standing) -> list[Json]:
    return [
        {
            "seat": seat,
            "player": sitter.name if sitter else None,
            "kind": sitter.kind if sitter else None,
            **msgspec.structs.asdict(total),
        }
        for seat, (sitter, total) in enumerate(zip(head.sitters, standing.totals, strict=True))
    ]


def _next_dealer(game: Game) -> Seat | None:
    """Who will deal the next game, where it has not begun and is not the first."""
    if game.status == "running":
        return None
    previous = previous_of(game) if game.status == "finished" else game.previous
    return None if previous is None else engine.next_dealer(game.rules, len(game.chairs), previous)


def _rematch(head: Head) -> Json | None:
    """The next game while it waits for its players, and the seats that have agreed."""
    game = head.game
    if game.status != "open" or game.reserved_until is None:
        return None
    agreed = [seat for seat, chair in enumerate(game.chairs) if chair.player is not None]
    return {"id": head.id, "reserved_until": game.reserved_until, "agreed": agreed}
