"""The hash chain of a log: every event is tied to all before it.

    hash_n = SHA-256("durak-log-v1" | game id | seq | hash_{n-1} | nonce_n | canonical(event_n))

with seq as u64, big-endian, and 32 zero bytes before the first. Nonces come from a secret of the
game and keep a hash from telling a hidden card; the secret is revealed at the end.
"""

import hashlib
import hmac
from datetime import UTC, datetime
from typing import Final

from games.store.codec import canonical

GENESIS: Final = bytes(32)
_LOG: Final = b"durak-log-v1"
_NONCE: Final = b"durak-nonce-v1"
_SECRET: Final = b"durak-chain-v1"


def chain_commitment(secret: bytes, game_id: str) -> str:
    """What event 1 says of the chain's secret, in hex."""
    return hashlib.sha256(_SECRET + game_id.encode() + secret).hexdigest()


def nonce(secret: bytes, seq: int) -> bytes:
    """The 32 bytes that hide the content of event `seq` behind its hash."""
    return hmac.digest(secret, _NONCE + seq.to_bytes(8, "big"), "sha256")


def link(game_id: str, seq: int, previous: bytes, secret: bytes, content: bytes) -> bytes:
    """The hash of event `seq` whose canonical `content` follows the event hashed `previous`."""
    parts = (_LOG, game_id.encode(), seq.to_bytes(8, "big"), previous, nonce(secret, seq), content)
    return hashlib.sha256(b"".join(parts)).digest()


def content(kind: str, version: int, at: datetime, facts: bytes) -> bytes:
    """The canonical form of an event: its type, version, time and facts."""
    head = canonical([kind, version, timestamp(at)])
    return head + facts


def timestamp(at: datetime) -> str:
    """RFC 3339 in UTC with microseconds.

    >>> timestamp(datetime(2026, 1, 1, tzinfo=UTC))
    '2026-01-01T00:00:00.000000Z'
    """
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
