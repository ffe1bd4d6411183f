"""Time in which the service was out of order costs nobody his turn."""

import logging
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db import DatabaseError, connection, transaction

from games.models import Game, Outage
from games.services.game_advance import game_advance
from games.services.time_owed import given_back
from games.store.codec import UnknownEvent
from games.store.log import VersionConflict

BATCH: Final = 200

_log = logging.getLogger("games.clocks")
_BEAT: Final = """
    INSERT INTO games_heartbeat (id, at) VALUES (1, clock_timestamp())
    ON CONFLICT (id) DO NOTHING
"""
_LAST: Final = "SELECT at, clock_timestamp() FROM games_heartbeat WHERE id = 1 FOR UPDATE"
_NOW: Final = "UPDATE games_heartbeat SET at = GREATEST(at, %s) WHERE id = 1"


def heartbeat() -> Outage | None:
    """Say that the clocks are looked after; the outage that ended with this, if there was one.

    Of several workers that come back one finds it.
    """
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_BEAT)
        cursor.execute(_LAST)
        last, now = cursor.fetchone()
        cursor.execute(_NOW, [now])
        if (now - last).total_seconds() <= settings.OUTAGE_SECONDS:
            return None
        _log.warning("out of order for %s", now - last)
        return Outage.objects.create(began_at=last, ended_at=now)


def outages_settle() -> int:
    """Give running turns back what outages took, many at a time; how many there were.

    A turn that has it back already, or began later, is left alone, so that whoever is interrupted
    or works beside another does nothing twice.
    """
    outage = Outage.objects.filter(settled=False).order_by("id").first()
    if outage is None:
        return 0
    running = Game.objects.filter(due_at__isnull=False).order_by("id")
    if outage.reached is not None:
        running = running.filter(id__gt=outage.reached)
    told, found = [], list(running.values_list("id", flat=True)[:BATCH])
    for game_id in found:
        if (done := _give_back(game_id)) is None:
            break
        told.append(done)
    if len(told) == len(found) < BATCH:
        outage.settled = True
    if told:
        outage.reached = found[len(told) - 1]
    outage.save(update_fields=["settled", "reached"])
    return sum(told)


def _give_back(game_id: UUID) -> bool | None:
    """Whether the game was owed something; None if it must be asked again later."""
    try:
        return bool(game_advance(game_id, given_back).added)
    except DatabaseError:
        _log.warning("game %s gets its time back later", game_id, exc_info=True)
        return None
    except (UnknownEvent, VersionConflict, ValueError):
        # It must not keep the others from theirs; its own sweep comes back to it.
        _log.exception("game %s cannot be read", game_id)
        return False
