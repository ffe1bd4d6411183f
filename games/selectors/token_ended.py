"""Which of many tokens are not good any more."""

from collections.abc import Collection
from typing import Final
from uuid import UUID

from django.db import connection

_ENDED: Final = """
    SELECT known.id FROM unnest(%s::uuid[]) AS known (id) WHERE NOT EXISTS (
        SELECT FROM games_apitoken t JOIN games_player p ON p.id = t.player_id
        WHERE t.id = known.id AND t.revoked_at IS NULL AND p.deleted_at IS NULL
            AND (t.expires_at IS NULL OR t.expires_at > now()))
"""


def token_ended_list(known: Collection[UUID]) -> list[UUID]:
    """Those of the tokens that are revoked, expired or gone with their player."""
    with connection.cursor() as cursor:
        cursor.execute(_ENDED, [list(known)])
        return [token_id for (token_id,) in cursor.fetchall()]
