"""Who is busy with which turn: leases on the rows of `due_turn`.

A lease ends by itself, so that a worker that died holds a game up for its rest and no longer.
"""

from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.conf import settings
from django.db import connection

# A turn is overdue only when the message that was sent at once has had time to arrive.
GRACE_SECONDS: Final = 1.0
SWEEP_LIMIT: Final = 200

_CLAIM: Final = """
    UPDATE due_turn d
    SET lease_until = clock_timestamp() + %s * interval '1 second', attempts = d.attempts + 1
    FROM games_game g
    WHERE d.game_id = %s AND d.version = %s AND g.id = d.game_id
      AND (d.lease_until IS NULL OR d.lease_until < clock_timestamp() OR d.lease_until = %s)
    RETURNING d.attempts, g.bot_secret, d.due_at
"""
_SWEEP: Final = """
    UPDATE due_turn d
    SET lease_until = clock_timestamp() + %s * interval '1 second'
    FROM (
        SELECT game_id FROM due_turn
        WHERE due_at < clock_timestamp() - %s * interval '1 second'
          AND (lease_until IS NULL OR lease_until < clock_timestamp())
        ORDER BY due_at LIMIT %s FOR UPDATE SKIP LOCKED
    ) overdue
    WHERE d.game_id = overdue.game_id
    RETURNING d.game_id, d.version, d.brain, d.attempts, d.lease_until
"""


class Claim(NamedTuple):
    """A turn that is ours to play: how often it was begun, this time included, and since when
    it is due: the moment of the last event before it.
    """

    attempts: int
    bot_secret: bytes
    due_at: datetime


class Overdue(NamedTuple):
    """A turn that the sweeper found; `lease` is the mark by which its message is known."""

    game_id: UUID
    version: int
    brain: str
    attempts: int
    lease: datetime


def turn_claim(*, game_id: UUID, version: int, lease: datetime | None) -> Claim | None:
    """Begin a turn; None if the game has moved on or somebody else is at it.

    `lease` is what the sweeper left on the row for the message that it sent.
    """
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, [settings.BOT_LEASE_SECONDS, game_id, version, lease])
        row = cursor.fetchone()
    return None if row is None else Claim(row[0], bytes(row[1]), row[2])


def overdue_lease() -> list[Overdue]:
    """Put a lease on turns that nobody is busy with, the oldest first."""
    with connection.cursor() as cursor:
        cursor.execute(_SWEEP, [settings.BOT_LEASE_SECONDS, GRACE_SECONDS, SWEEP_LIMIT])
        return [Overdue(*row) for row in cursor.fetchall()]
