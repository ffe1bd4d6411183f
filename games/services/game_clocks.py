"""Acting for those whose time is up: once for every turn, however many workers there are."""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import DatabaseError, connection, transaction

from games.rules.clocks import time_up, turns_run_out
from games.rules.errors import RulesError
from games.rules.events import Event, SeatTimedOut
from games.services.game_advance import advance, chance
from games.services.game_outages import heartbeat, outages_settle
from games.services.house import SUBSTITUTE
from games.services.time_owed import given_back
from games.store import log
from games.store.codec import UnknownEvent
from games.store.log import Head, Stored, VersionConflict
from games.tally import TIMEOUTS, board

BATCH: Final = 500

_log = logging.getLogger("games.clocks")
_DUE: Final = """
    SELECT id FROM games_game WHERE due_at <= clock_timestamp() ORDER BY due_at LIMIT %s
"""
# Whoever has the row is playing a move or acting for somebody: the next sweep looks again.
_CLAIM: Final = """
    SELECT FROM games_game WHERE id = %s AND due_at <= clock_timestamp()
    FOR NO KEY UPDATE SKIP LOCKED
"""
_REARM: Final = "UPDATE games_game SET due_at = %s WHERE id = %s"
# A game that cannot go on must not keep the others waiting.
_LATER: Final = """
    UPDATE games_game SET due_at = clock_timestamp() + interval '1 minute' WHERE id = %s
"""


def clocks_sweep() -> int:
    """Act for everybody whose time is up; how many games went on by that.

    Says first that the service is in order, and gives back the time in which it was not.
    """
    heartbeat()
    outages_settle()
    moves = [added for game_id in _due() if (added := _look_at(game_id))]
    missed = sum(isinstance(each.event, SeatTimedOut) for added in moves for each in added)
    if missed:
        board().add(TIMEOUTS, {"acted": missed})
    return len(moves)


def time_called(head: Head, at: datetime) -> Sequence[Event]:
    """What the clock makes of a locked game at a moment: nothing, if no time is up.

    What outages took is given back first.
    """
    if not time_up(head.game, at):
        return ()
    return given_back(head) or turns_run_out(head.game, at, SUBSTITUTE, chance(head))


def _due() -> list[UUID]:
    with connection.cursor() as cursor:
        cursor.execute(_DUE, [BATCH])
        return [row[0] for row in cursor.fetchall()]


def _look_at(game_id: UUID) -> Sequence[Stored]:
    """What was added to the game; its row says afterwards when to look again."""
    try:
        with transaction.atomic(savepoint=False):
            head = _claimed(game_id)
            if head is None or head.read_at is None:
                return ()
            outcome = advance(head, time_called(head, head.read_at), head.read_at)
            _execute(_REARM, outcome.head.game.deadline, game_id)
    except DatabaseError:
        _log.warning("the clock of game %s waits for the next sweep", game_id, exc_info=True)
    except (RulesError, UnknownEvent, VersionConflict, ValueError):
        _log.exception("the clock of game %s cannot go on", game_id)
        _execute(_LATER, game_id)
    else:
        return outcome.added
    return ()


def _claimed(game_id: UUID) -> Head | None:
    with connection.cursor() as cursor:
        cursor.execute(_CLAIM, [game_id])
        found = cursor.fetchone() is not None
    return log.lock(game_id) if found else None


def _execute(statement: str, *parameters: datetime | UUID | None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
