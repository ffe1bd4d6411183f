"""Two players against each other: their games together, counted from the results.

What it costs is bounded: the games looked at are those of whoever has fewest, the newest
`MOST_RESULTS` of them, each sought among the other ones'. Public and private games are walked
apart, and the latter for viewers alone: how many private games somebody has shortens no list.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connection

MOST_RESULTS: Final = 2_000
# Who has fewest results is told apart up to here.
_MOST_COUNTED: Final = 10 * MOST_RESULTS
_FEWEST: Final = """
    SELECT DISTINCT ON (private) player_id, private, (SELECT count(*) FROM (
        SELECT FROM games_gameresult AS own
        WHERE own.player_id = one.player_id AND own.private = one.private LIMIT %(most)s
    ) AS results) AS results
    FROM unnest(%(players)s::uuid[], %(kinds)s::boolean[]) AS one (player_id, private)
    ORDER BY private, results, player_id
"""
# Somebody may hold several seats of a game: the best place counts, durak is durak.
_TOGETHER: Final = """
    WITH walked AS MATERIALIZED (
        SELECT one.* FROM unnest(%(players)s::uuid[], %(kinds)s::boolean[]) AS walk (id, private)
        CROSS JOIN LATERAL (
            SELECT game_id, ladder, finished_at, seat FROM games_gameresult AS own
            WHERE own.player_id = walk.id AND own.private = walk.private
            ORDER BY finished_at DESC, game_id DESC, seat DESC LIMIT %(most)s
        ) AS one
    )
    SELECT game_id, ladder, finished_at, place, versus_place, players,
        is_durak, versus_is_durak, drew
    FROM (SELECT DISTINCT game_id, ladder, finished_at FROM walked) AS walked
    CROSS JOIN LATERAL (
        SELECT min(place) FILTER (WHERE player_id = %(player)s) AS place,
            min(place) FILTER (WHERE player_id = %(versus)s) AS versus_place,
            bool_or(is_durak) FILTER (WHERE player_id = %(player)s) AS is_durak,
            bool_or(is_durak) FILTER (WHERE player_id = %(versus)s) AS versus_is_durak,
            bool_or(drew) AS drew, max(players) AS players,
            bool_and(unrated NOT IN ('aborted', 'voided')) AS played,
            NOT bool_or(private) OR bool_or(player_id = %(viewer)s) AS shown
        FROM games_gameresult AS seat WHERE seat.game_id = walked.game_id
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
    wanted: dict[str, Any] = {"player": player_id, "versus": versus_id, "viewer": viewer_id}
    at_private = {player_id, versus_id, viewer_id} if viewer_id else set()
    whose = [(player_id, False), (versus_id, False), *((one, True) for one in at_private)]
    with connection.cursor() as cursor:
        cursor.execute(_FEWEST, _walks(whose) | {"most": _MOST_COUNTED})
        fewest = cursor.fetchall()
        cursor.execute(_TOGETHER, wanted | _walks(fewest) | {"most": MOST_RESULTS})
        games = [GameTogether(*row) for row in cursor.fetchall()]
    rulesets = sorted({game.ruleset for game in games})
    return Versus(
        total=_tally(None, games),
        rulesets=[_tally(one, (g for g in games if g.ruleset == one)) for one in rulesets],
        last=games[:last],
        is_complete=all(results <= MOST_RESULTS for *_, results in fewest),
    )


def _walks(whose: Iterable[Sequence[Any]]) -> dict[str, list[Any]]:
    """Of players, and whether it is their private games, the parameters."""
    players, kinds, *_ = zip(*whose, strict=True)
    return {"players": list(players), "kinds": list(kinds)}


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
