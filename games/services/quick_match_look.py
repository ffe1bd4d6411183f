"""Asking for a ticket is the sign of life that keeps it."""

from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import connection

from games.models import QuickMatch
from games.services.errors import ServiceError

_ALIVE: Final = """
    UPDATE quick_match SET
        status = CASE WHEN alive_until < clock_timestamp() THEN 'lapsed' ELSE status END,
        alive_until = CASE WHEN alive_until < clock_timestamp() THEN alive_until
            ELSE GREATEST(alive_until, clock_timestamp() + make_interval(secs => %s)) END
    WHERE id = %s AND player_id = %s AND status = 'waiting'
"""


def quick_match_look(*, ticket_id: UUID, player_id: UUID, wait: int = 0) -> QuickMatch:
    """The player's ticket, kept for him while he waits so many seconds and a while longer.

    Raises ServiceError quick_match.not_found.
    """
    kept = settings.QUICK_MATCH_SECONDS + wait
    with connection.cursor() as cursor:
        cursor.execute(_ALIVE, [kept, ticket_id, player_id])
    ticket = QuickMatch.objects.filter(pk=ticket_id, player=player_id).first()
    if ticket is None:
        raise ServiceError("quick_match.not_found")
    return ticket
