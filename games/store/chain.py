"""The hash chain of a log: every event is tied to all before it.

    hash_n = SHA-256("durak-log-v1" | game id | seq | hash_{n-1} | nonce_n | canonical(event_n))

with seq as u64, big-endian, and 32 zero bytes before the first. Nonces come from a secret of the
game and keep a hash from telling a hidden card; the secret is revealed at the end.
"""

import hmac
from datetime import UTC, datetime
from functools import lru_cache
from typing import Final

from games.store.codec import canonical
from games.store.sha import sha256

GENESIS: Final = bytes(32)
_LOG: Final = b"durak-log-v1"
_NONCE: Final = b"durak-nonce-v1"
_SECRET: Final = b"durak-chain-v1"
_BLOCK: Final = 64
# What each byte of an HMAC's key becomes (RFC 2104).
_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))


def chain_commitment(secret: bytes, game_id: str) -> str:
    """What event 1 says of the chain's secret, in hex."""
    return sha256(_SECRET + game_id.encode() + secret).hexdigest()


def nonce(secret: bytes, seq: int) -> bytes:
    """The 32 bytes that hide the content of event `seq` behind its hash."""
    return hmac.digest(secret, _NONCE + seq.to_bytes(8, "big"), "sha256")


class Chain:
    """Links the events of one game; what all links have in common is hashed once."""

    __slots__ = ("_begun", "_inner", "_outer")

    def __init__(self, game_id: str, secret: bytes) -> None:
        self._begun = sha256(_LOG + game_id.encode()).copy
        # HMAC-SHA-256 by its definition, up to the part that is another each time.
        key = sha256(secret).digest() if len(secret) > _BLOCK else secret
        block = key.ljust(_BLOCK, b"\0")
        self._inner = sha256(block.translate(_INNER) + _NONCE).copy
        self._outer = sha256(block.translate(_OUTER)).copy

    def link(self, seq: int, previous: bytes, content: bytes) -> bytes:
        """The hash of event `seq` whose canonical `content` follows the event hashed `previous`."""
        number = seq.to_bytes(8, "big")
        inner, outer, whole = self._inner(), self._outer(), self._begun()
        inner.update(number)
        outer.update(inner.digest())
        whole.update(b"".join((number, previous, outer.digest(), content)))
        return whole.digest()


def link(game_id: str, seq: int, previous: bytes, secret: bytes, content: bytes) -> bytes:
    """One link by itself."""
    return Chain(game_id, secret).link(seq, previous, content)


def content(kind: str, version: int, at: datetime, facts: bytes) -> bytes:
    """The canonical form of an event: its type, version, time and facts."""
    return b"".join((beginning(kind, version), timestamp(at).encode(), b'"]', facts))


@lru_cache(maxsize=1 << 10)
def beginning(kind: str, version: int) -> bytes:
    """The canonical form of an event up to its time, which is digits and what stands between."""
    return canonical([kind, version])[:-1] + b',"'


# All events of a move have the same.
@lru_cache(maxsize=32)
def timestamp(at: datetime) -> str:
    """RFC 3339 in UTC with microseconds.

    >>> timestamp(datetime(2026, 1, 1, tzinfo=UTC))
    '2026-01-01T00:00:00.000000Z'
    """
    return at.astimezone(UTC).isoformat(timespec="microseconds").removesuffix("+00:00") + "Z"
