"""How many requests a minute: which bucket an operation takes from, and what the client is told."""

import math
from functools import cache
from typing import Final

import msgspec
from django.conf import settings

from games.api.buckets import WINDOW, Buckets, Grant
from games.api.problems import Problem

APPLIES: Final = {
    "registration": "POST /players, per address",
    "sign_in": "failed POST /tokens, per address and name",
    "sign_in_address": "failed POST /tokens, per address",
    "referee": "POST /referee, per address",
    "replays": "POST /replays, per address",
    "webhook_test": "POST /webhooks/{id}/test, per player",
    "analyses": "POST /games/{id}/analysis, per player",
    "own_game_reads": "reading one's own running game, per player",
    "own_game_moves": "playing one's own running game, per player",
    "default": "everything else, per player, without a token per address",
}
BY_ADDRESS: Final = frozenset({"registration", "sign_in", "sign_in_address", "referee", "replays"})
OWN_GAME: Final = frozenset({"own_game_reads", "own_game_moves"})


class Limit(msgspec.Struct, frozen=True):
    """A bucket as GET /limits shows it: `limit` requests in `window` seconds, refilled evenly."""

    bucket: str
    limit: int
    window: int
    applies_to: str


def limits() -> list[Limit]:
    """Every bucket with its limit."""
    return [Limit(name, _size(name), WINDOW, text) for name, text in APPLIES.items()]


def charge(bucket: str, who: str) -> dict[str, str]:
    """Take one from the bucket of `who`; the headers that tell him how much is left.

    Raises Problem rate.limited. Without Redis everybody passes.
    """
    size = _size(bucket)
    grant = _buckets().take(f"durak:limit:{bucket}:{who}", size)
    if grant is None:
        return {}
    headers = _headers(bucket, size, grant)
    if not grant.allowed:
        wait = math.ceil(grant.wait)
        raise Problem("rate.limited", headers=headers | {"Retry-After": str(wait)}, bucket=bucket)
    return headers


def refund(bucket: str, who: str) -> None:
    """Give back what `charge` took."""
    _buckets().give_back(f"durak:limit:{bucket}:{who}")


def _size(bucket: str) -> int:
    size: int = settings.API_LIMITS[bucket]
    return size


@cache
def _buckets() -> Buckets:
    return Buckets(settings.REDIS_URL)


def _headers(bucket: str, size: int, grant: Grant) -> dict[str, str]:
    full_in = math.ceil((size - grant.remaining) * WINDOW / size)
    return {
        "RateLimit-Policy": f'"{bucket}";q={size};w={WINDOW}',
        "RateLimit": f'"{bucket}";r={grant.remaining};t={full_in}',
    }
