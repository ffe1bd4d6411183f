"""Exactly once: the answer to a write is stored under the client's key, in the write's own
transaction, and given again to whoever repeats the request.
"""

import hashlib
from collections.abc import Callable
from typing import Final
from uuid import UUID

import msgspec
from django.db import IntegrityError, OperationalError, transaction
from psycopg.errors import LockNotAvailable

from games.rules.errors import RulesError
from games.services.errors import ServiceError
from games.store.cursors import executed

_FIND: Final = """
    SELECT fingerprint, status, headers::text, body FROM games_idempotencykey
    WHERE player_id = %s AND path = %s AND key = %s
"""
_KEEP: Final = """
    INSERT INTO games_idempotencykey
        (player_id, game_id, path, key, fingerprint, status, headers, body, created_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s::jsonb, %s, now())
"""


class Key(msgspec.Struct, frozen=True):
    """A client's key for one path, and the fingerprint of what he asked there."""

    player_id: UUID
    path: str
    text: str
    fingerprint: bytes


class Reply(msgspec.Struct, frozen=True):
    """An answer as it goes out; `replayed` if it was stored by an earlier request.

    `game` is the game that was written to: a stored answer lives and goes with it.
    """

    status: int
    body: bytes
    headers: dict[str, str] = {}
    replayed: bool = False
    game: UUID | None = None


def fingerprint(*parts: bytes) -> bytes:
    """The digest by which a repeated request is told from another one."""
    return hashlib.sha256(b"".join(len(part).to_bytes(8, "big") + part for part in parts)).digest()


def once(key: Key | None, act: Callable[[], Reply]) -> Reply:
    """The reply of `act`, or the one that was stored under the key.

    Refusals are not stored. Of two at once the later waits for the earlier one's commit, fails on
    its version or on the key's uniqueness, and then finds the stored answer.
    Raises ServiceError idempotency.key_reused, idempotency.in_progress when the wait was too long,
    and whatever `act` raises.
    """
    if key is None:
        return act()
    stored = _find(key)
    if stored is not None:
        return stored
    try:
        with transaction.atomic():
            reply = act()
            _keep(key, reply)
    except (RulesError, ServiceError, IntegrityError):
        stored = _find(key)
        if stored is None:
            raise
        return stored
    except OperationalError as error:
        if isinstance(error.__cause__, LockNotAvailable):
            raise ServiceError("idempotency.in_progress") from None
        raise
    return reply


def _find(key: Key) -> Reply | None:
    row = executed(_FIND, [key.player_id, key.path, key.text]).row
    if row is None:
        return None
    known, status, headers, body = row
    if bytes(known) != key.fingerprint:
        raise ServiceError("idempotency.key_reused")
    return Reply(status, bytes(body), msgspec.json.decode(headers, type=dict[str, str]), True)


def _keep(key: Key, reply: Reply) -> None:
    headers = msgspec.json.encode(reply.headers).decode()
    kept = (key.player_id, reply.game, key.path, key.text, key.fingerprint)
    executed(_KEEP, [*kept, reply.status, headers, reply.body])
