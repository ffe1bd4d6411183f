"""How many games a player may have at a time: open ones, and all that are not over.

Players are counted under a lock of their own, after the game that they come to was locked and
written; so none of many calls at once gets past the limit. Whoever locks several players takes
them in the order of their ids, and no game after them.
"""

from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import connection

from games.services.errors import ServiceError

_HOLD: Final = "SELECT pg_advisory_xact_lock(hashtextextended('games of ' || %s::text, 0))"
# A ticket that waits is a game to come. The lock is one that the end of an account waits for: a
# seat is there before it, or is refused.
_COUNT: Final = """
    SELECT counted.open, counted.unfinished + (
        SELECT count(*) FROM quick_match WHERE player_id = %s AND status = 'waiting'), person.gone
    FROM (
        SELECT deleted_at IS NOT NULL AS gone FROM games_player WHERE id = %s FOR KEY SHARE
    ) person, (
        SELECT count(*) FILTER (WHERE status = 'open') AS open, count(*) AS unfinished
        FROM games_game WHERE status <> 'finished' AND id IN (
            SELECT game_id FROM games_gameseat WHERE player_id = %s AND NOT is_over
            UNION ALL
            SELECT id FROM games_game WHERE creator_id = %s AND status <> 'finished')
    ) counted
"""


def games_cap(*, player_id: UUID) -> None:
    """Refuse the write that has just given the player a game too many, in its transaction.

    Counted are the games that he has opened and those in which he has a seat.
    Raises ServiceError game.too_many with `counted` (open, unfinished) and `limit`; auth.invalid
    for an account that was deleted meanwhile.
    """
    with connection.cursor() as cursor:
        cursor.execute(_HOLD, [player_id])
        cursor.execute(_COUNT, [player_id] * 4)
        opened, unfinished, gone = cursor.fetchone()
    if gone:
        raise ServiceError("auth.invalid")
    _check("unfinished", unfinished, settings.GAMES_PER_PLAYER)
    _check("open", opened, settings.OPEN_GAMES_PER_PLAYER)


def _check(counted: str, number: int, limit: int) -> None:
    if number > limit:
        raise ServiceError("game.too_many", counted=counted, limit=limit)
