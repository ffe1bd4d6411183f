"""Which time of a running turn is to be given back, for the service was out of order."""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.conf import settings

from games.models import Outage
from games.rules.clocks import extensions
from games.rules.events import DeadlineExtended, Event, SeatTimedOut
from games.store.log import Head

# They come with what was owed before them.
_SETTLED: Final = (DeadlineExtended, SeatTimedOut)


def given_back(head: Head) -> Sequence[Event]:
    """The events that a locked game is still owed for outages."""
    return extensions(head.game, _outages(head))


def spared(head: Head, events: Sequence[Event], at: datetime) -> Sequence[Event]:
    """The same before somebody's move at a table with banks, so that it costs him nothing.

    Outages that were noticed and not settled yet, and one that nobody has noticed.
    """
    clock, beat = head.game.clock, head.beat_at
    if beat is None or clock is None or not clock.banks or isinstance(events[0], _SETTLED):
        return ()
    silent = (at - beat).total_seconds() > settings.OUTAGE_SECONDS
    return extensions(head.game, [*_outages(head), *([(beat, at)] if silent else [])])


def _outages(head: Head) -> list[tuple[datetime, datetime]]:
    clock = head.game.clock
    if clock is None or clock.deadline is None:
        return []
    rows = Outage.objects.filter(ended_at__gt=clock.since).order_by("began_at")
    return list(rows.values_list("began_at", "ended_at"))
