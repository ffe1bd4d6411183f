"""Append and load: every write of a game is one transaction that ends here.

The statements are written by hand: this is the path of every move.
"""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache, lru_cache
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connection
from msgspec.structs import replace

from games.rules import game as games
from games.rules.clocks import stamped
from games.rules.events import Event
from games.rules.game import Game
from games.rules.views import Sitter
from games.store.chain import GENESIS, Chain, content
from games.store.codec import VERSIONS, decode_event, encode_event
from games.store.cursors import executed
from games.store.notices import Told, notices_of

# Snapshots of another format are folded anew. The shape of a game names itself; the number is
# raised when the same shape comes to mean something else.
_SHAPE: Final = repr(msgspec.inspect.type_info(Game)).encode()
SNAPSHOT_FORMAT: Final = b"1" + hashlib.sha256(_SHAPE).digest()[:7]
_PREFIX: Final = len(SNAPSHOT_FORMAT)
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder(Game).decode

_HEAD: Final = """
    SELECT g.version, g.snapshot, g.head_hash, g.chain_secret, g.invite, g.created_at,
        {times}, (
        SELECT json_agg(json_build_array(p.id, p.name, p.kind))::text FROM games_gameseat s
        JOIN games_player p ON p.id = s.player_id WHERE s.game_id = g.id)
    FROM games_game g WHERE g.id = %s
"""
_LOAD: Final = _HEAD.format(times="NULL, NULL")
_TIMES: Final = """clock_timestamp(),
        CASE WHEN g.due_at IS NOT NULL THEN (SELECT at FROM games_heartbeat) END"""
_LOCK: Final = _HEAD.format(times=_TIMES) + "FOR NO KEY UPDATE OF g"
_PEEK: Final = """
    SELECT g.version, g.visibility = 'public', s.seat, g.creator_id = %s, g.shown_version
    FROM games_game g LEFT JOIN games_gameseat s ON s.game_id = g.id AND s.player_id = %s
    WHERE g.id = %s
"""
_PERSONS: Final = """
    SELECT json_agg(json_build_array(id, name, kind))::text FROM games_player
    WHERE id = ANY(%s::uuid[])
"""
_EVENTS: Final = """
    SELECT seq, type, schema_version, data::text, at, hash FROM games_gameevent
    WHERE game_id = %s AND seq > %s ORDER BY seq LIMIT %s
"""
# The events follow from the row: where the version has moved on, nothing is inserted.
# Who is told of them is written with them, at the cost of no further statement.
# `due_at` is never later than the deadline, and mostly stays as it is: a row of which no indexed
# column changes leaves all indexes alone. What moves seldom change is set beside it when it does.
_APPEND: Final = """
    WITH moved AS (
        UPDATE games_game SET version = %s, head_hash = %s, snapshot = %s, status = %s,
            finished_at = COALESCE(%s, finished_at),
            due_at = CASE WHEN %s::timestamptz IS NULL THEN NULL ELSE LEAST(due_at, %s) END{beside}
        WHERE id = %s AND version = %s
        RETURNING id, version, %s::timestamptz AS at
    ){over}, told AS (
        INSERT INTO notice (game_id, version, seat, kind, player_id, deadline, at, hooked)
        SELECT moved.id, moved.version, n.seat, n.kind, n.player, n.deadline, moved.at, EXISTS (
            SELECT FROM webhook w WHERE w.player_id = n.player AND w.status = 'enabled')
        FROM moved, jsonb_to_recordset(%s::jsonb)
            AS n (seat int, kind int, player uuid, deadline timestamptz)
        ON CONFLICT DO NOTHING
        RETURNING player_id, hooked
    )
    INSERT INTO games_gameevent (game_id, seq, type, schema_version, data, at, hash)
    SELECT moved.id, e.seq, e.type, e.schema_version, e.data, moved.at, decode(e.hash, 'hex')
    FROM moved, jsonb_to_recordset(%s::jsonb)
        AS e (seq int, type text, schema_version int, data jsonb, hash text)
    RETURNING (SELECT array_agg(DISTINCT player_id::text) FROM told WHERE hooked)
"""

_OVER: Final = """, over AS (
        UPDATE games_gameseat SET is_over = TRUE WHERE game_id IN (SELECT id FROM moved)
    )"""


class VersionConflict(Exception):
    """Another writer appended first: the log has moved past the expected version."""


class Head(msgspec.Struct, frozen=True):
    """A game at its last version, with what the next append needs, and whom the last one told.

    `read_at` is when it was locked, by the database's clock, the one that all deadlines go by; None
    if it was not, or when it was written to. `beat_at` is when the clocks were last looked after,
    if a turn runs.
    """

    id: UUID
    game: Game
    hash: bytes
    chain_secret: bytes
    invite: str
    created_at: datetime
    sitters: tuple[Sitter | None, ...]
    read_at: datetime | None = None
    beat_at: datetime | None = None
    told: tuple[Told, ...] = ()


class Peek(msgspec.Struct, frozen=True):
    """The version of a game that may be seen, the seat of whoever looks, whether he may at all."""

    version: int
    seat: int | None
    visible: bool


class Written(msgspec.Struct, frozen=True):
    """The version and the facts of a row that an older release wrote."""

    schema_version: int
    facts: msgspec.Raw


class Stored(msgspec.Struct, frozen=True):
    """An event as it stands in the log; `written` is its row if that has another form today."""

    seq: int
    event: Event
    at: datetime
    hash: bytes
    written: Written | None = None


class _Row(msgspec.Struct, frozen=True):
    """An event as `_APPEND` takes it: all in one parameter, since arrays are slow to send."""

    seq: int
    type: str
    schema_version: int
    data: msgspec.Raw
    hash: str


def peek(game_id: UUID, player_id: UUID | None) -> Peek | None:
    """Version and access without the game itself: enough to say that nothing changed."""
    row = executed(_PEEK, [player_id, player_id, game_id]).row
    if row is None:
        return None
    version, public, seat, created, shown = row
    behind = seat is None and shown is not None
    return Peek(shown if behind else version, seat, public or created or seat is not None)


def load(game_id: UUID) -> Head | None:
    """The head of a game, or None if there is none."""
    return _head(game_id, _LOAD)


def lock(game_id: UUID) -> Head | None:
    """Like `load`, holding the game's row until the transaction ends."""
    return _head(game_id, _LOCK)


def events(game_id: UUID, after: int = 0, limit: int | None = None) -> list[Stored]:
    """The events that follow version `after`, in order."""
    with connection.cursor() as cursor:
        cursor.execute(_EVENTS, [game_id, after, limit])
        return [
            Stored(
                seq,
                decode_event(kind, version, facts),
                at,
                bytes(digest),
                _written(kind, version, facts),
            )
            for seq, kind, version, facts, at, digest in cursor.fetchall()
        ]


def _written(kind: str, version: int, facts: str) -> Written | None:
    return None if version == VERSIONS[kind] else Written(version, msgspec.Raw(facts.encode()))


def server_seed(game_id: UUID) -> bytes:
    """The secret half of the game's chance; nobody outside may see it before the end."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT server_seed FROM games_game WHERE id = %s", [game_id])
        row = cursor.fetchone()
    return bytes(row[0])


def replay(game_id: UUID, version: int | None = None) -> Game:
    """The game folded from its events alone, up to `version`. Raises ValueError without events."""
    return games.fold(None, tuple(stored.event for stored in events(game_id, limit=version)))


def sitters(game: Game, persons: str | None = None) -> tuple[Sitter | None, ...]:
    """Who owns the game's chairs, or for whom they are kept, by name.

    `persons` is what the head's statement read of them. Rows that a lock waited for are newer
    than its answer, and earlier versions had others: whoever is missing is looked up.
    """
    known = _persons(persons or "[]")
    owners = [chair.owner for chair in game.chairs]
    missing = {*owners} - known.keys() - {None}
    if missing:
        with connection.cursor() as cursor:
            cursor.execute(_PERSONS, [list(missing)])
            known = {**known, **_persons(cursor.fetchone()[0] or "[]")}
    return tuple([known[owner] if owner is not None else None for owner in owners])


def begin(
    game_id: UUID, secret: bytes, invite: str, added: Sequence[Event], at: datetime
) -> tuple[Head, list[Stored]]:
    """The first events of a game whose row was just inserted at version 0."""
    added = (added[0], *stamped(games.evolve(None, added[0]), added[1:], at))
    game = games.fold(None, added)
    stored, rows = _link(game_id, secret, GENESIS, 0, added, at)
    told = _write(game_id, None, game, stored, rows, notices_of(None, game, added))
    return Head(game_id, game, stored[-1].hash, secret, invite, at, (), told=told), stored


def append(head: Head, added: Sequence[Event], at: datetime) -> tuple[Head, list[Stored]]:
    """Add events to the log, in the transaction that holds the head's lock.

    Where there is a clock, the events are stamped with what follows from `at`.
    Raises VersionConflict if the log is not at the head's version any more.
    """
    added = stamped(head.game, added, at)
    game = games.fold(head.game, added)
    stored, rows = _link(head.id, head.chain_secret, head.hash, head.game.version, added, at)
    told = _write(head.id, head.game, game, stored, rows, notices_of(head.game, game, added))
    after = replace(head, game=game, hash=stored[-1].hash, read_at=None, beat_at=None, told=told)
    return after, stored


def _link(
    game_id: UUID,
    secret: bytes,
    previous: bytes,
    version: int,
    added: Sequence[Event],
    at: datetime,
) -> tuple[list[Stored], list[_Row]]:
    """The events as they will stand in the log, and as they go there."""
    stored, rows, chain = [], [], _chain(game_id, secret)
    for seq, event in enumerate(added, version + 1):
        kind, schema, facts = encode_event(event)
        previous = chain.link(seq, previous, content(kind, schema, at, facts))
        stored.append(Stored(seq, event, at, previous))
        rows.append(_Row(seq, kind, schema, msgspec.Raw(facts), previous.hex()))
    return stored, rows


# A game has the same from move to move.
@lru_cache(maxsize=1 << 10)
def _chain(game_id: UUID, secret: bytes) -> Chain:
    return Chain(str(game_id), secret)


def _write(
    game_id: UUID,
    before: Game | None,
    game: Game,
    stored: Sequence[Stored],
    rows: Sequence[_Row],
    told: Sequence[Told],
) -> tuple[Told, ...]:
    """The append itself; those who were told, with webhooks marked."""
    at = stored[-1].at
    beside, deadline = _beside(before, game, at), game.deadline
    parameters: list[Any] = [
        game.version,
        stored[-1].hash,
        SNAPSHOT_FORMAT + _encode(game),
        game.status,
        at if game.status == "finished" else None,
        deadline,
        deadline,
        *beside.values(),
        game_id,
        game.version - len(stored),
        at,
        _encode(told).decode(),
        _encode(rows).decode(),
    ]
    statement = _append(tuple(beside), over=game.status == "finished")
    rows_added, row = executed(statement, parameters)
    if row is None or rows_added != len(stored):
        raise VersionConflict(str(game_id))
    hooked = row[0]
    if not hooked:
        return tuple(told)
    return tuple(replace(each, hooked=each.player in hooked) for each in told)


def _beside(before: Game | None, game: Game, at: datetime) -> dict[str, Any]:
    """Columns for lists: of an open game, and for those who watch from behind."""
    columns: dict[str, Any] = {}
    if before is None or before.status == "open":
        waits = game.status == "open"
        columns["free_seats"] = waits * sum(chair.player is None for chair in game.chairs)
        columns["waiting_since"] = at if waits else None
    if game.spectator_delay:
        columns["shown_version"] = game.shown_version
    return columns


@cache
def _append(columns: tuple[str, ...], *, over: bool) -> str:
    beside = "".join(f", {column} = %s" for column in columns)
    return _APPEND.format(beside=beside, over=_OVER if over else "")


def _head(game_id: UUID, statement: str) -> Head | None:
    row = executed(statement, [game_id]).row
    if row is None:
        return None
    version, snapshot, digest, secret, invite, created_at, *times, persons = row
    game = thaw(snapshot) or replay(game_id, version)
    seated = sitters(game, persons)
    return Head(game_id, game, bytes(digest), bytes(secret), invite, created_at, seated, *times)


def thaw(snapshot: bytes | None) -> Game | None:
    """The game of a snapshot; None if there is none, or none that this release can read."""
    if snapshot is None or not is_ours(snapshot):
        return None
    try:
        return _decode(memoryview(snapshot)[_PREFIX:])
    except msgspec.MsgspecError:
        return None


def is_ours(snapshot: bytes | None) -> bool:
    """Whether it is a snapshot in the format of this release; none is not."""
    return snapshot is not None and bytes(snapshot[:_PREFIX]) == SNAPSHOT_FORMAT


# The same persons sit at a table from move to move.
@lru_cache(maxsize=1 << 10)
def _persons(listed: str) -> Mapping[str, Sitter]:
    return {key: Sitter(name, kind) for key, name, kind in msgspec.json.decode(listed)}
