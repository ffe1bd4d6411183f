"""Token buckets that all processes share in Redis, taken from in small leases.

A process leases a two-hundredth of a bucket at a time and hands it out itself, so that a limit of
thousands costs one round trip in many requests. Tokens leased and not used within two seconds are
lost; a bucket in use by several processes may thus give a few per cent less than its limit, and
never more.
"""

import time
from dataclasses import dataclass
from threading import Lock
from typing import Final

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry

WINDOW: Final = 60
_LEASE_SECONDS: Final = 2.0
_OUTAGE_SECONDS: Final = 1.0
_PATIENCE_SECONDS: Final = 0.25
_MOST_LEASES: Final = 10_000
_TAKE: Final = """
local limit, window, wanted = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local rate = limit / window
local clock = redis.call('TIME')
local now = clock[1] + clock[2] / 1000000
local kept = redis.call('HMGET', KEYS[1], 'tokens', 'at')
local passed = math.max(0, now - (tonumber(kept[2]) or now))
local tokens = math.min(limit, (tonumber(kept[1]) or limit) + passed * rate)
local given = math.min(wanted, math.floor(tokens))
tokens = tokens - given
redis.call('HSET', KEYS[1], 'tokens', tostring(tokens), 'at', string.format('%.6f', now))
redis.call('PEXPIRE', KEYS[1], math.ceil((limit - tokens) / rate * 1000) + 1000)
return {given, math.floor(tokens), math.ceil(math.max(0, 1 - tokens) / rate * 1000)}
"""


@dataclass(slots=True)
class Lease:
    """What one process holds of one bucket."""

    left: int
    beyond: int
    ends: float
    wait: float


@dataclass(frozen=True, slots=True)
class Grant:
    """Whether a request may pass; `remaining` and `wait` (seconds) are for the client's eyes."""

    allowed: bool
    remaining: int
    wait: float


class Buckets:
    """The buckets of this process's Redis; thread-safe."""

    def __init__(self, url: str) -> None:
        client = redis.Redis.from_url(
            url,
            socket_timeout=_PATIENCE_SECONDS,
            socket_connect_timeout=_PATIENCE_SECONDS,
            retry=Retry(NoBackoff(), 1),
        )
        self._script = client.register_script(_TAKE)
        self._leases: dict[str, Lease] = {}
        self._lock = Lock()
        self._outage_ends = 0.0

    def take(self, key: str, limit: int) -> Grant | None:
        """One token of the bucket `key`, which holds `limit` and fills up in a minute.

        None while Redis cannot be reached: nobody is refused for that.
        """
        now = time.monotonic()
        with self._lock:
            lease = self._leases.get(key)
            if lease is not None and lease.ends > now and (lease.left or lease.wait):
                return self._hand_out(lease, now)
        fresh = self._fetch(key, limit, max(1, limit // 200), now)
        if fresh is None:
            return None
        with self._lock:
            self._keep(key, fresh, now)
            return self._hand_out(fresh, now)

    def give_back(self, key: str) -> None:
        """Return a token to this process's lease of the bucket."""
        with self._lock:
            lease = self._leases.get(key)
            if lease is not None:
                lease.left += 1
                lease.wait = 0.0

    @staticmethod
    def _hand_out(lease: Lease, now: float) -> Grant:
        if not lease.left:
            return Grant(False, 0, max(lease.ends - now, 0.001))
        lease.left -= 1
        return Grant(True, lease.beyond + lease.left, 0.0)

    def _fetch(self, key: str, limit: int, wanted: int, now: float) -> Lease | None:
        if now < self._outage_ends:
            return None
        try:
            given, beyond, wait = self._script(keys=[key], args=[limit, WINDOW, wanted])
        except redis.RedisError:
            self._outage_ends = now + _OUTAGE_SECONDS
            return None
        seconds = wait / 1000
        ends = now + (_LEASE_SECONDS if given else seconds)
        return Lease(given, beyond, ends, 0.0 if given else seconds)

    def _keep(self, key: str, lease: Lease, now: float) -> None:
        held = self._leases.get(key)
        if held is not None and held.ends > now:
            lease.left += held.left
        if len(self._leases) >= _MOST_LEASES:
            self._leases.clear()
        self._leases[key] = lease
