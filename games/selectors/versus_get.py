"""Two players against each other: their games together, counted from the results.

What it costs is bounded: the games looked at are those of whoever has fewer results, the newest
`MOST_RESULTS` of them, each sought among the other one's.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connection

MOST_RESULTS: Final = 2_000
# Who of two has fewer results is told apart up to here.
_MOST_COUNTED: Final = 10 * MOST_RESULTS
_FEWER: Final = """
    SELECT player_id, (SELECT count(*) FROM (
        SELECT FROM games_gameresult AS own WHERE own.player_id = two.player_id LIMIT %(most)s
    ) AS results)
    FROM unnest(%(two)s::uuid[]) AS two (player_id) ORDER BY 2, 1 LIMIT 1
"""
# Somebody may hold several seats of a game: the best place counts, durak is durak. Private games
# are walked apart from the others, as they stand in the index.
_TOGETHER: Final = """
    WITH mine AS MATERIALIZED (
        SELECT one.* FROM unnest('{f,t}'::boolean[]) AS kind (private) CROSS JOIN LATERAL (
            SELECT game_id, ladder, finished_at, seat FROM games_gameresult AS own
            WHERE own.player_id = %(fewer)s AND own.private = kind.private
            ORDER BY finished_at DESC, game_id DESC, seat DESC LIMIT %(most)s
        ) AS one
        ORDER BY finished_at DESC, game_id DESC, seat DESC LIMIT %(most)s
    )
    SELECT game_id, ladder, finished_at, place, versus_place, players,
        is_durak, versus_is_durak, drew
    FROM (SELECT DISTINCT game_id, ladder, finished_at FROM mine) AS mine
    CROSS JOIN LATERAL (
        SELECT min(place) FILTER (WHERE player_id = %(player)s) AS place,
            min(place) FILTER (WHERE player_id = %(versus)s) AS versus_place,
            bool_or(is_durak) FILTER (WHERE player_id = %(player)s) AS is_durak,
            bool_or(is_durak) FILTER (WHERE player_id = %(versus)s) AS versus_is_durak,
            bool_or(drew) AS drew, max(players) AS players,
            bool_and(unrated <> 'aborted') AS played,
            NOT bool_or(private) OR bool_or(player_id = %(viewer)s) AS shown
        FROM games_gameresult AS seat WHERE seat.game_id = mine.game_id
    ) AS game
    WHERE place IS NOT NULL AND versus_place IS NOT NULL AND played AND shown IS TRUE
    ORDER BY finished_at DESC, game_id DESC
"""


class GameTogether(msgspec.Struct, frozen=True):
    """How one game ended for both; `players` are the seats it had."""

    game: UUID
    ruleset: str
    finished_at: datetime
    place: int
    versus_place: int
    players: int
    durak: bool
    versus_durak: bool
    draw: bool


class Tally(msgspec.Struct, frozen=True):
    """Games together: who was durak in how many, and who placed `before` or `behind` whom.

    `ruleset` is null for the games of all. A game that is `level` ended in a shared place.
    """

    ruleset: str | None
    games: int
    durak_count: int
    versus_durak_count: int
    before: int
    behind: int
    level: int
    draws: int


class Versus(msgspec.Struct, frozen=True):
    """`total` and `rulesets` count the same games, rated or not.

    They are all the games together, unless `is_complete` says that older ones were not looked at.
    """

    total: Tally
    rulesets: list[Tally]
    last: list[GameTogether]
    is_complete: bool


def versus_get(
    *, player_id: UUID, versus_id: UUID, viewer_id: UUID | None = None, last: int
) -> Versus:
    """What the two have done to each other, with their `last` games, newest first.

    Private games count for those alone who sat at them.
    """
    with connection.cursor() as cursor:
        cursor.execute(_FEWER, {"two": [player_id, versus_id], "most": _MOST_COUNTED})
        fewer, results = cursor.fetchone()
        wanted: dict[str, Any] = {"player": player_id, "versus": versus_id, "viewer": viewer_id}
        cursor.execute(_TOGETHER, wanted | {"fewer": fewer, "most": MOST_RESULTS})
        games = [GameTogether(*row) for row in cursor.fetchall()]
    rulesets = sorted({game.ruleset for game in games})
    return Versus(
        total=_tally(None, games),
        rulesets=[_tally(one, (g for g in games if g.ruleset == one)) for one in rulesets],
        last=games[:last],
        is_complete=results <= MOST_RESULTS,
    )


def _tally(ruleset: str | None, games: Iterable[GameTogether]) -> Tally:
    games = list(games)
    return Tally(
        ruleset=ruleset,
        games=len(games),
        durak_count=sum(game.durak for game in games),
        versus_durak_count=sum(game.versus_durak for game in games),
        before=sum(game.place < game.versus_place for game in games),
        behind=sum(game.place > game.versus_place for game in games),
        level=sum(game.place == game.versus_place for game in games),
        draws=sum(game.draw for game in games),
    )
