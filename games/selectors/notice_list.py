"""What a player has been told."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connection

from games.models import Notice

Json = dict[str, Any]
_RANGE: Final = """
    SELECT (SELECT min(position) FROM notice WHERE player_id = %s AND position IS NOT NULL),
        (SELECT last FROM inbox WHERE player_id = %s)
"""
_PAGE: Final = """
    SELECT n.position, n.kind, n.at, n.game_id, n.version, n.seat, n.deadline,
        g.ruleset, g.match_id, g.game_number
    FROM notice n JOIN games_game g ON g.id = n.game_id
    WHERE n.player_id = %s AND n.position > %s ORDER BY n.position LIMIT %s
"""
_MOVED: Final = """
    SELECT known.id FROM unnest(%s::uuid[], %s::bigint[]) AS known (id, position)
    WHERE EXISTS (SELECT FROM notice n WHERE n.player_id = known.id AND n.position IS NULL)
        OR EXISTS (SELECT FROM inbox i WHERE i.player_id = known.id AND i.last > known.position)
"""


class InboxRange(msgspec.Struct, frozen=True):
    """The positions before the first notice that is kept, and of the last; equal without any."""

    before: int
    last: int


class NoticeRow(msgspec.Struct, frozen=True):
    """A notice with its position, and what is to be said of its game."""

    position: int
    kind: int
    at: datetime
    game_id: UUID
    version: int
    seat: int
    deadline: datetime | None
    ruleset: str
    match_id: UUID
    game_number: int


def inbox_range(player_id: UUID) -> InboxRange:
    """Which of a player's numbered notices are kept."""
    with connection.cursor() as cursor:
        cursor.execute(_RANGE, [player_id, player_id])
        first, last = cursor.fetchone()
    end = last or 0
    return InboxRange(end if first is None else first - 1, end)


def notice_list(*, player_id: UUID, after: int, limit: int) -> list[NoticeRow]:
    """Numbered notices after a position, in order."""
    with connection.cursor() as cursor:
        cursor.execute(_PAGE, [player_id, after, limit])
        return [NoticeRow(*row) for row in cursor.fetchall()]


def notice_item(told: NoticeRow) -> Json:
    """A notice as its player is shown it: facts that everybody at the table knows, no card."""
    return {
        "type": Notice.Kind(told.kind).label,
        "at": told.at,
        "game_id": told.game_id,
        "version": told.version,
        "seat": told.seat,
        "deadline": told.deadline,
        "ruleset": told.ruleset,
        "match": {"id": told.match_id, "game_number": told.game_number},
        "url": f"/api/v1/games/{told.game_id}",
        "etag": f'"v{told.version}"',
    }


def inboxes_after(known: Mapping[UUID, int]) -> list[UUID]:
    """Those players for whom there is something past the position known of them."""
    with connection.cursor() as cursor:
        cursor.execute(_MOVED, [list(known), list(known.values())])
        return [player_id for (player_id,) in cursor.fetchall()]
