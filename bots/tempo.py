"""How long a turn takes: no shorter than others of its kind, and without keeping anything busy."""

import time
from typing import Final

from django.conf import settings
from django.db import connection

from bots.brains.registry import Entry, Thinker
from bots.queues import pace_of

# Seconds of idleness that are worth a new connection.
_WORTH: Final = 0.05


def least_seconds(brain: str) -> float:
    """How long a turn of the brain takes at least, below the cap on thinking."""
    return float(min(settings.BOT_LEAST_SECONDS[pace_of(brain)], settings.BOT_WALL_SECONDS))


def rest_until(moment: float) -> None:
    """Sleep until a time of `time.monotonic`; a longer sleep holds no connection."""
    left = moment - time.monotonic()
    if left >= _WORTH:
        connection.close()
    if left > 0:
        time.sleep(left)


def connection_spare(entry: Entry) -> None:
    """Give the database connection up before a brain that searches; the next query opens one."""
    if entry.pace == "deep" or isinstance(entry.brain, Thinker):
        connection.close()
