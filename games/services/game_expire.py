"""Calling off open games that have waited too long: for players, or for their start."""

import logging
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, connection, transaction

from games.rules.errors import RulesError
from games.rules.events import GameVoided
from games.rules.scoring import void_result
from games.services.game_advance import advance
from games.store import log
from games.store.codec import UnknownEvent
from games.store.log import VersionConflict

BATCH: Final = 200

_log = logging.getLogger("games.lobby")
# Seats of a rematch have a time of their own.
_DUE: Final = """
    SELECT id, version FROM games_game
    WHERE waiting_since <= clock_timestamp() - make_interval(secs => %s)
        AND waiting_since <= clock_timestamp() - make_interval(
            secs => CASE WHEN turn_seconds >= %s THEN %s ELSE %s END)
        AND reserved_until IS NULL
    ORDER BY waiting_since LIMIT %s
"""
# Whoever has the row sits down or starts the game, and then it has another version.
_CLAIM: Final = """
    SELECT FROM games_game WHERE id = %s AND version = %s FOR NO KEY UPDATE SKIP LOCKED
"""


def games_expire() -> int:
    """Call off the open games that nobody has changed for too long; how many there were."""
    return sum(_expire(game_id, version) for game_id, version in _due())


def _due() -> list[tuple[UUID, int]]:
    live, slow = settings.OPEN_GAME_SECONDS, settings.OPEN_CORRESPONDENCE_SECONDS
    terms = [min(live, slow), settings.CORRESPONDENCE_TURN_SECONDS, slow, live]
    with connection.cursor() as cursor:
        cursor.execute(_DUE, [*terms, BATCH])
        return list(cursor.fetchall())


def _expire(game_id: UUID, version: int) -> bool:
    try:
        with transaction.atomic(savepoint=False):
            head = log.lock(game_id) if _claimed(game_id, version) else None
            if head is None or head.game.status != "open":
                return False
            advance(head, [GameVoided(result=void_result())])
            return True
    except DatabaseError:
        _log.warning("game %s is called off by the next sweep", game_id, exc_info=True)
        return False
    except (RulesError, UnknownEvent, VersionConflict, ValueError):
        _log.exception("game %s cannot go on", game_id)
        return False


def _claimed(game_id: UUID, version: int) -> bool:
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, [game_id, version])
        return cursor.fetchone() is not None
