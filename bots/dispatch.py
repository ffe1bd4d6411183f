"""Sending turns to the workers, in a way that no move ever waits for a broker.

The message is only the fast path. What is not sent, or is lost, the sweeper finds in `due_turn`.
"""

import logging
import time
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from kombu.exceptions import KombuError

from bots.incidents import incident_count
from bots.models import Incident
from bots.queues import queue_of
from games.broker import task_publish

logger = logging.getLogger(__name__)

# Seconds to leave the broker alone after a failure.
_PAUSE: Final = 5.0
PLAY_TURN: Final = "bots.tasks.play_turn"


class _Broker:
    """Whether the broker is worth trying in this process."""

    silent_until = 0.0


def turn_send(*, game_id: UUID, version: int, brain: str, lease: datetime | None = None) -> bool:
    """Ask a worker of the brain's kind to play its turn; False if the broker could not be reached.

    That is noted; after a failure the broker is left alone for a few seconds.
    """
    if time.monotonic() < _Broker.silent_until:
        return False
    stamp = None if lease is None else lease.isoformat()
    try:
        task_publish(PLAY_TURN, [str(game_id), version, stamp], queue=queue_of(brain))
    except (KombuError, OSError) as error:
        _Broker.silent_until = time.monotonic() + _PAUSE
        logger.warning("A turn of game %s waits for the sweeper: %s", game_id, error)
        incident_count(Incident.Kind.BROKER)
        return False
    return True


def on_turn_due(*, game_id: UUID, version: int, brain: str, **_kwargs: Any) -> None:
    """Receive `games.signals.turn_due`."""
    turn_send(game_id=game_id, version=version, brain=brain)
