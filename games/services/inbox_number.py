"""Numbers for what a player has been told, so that one cursor reads it."""

from typing import Final
from uuid import UUID

from django.db import connection, transaction

_WAITING: Final = """
    SELECT EXISTS (SELECT FROM notice WHERE player_id = %s AND position IS NULL)
"""
_OPEN: Final = "INSERT INTO inbox (player_id, last) VALUES (%s, 0) ON CONFLICT DO NOTHING"
_HOLD: Final = "SELECT last FROM inbox WHERE player_id = %s FOR UPDATE"
# Of one game in the order of its log, whatever the clocks of two machines say.
_NUMBER: Final = """
    WITH timed AS (
        SELECT game_id, version, seat, kind,
            max(at) OVER (PARTITION BY game_id ORDER BY version, kind) AS at
        FROM notice WHERE player_id = %s AND position IS NULL
    ), numbered AS (
        SELECT *, %s + row_number() OVER (ORDER BY at, game_id, version, kind) AS position
        FROM timed
    ), given AS (
        UPDATE notice n SET position = d.position FROM numbered d
        WHERE (n.game_id, n.version, n.seat, n.kind) = (d.game_id, d.version, d.seat, d.kind)
        RETURNING d.position
    )
    UPDATE inbox SET last = (SELECT max(position) FROM given)
    WHERE player_id = %s AND EXISTS (SELECT FROM given)
"""


def inbox_number(*, player_id: UUID) -> None:
    """Give the player's new notices the next numbers, without a gap.

    Only what is committed can be seen, so nothing ever gets a number below one that was read
    before. The player's own row is held meanwhile, which no move does.
    """
    with connection.cursor() as cursor:
        cursor.execute(_WAITING, [player_id])
        if not cursor.fetchone()[0]:
            return
        with transaction.atomic():
            cursor.execute(_OPEN, [player_id])
            cursor.execute(_HOLD, [player_id])
            (last,) = cursor.fetchone()
            cursor.execute(_NUMBER, [player_id, last, player_id])
