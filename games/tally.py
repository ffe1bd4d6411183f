"""Figures that all processes keep together in the broker, for those who run the server.

Nothing depends on them: what cannot be counted now is not, and a broker that starts anew begins
at nothing. They know kinds and reasons, and nobody's name.
"""

import logging
import time
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

logger = logging.getLogger("games.tally")
TIMEOUTS: Final = "timeouts"
DELIVERIES: Final = "deliveries"
STREAMS_ENDED: Final = "streams_ended"
TALLIES: Final = (TIMEOUTS, DELIVERIES, STREAMS_ENDED)
# Seconds after which a process of streams that has said nothing more is no more.
SILENCE: Final = 10.0
_STREAMS: Final = "durak:streams"
_PATIENCE: Final = 0.25
_PAUSE: Final = 3.0


class Board:
    """Where the figures stand in one Redis; thread-safe, and quiet for a while after a failure."""

    def __init__(self, url: str) -> None:
        self._client = redis.Redis.from_url(
            url,
            socket_timeout=_PATIENCE,
            socket_connect_timeout=_PATIENCE,
            retry=Retry(NoBackoff(), 1, (redis.ConnectionError,)),
        )
        self._quiet_until = 0.0

    def add(self, tally: str, counts: Mapping[str, int]) -> bool:
        """Add to the counts of a tally by their kinds; False when that cannot be done now."""
        pipeline = self._client.pipeline(transaction=False)
        for kind, count in counts.items():
            pipeline.hincrby(_key(tally), kind, count)
        return self._done(pipeline)

    def streams_sign(self, process: str, held: int) -> bool:
        """Say how many streams a process holds; a few seconds later that is forgotten."""
        pipeline = self._client.pipeline(transaction=False)
        pipeline.hset(_STREAMS, process, f"{held} {time.time()}")
        return self._done(pipeline)

    def streams_leave(self, process: str) -> bool:
        """A process holds no streams any more."""
        pipeline = self._client.pipeline(transaction=False)
        pipeline.hdel(_STREAMS, process)
        return self._done(pipeline)

    def _done(self, pipeline: Any) -> bool:
        if time.monotonic() < self._quiet_until:
            return False
        try:
            pipeline.execute()
        except (redis.RedisError, OSError) as error:
            self._quiet_until = time.monotonic() + _PAUSE
            logger.warning("not counted: %s", error)
            return False
        return True


def tallies_read(client: Any) -> dict[str, dict[str, int]]:
    """All tallies, each by kind. Raises RedisError."""
    found = ((tally, client.hgetall(_key(tally))) for tally in TALLIES)
    return {
        tally: {kind.decode(): int(count) for kind, count in counts.items()}
        for tally, counts in found
    }


def streams_read(client: Any) -> list[int]:
    """How many streams each living process holds; others are forgotten. Raises RedisError."""
    held = []
    for process, text in client.hgetall(_STREAMS).items():
        count, at = text.split()
        if time.time() - float(at) < SILENCE:
            held.append(int(count))
        else:
            client.hdel(_STREAMS, process)
    return held


@cache
def board() -> Board:
    """That of this process's broker."""
    return Board(settings.REDIS_URL)


def _key(tally: str) -> str:
    return f"durak:tally:{tally}"
