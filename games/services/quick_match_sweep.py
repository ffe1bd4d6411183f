"""Tickets that have waited: bots for some, the end for those whose player has gone."""

import logging
from typing import Final
from uuid import UUID

from django.db import DatabaseError, transaction
from django.db.models.functions import Now

from games.models import QuickMatch
from games.rules.errors import RulesError
from games.services.quick_match_pool import (
    bots_party,
    full_party,
    party_start,
    pool_hold,
    pool_others,
)

BATCH: Final = 200
Status = QuickMatch.Status

_log = logging.getLogger("games.lobby")


def quick_matches_sweep() -> int:
    """Let tickets lapse of which nobody has asked, and give bots to those who want them by now.

    How many tickets there were.
    """
    waiting = QuickMatch.objects.filter(status=Status.WAITING)
    count = waiting.filter(alive_until__lt=Now()).update(status=Status.LAPSED)
    due = waiting.filter(bots_at__lte=Now()).order_by("bots_at").values_list("pk", flat=True)
    return count + sum(_fill(ticket_id) for ticket_id in due[:BATCH])


def _fill(ticket_id: UUID) -> bool:
    try:
        with transaction.atomic(savepoint=False):
            return _start(QuickMatch.objects.get(pk=ticket_id))
    except DatabaseError:
        _log.warning("ticket %s waits for the next sweep", ticket_id, exc_info=True)
    except (RulesError, ValueError):
        # A ruleset that this release does not know any more: nobody will ever be found for it.
        _log.exception("ticket %s cannot be served", ticket_id)
        QuickMatch.objects.filter(pk=ticket_id, status=Status.WAITING).update(status=Status.LAPSED)
    return False


def _start(found: QuickMatch) -> bool:
    """Whether the ticket, once its pool is held, still waits and has its game now."""
    now = pool_hold(rated=found.rated, turn_seconds=found.turn_seconds)
    held = QuickMatch.objects.filter(pk=found.pk, status=Status.WAITING, alive_until__gte=now)
    ticket = held.select_related("player").select_for_update(of=("self",), no_key=True).first()
    if ticket is None:
        return False
    others = pool_others(ticket, now)
    party_start(full_party(ticket, others) or bots_party(ticket, others, now))
    return True
