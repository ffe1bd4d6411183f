"""A word to the worker of webhooks that there is something to send; the sweeper finds the rest."""

import logging
import time
from collections.abc import Iterable
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from kombu.exceptions import KombuError

from games.broker import task_publish
from games.store.notices import Told

logger = logging.getLogger("games.webhooks")
SPREAD: Final = "games.tasks.spread_news"
DELIVER: Final = "games.tasks.deliver_webhook"
# Seconds: after a failure, and until a message that nobody took is the sweeper's affair.
_PAUSE: Final = 5.0
EXPIRES: Final = 10


class _Broker:
    """Whether the broker is worth trying in this process."""

    silent_until = 0.0


def on_game_advanced(*, told: Iterable[Told], **_more: Any) -> None:
    """Receive `games.signals.game_advanced`."""
    players = {each.player for each in told if each.hooked}
    if players:
        task_send(SPREAD, [sorted(players)])


def on_webhook_due(*, webhook_id: UUID, **_more: Any) -> None:
    """Receive `games.signals.webhook_due`."""
    task_send(DELIVER, [str(webhook_id)])


def task_send(name: str, arguments: list[Any]) -> bool:
    """Put a task into the queue of webhooks; False if that cannot be done now."""
    if time.monotonic() < _Broker.silent_until:
        return False
    try:
        task_publish(name, arguments, queue=settings.WEBHOOK_QUEUE, expires=EXPIRES)
    except (KombuError, OSError) as error:
        _Broker.silent_until = time.monotonic() + _PAUSE
        logger.warning("webhooks wait for the sweeper: %s", error)
        return False
    return True
