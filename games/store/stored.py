"""Games as they are stored, row by row: nothing is decoded, folded or believed."""

from itertools import pairwise, starmap
from typing import Any, Final
from uuid import UUID

import msgspec
from django.db import connection
from psycopg.pq import Format

BATCH: Final = 100
# One statement sees one moment: the row of each game and then its events, which it may outgrow.
# The rest of a game's row comes as JSON, because every column more is paid for by all the events.
_STORED: Final = """
    WITH g AS MATERIALIZED (
        SELECT *, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"' AS form
        FROM games_game WHERE id > %s ORDER BY id LIMIT %s
    )
    SELECT seq, type, version, at, data, hash FROM (
        SELECT id, 0 AS seq, jsonb_build_object(
                'id', id, 'snapshot', encode(snapshot, 'hex'),
                'chain_secret', encode(chain_secret, 'hex'),
                'server_seed', encode(server_seed, 'hex'))::text AS type,
            version, '' AS at, jsonb_build_object(
                'status', status, 'visibility', visibility, 'rated', rated, 'ruleset', ruleset,
                'seats', seats, 'match', match_id, 'game_number', game_number,
                'creator', creator_id, 'options', options, 'invite', invite <> '',
                'reserved', reserved,
                'reserved_until', to_char(reserved_until AT TIME ZONE 'UTC', form),
                'created_at', to_char(created_at AT TIME ZONE 'UTC', form),
                'finished_at', to_char(finished_at AT TIME ZONE 'UTC', form),
                'due_at', to_char(due_at AT TIME ZONE 'UTC', form),
                'turn_seconds', turn_seconds, 'free_seats', free_seats,
                'waiting_since', to_char(waiting_since AT TIME ZONE 'UTC', form),
                'shown_version', shown_version,
                'players', (SELECT jsonb_agg(jsonb_build_array(seat, player_id) ORDER BY seat)
                    FROM games_gameseat s WHERE s.game_id = g.id),
                'seats_over', (SELECT CASE WHEN bool_or(s.is_over) = bool_and(s.is_over)
                    THEN bool_and(s.is_over) END
                    FROM games_gameseat s WHERE s.game_id = g.id))::text AS data,
            head_hash AS hash
        FROM g
        UNION ALL
        SELECT e.game_id, e.seq, e.type, e.schema_version,
            COALESCE(to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), ''),
            e.data::text, e.hash
        FROM games_gameevent e WHERE e.game_id IN (SELECT id FROM g)
    ) AS rows ORDER BY id, seq
"""
_ORPHANS: Final = """
    SELECT DISTINCT game_id FROM games_gameevent e
    WHERE NOT EXISTS (SELECT FROM games_game g WHERE g.id = e.game_id)
"""


class Row(msgspec.Struct, frozen=True, gc=False):
    """An event as it is stored; `at` and `data` as text, infinite times as none."""

    seq: int
    type: str
    version: int
    at: str
    data: str
    hash: bytes


class Stored(msgspec.Struct, frozen=True):
    """A game as it is stored, with all its events.

    `columns` are the other fields of its row as JSON, with `players` of the rows of its seats.
    """

    id: UUID
    version: int
    head: bytes
    snapshot: bytes | None
    chain_secret: bytes
    server_seed: bytes
    columns: str
    rows: list[Row]


class _Secrets(msgspec.Struct, frozen=True):
    """What a game's row holds beside its head and its columns; bytes in hex."""

    id: UUID
    snapshot: str | None
    chain_secret: str
    server_seed: str


def stored_games(after: UUID, limit: int = BATCH) -> list[Stored]:
    """The next games in the order of their ids, all as of one moment."""
    with connection.cursor() as cursor:
        # As the database holds it: spelling out every hash would cost more than reading it.
        cursor.cursor.format = Format.BINARY
        cursor.execute(_STORED, [after, limit])
        found = cursor.fetchall()
    begins = [place for place, row in enumerate(found) if not row[0]]
    return [
        _stored(found[begin], list(starmap(Row, found[begin + 1 : end])))
        for begin, end in pairwise([*begins, len(found)])
    ]


def _stored(row: tuple[Any, ...], rows: list[Row]) -> Stored:
    _, secrets, version, _, columns, head = row
    held = msgspec.json.decode(secrets, type=_Secrets)
    snapshot = None if held.snapshot is None else bytes.fromhex(held.snapshot)
    chain_secret, server_seed = bytes.fromhex(held.chain_secret), bytes.fromhex(held.server_seed)
    return Stored(held.id, version, head, snapshot, chain_secret, server_seed, columns, rows)


def stored_game(game_id: UUID) -> Stored | None:
    """One game as it is stored; None if there is none."""
    # It is the first one after the id just before its own.
    found = stored_games(UUID(int=max(game_id.int, 1) - 1), 1)
    return found[0] if found and found[0].id == game_id else None


def orphans() -> list[UUID]:
    """Games of which only events are left."""
    with connection.cursor() as cursor:
        cursor.execute(_ORPHANS)
        return [row[0] for row in cursor.fetchall()]
