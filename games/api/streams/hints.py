"""A word to the streams that a game has moved on, and who is told of it.

It may get lost: streams look for themselves.
"""

import logging
import time
from collections.abc import Iterable
from functools import cache
from typing import Any, Final
from uuid import UUID

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from games.store.notices import Told

logger = logging.getLogger("games.streams")
CHANNEL: Final = "game:{}"
_PATIENCE_SECONDS: Final = 0.25
_OUTAGE_SECONDS: Final = 3.0


class Hints:
    """Publishes to one Redis; thread-safe, and silent for some seconds after a failure."""

    def __init__(self, url: str) -> None:
        self._client = redis.Redis.from_url(
            url,
            socket_timeout=_PATIENCE_SECONDS,
            socket_connect_timeout=_PATIENCE_SECONDS,
            # Once, for a connection that died of a restart; who did not answer is not asked again.
            retry=Retry(NoBackoff(), 1, (redis.ConnectionError,)),
        )
        self._outage_ends = 0.0

    def publish(self, game_id: UUID, version: int, players: Iterable[str] = ()) -> bool:
        """Tell who listens that the game is at `version`, of which these players are told.

        False when that cannot be done now.
        """
        now = time.monotonic()
        if now < self._outage_ends:
            return False
        try:
            self._client.publish(CHANNEL.format(game_id), " ".join([str(version), *players]))
        except (redis.RedisError, OSError) as error:
            self._outage_ends = time.monotonic() + _OUTAGE_SECONDS
            logger.warning("no hints for %s s: %s", _OUTAGE_SECONDS, error)
            return False
        return True


def on_game_advanced(
    sender: object, *, game_id: UUID, version: int, told: Iterable[Told], **_more: Any
) -> None:
    """Receiver of `games.signals.game_advanced`."""
    _hints().publish(game_id, version, {each.player for each in told})


@cache
def _hints() -> Hints:
    return Hints(settings.REDIS_URL)
