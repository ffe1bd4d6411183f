"""Heads of logs, signed and kept in a file outside the database.

A database that is changed as a whole, chain and all, agrees with itself; only something that lies
elsewhere can tell. After every commit a line is added to the anchor file:

    <game id> <version> <hash of that event, hex> <signature, hex>

Each line begins with its line break, so that one that was cut short by a full disk spoils no other.
The signature is HMAC-SHA-256 under a key made of SECRET_KEY, so that whoever owns the database or
the file alone cannot write a line. Cutting a log back to an earlier head, or losing a game, shows
when the file is compared with the logs. It can still be lost itself: keep copies elsewhere.
"""

import hmac
import logging
import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final
from uuid import UUID

import msgspec
from django.conf import settings

logger = logging.getLogger("games.anchor")
_KEY: Final = b"durak-anchor-v1"
_GAME: Final = rb"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"
_LINE: Final = re.compile(_GAME + rb" [1-9][0-9]{0,8} [0-9a-f]{64} [0-9a-f]{64}")
_BEGUN: Final = re.compile(
    rb"[0-9a-f-]{0,35}|" + _GAME + rb"(| [0-9]{0,9}| [0-9]{1,9} [0-9a-f]{0,64}"
    rb"| [0-9]{1,9} [0-9a-f]{64} [0-9a-f]{0,63})"
)


class Anchor(msgspec.Struct, frozen=True):
    """A head that was: the hash of a game's event `seq` while it was the last one."""

    game: UUID
    seq: int
    hash: bytes


def anchor_heads(heads: Iterable[Anchor]) -> None:
    """Add heads to the anchor file of the settings, if one is set; failures are only logged.

    What is committed is committed: a full disk must not make a move look lost.
    """
    if not settings.ANCHOR_FILE:
        return
    try:
        write_heads(heads)
    except OSError:
        logger.exception("heads are not anchored")


def write_heads(heads: Iterable[Anchor]) -> None:
    """Add heads to the anchor file. Raises OSError, also when the disk takes only a part."""
    lines = b"".join(_line(head) for head in heads)
    # One write to the end of the file: lines of several processes do not mix.
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
    descriptor = os.open(settings.ANCHOR_FILE, flags, 0o600)
    try:
        if os.write(descriptor, lines) < len(lines):
            raise OSError("the disk took only a part of the heads")
    finally:
        os.close(descriptor)


def read_line(line: bytes) -> Anchor | None:
    """The head of a line; None if it is not whole, or not signed under a key of the settings."""
    if not _LINE.fullmatch(line):
        return None
    text, _, signature = line.rpartition(b" ")
    if not any(hmac.compare_digest(_signature(text, key), signature) for key in _keys()):
        return None
    game, seq, digest = text.decode().split(" ")
    return Anchor(UUID(game), int(seq), bytes.fromhex(digest))


def is_begun(line: bytes) -> bool:
    """Whether it is the beginning of a line: a full disk took no more. It says nothing."""
    return _BEGUN.fullmatch(line) is not None


def _line(head: Anchor) -> bytes:
    text = f"{head.game} {head.seq} {head.hash.hex()}".encode()
    return b"\n" + text + b" " + _signature(text, settings.SECRET_KEY)


def _keys() -> Iterator[str]:
    yield settings.SECRET_KEY
    yield from settings.SECRET_KEY_FALLBACKS


def _signature(text: bytes, secret: str) -> bytes:
    return hmac.digest(_key(secret), text, "sha256").hex().encode()


@lru_cache(maxsize=8)
def _key(secret: str) -> bytes:
    return hmac.digest(secret.encode(), _KEY, "sha256")
