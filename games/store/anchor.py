"""Heads of logs, signed and kept in a file outside the database.

A database that is changed as a whole, chain and all, agrees with itself; only something that lies
elsewhere can tell. After every commit a line is added to the anchor file:

    <game id> <version> <hash of that event, hex> <signature, hex>

Each line begins with its line break, so that one that was cut short by a full disk spoils no other.
The signature is HMAC-SHA-256 under a key made of SECRET_KEY, so that whoever owns the database or
the file alone cannot write a line. Cutting a log back to an earlier head, or losing a game, shows
when the file is compared with the logs. It can still be lost itself: keep copies elsewhere.
"""

import hashlib
import hmac
import logging
import os
from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Final
from uuid import UUID

import msgspec
from django.conf import settings

logger = logging.getLogger("games.anchor")
_KEY: Final = b"durak-anchor-v1"


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
    lines = b"".join(_line(head) for head in heads)
    try:
        _append(settings.ANCHOR_FILE, lines)
    except OSError:
        logger.exception("heads are not anchored")


class Anchored(msgspec.Struct, frozen=True):
    """An anchor file as it was read: the latest head of each game, and lines nobody signed."""

    heads: dict[UUID, Anchor] = {}
    unsigned: tuple[int, ...] = ()


def anchors(path: Path) -> Anchored:
    """What a file says. Raises OSError."""
    latest: dict[UUID, tuple[int, int, bytes]] = {}
    unsigned = []
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            if not (text := line.strip(b"\n")):
                continue
            if (named := _named(text)) is None:
                unsigned.append(number)
            elif named[1] >= latest.get(named[0], (0, 0, b""))[0]:
                latest[named[0]] = (named[1], number, text)
    heads = {game: _read(text) for game, (_, _, text) in latest.items()}
    unsigned += [number for game, (_, number, _) in latest.items() if heads[game] is None]
    signed = {game: head for game, head in heads.items() if head is not None}
    return Anchored(signed, tuple(sorted(unsigned)))


def _line(head: Anchor) -> bytes:
    text = f"{head.game} {head.seq} {head.hash.hex()}".encode()
    return b"\n" + text + b" " + _signature(text, settings.SECRET_KEY).encode()


def _append(path: str, lines: bytes) -> None:
    # One write to the end of the file: lines of several processes do not mix.
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.write(descriptor, lines)
    finally:
        os.close(descriptor)


def _named(line: bytes) -> tuple[UUID, int] | None:
    try:
        game, seq, _, _ = line.split(b" ")
        return UUID(game.decode()), int(seq)
    except ValueError:
        return None


def _read(line: bytes) -> Anchor | None:
    text, _, signature = line.rpartition(b" ")
    if not any(_matches(text, signature, key) for key in _keys()):
        return None
    game, seq, digest = text.decode().split(" ")
    return Anchor(UUID(game), int(seq), bytes.fromhex(digest))


def _keys() -> Iterator[str]:
    yield settings.SECRET_KEY
    yield from settings.SECRET_KEY_FALLBACKS


def _matches(text: bytes, signature: bytes, secret: str) -> bool:
    return hmac.compare_digest(_signature(text, secret).encode(), signature)


def _signature(text: bytes, secret: str) -> str:
    return hmac.new(_key(secret), text, hashlib.sha256).hexdigest()


@lru_cache(maxsize=8)
def _key(secret: str) -> bytes:
    return hmac.digest(secret.encode(), _KEY, "sha256")
