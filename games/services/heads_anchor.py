"""Anchors for heads that were committed and not anchored: a process died, or a disk was full.

Where the log was read to is kept beside the anchor file, with the games that were refused. A log
is anchored only if all of it is in order and continues everything that was anchored of it: what
somebody changed is never signed afterwards.
"""

import logging
import time
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import connection
from django.utils import timezone

from games.store.anchor import Anchor, write_heads
from games.store.anchored import Anchored, anchors_of
from games.store.audit import Fault, faults
from games.store.stored import stored_game

BATCH: Final = 20_000
SECONDS_A_RUN: Final = 4.0
# What was committed just now is being anchored by whoever did it.
QUIET: Final = timedelta(seconds=60)
_FRESH: Final = """
    SELECT id, game_id, at FROM games_gameevent WHERE id > %s ORDER BY id LIMIT %s
"""
# A game that went on lately comes up again with its later events.
_HEADS: Final = """
    SELECT g.id, g.version, g.head_hash FROM games_game g
    LEFT JOIN games_gameevent e ON e.game_id = g.id AND e.seq = g.version
    WHERE g.id = ANY(%s) AND (e.at IS NULL OR e.at <= %s)
"""

_log = logging.getLogger("games.anchor")


class Swept(msgspec.Struct, frozen=True):
    """The id of the last event that was looked at, and the games that were not anchored."""

    event: int = 0
    refused: tuple[UUID, ...] = ()


def heads_anchor(*, quiet: timedelta = QUIET) -> int:
    """Anchor the heads of games changed since the last call that lack their line; how many did.

    Changes of the last moments (`quiet`) are left to the next call, and so is what takes too long.
    A game whose log is at fault is logged as an error and tried again at every call. Raises
    OSError if the file cannot be read or written; then the next call starts from the same place.
    """
    if not settings.ANCHOR_FILE:
        return 0
    until, healed = time.monotonic() + SECONDS_A_RUN, 0
    swept = heads_swept()
    waiting, refused = set(swept.refused), set[UUID]()
    while True:
        before = timezone.now() - quiet
        event, changed = _changed(swept.event, before)
        added, faulty = _anchor(_heads((waiting | changed) - refused, before))
        healed += added
        refused |= faulty
        done = event == swept.event
        swept = Swept(event, tuple(sorted(refused)))
        _remember(swept)
        if done or time.monotonic() > until:
            return healed
        waiting = set()


def heads_swept() -> Swept:
    """How far the log was looked at, and which games could not be anchored."""
    try:
        return msgspec.json.decode(_memory().read_bytes(), type=Swept)
    except (OSError, msgspec.DecodeError):
        return Swept()


def _memory() -> Path:
    return Path(f"{settings.ANCHOR_FILE}.swept")


def _remember(swept: Swept) -> None:
    new = _memory().with_suffix(".new")
    new.write_bytes(msgspec.json.encode(swept))
    new.replace(_memory())


def _changed(after: int, before: datetime) -> tuple[int, set[UUID]]:
    """The games of the next events after one, and the last of these events."""
    games = set()
    with connection.cursor() as cursor:
        cursor.execute(_FRESH, [after, BATCH])
        for event, game, at in cursor.fetchall():
            if at > before:
                break
            after = event
            games.add(game)
    return after, games


def _heads(games: Collection[UUID], before: datetime) -> dict[UUID, Anchor]:
    if not games:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(_HEADS, [list(games), before])
        return {game: Anchor(game, seq, bytes(digest)) for game, seq, digest in cursor.fetchall()}


def _anchor(heads: Mapping[UUID, Anchor]) -> tuple[int, set[UUID]]:
    """How many heads were anchored that were not, and the games that must not be."""
    found = anchors_of(Path(settings.ANCHOR_FILE), heads)
    lacking = [game for game, head in heads.items() if head != _latest(found[game])]
    judged = {game: _sound_head(game, found[game]) for game in lacking}
    sound = [head for head in judged.values() if isinstance(head, Anchor)]
    missing = [head for head in sound if head not in found[head.game]]
    if missing:
        write_heads(missing)
    faulty = [fault for fault in judged.values() if isinstance(fault, Fault)]
    for fault in faulty:
        _log.error("game %s is not anchored: event %s: %s", fault.game, fault.seq, fault.reason)
    return len(missing), {fault.game for fault in faulty}


def _latest(heads: Iterable[Anchor]) -> Anchor | None:
    return max(heads, key=lambda head: head.seq, default=None)


def _sound_head(game: UUID, known: Iterable[Anchor]) -> Anchor | Fault | None:
    """The head to be anchored, or what is wrong with the log; None if the game is gone."""
    stored = stored_game(game)
    if stored is None:
        return None
    anchored = Anchored.holding(known)
    fault = next(faults([stored], anchored, rules=True), None)
    return fault or Anchor(stored.id, stored.version, stored.head)
