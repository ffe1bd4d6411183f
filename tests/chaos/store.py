"""What is stored, read by plain SQL: nothing of the service stands between."""

import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, LiteralString, TypeVar

import msgspec
import psycopg
from psycopg.sql import SQL, Identifier

from durak_api.environment import run_file_read

T = TypeVar("T")
PATIENCE = 60.0
PROJECTIONS = (
    "games_gameresult",
    "games_gamefinish",
    "games_rating",
    "games_ratingchange",
)
# Its id is its name.
LADDER = "games_ladder"
_GAMES = """
    SELECT g.id::text, g.version, g.status, g.seats, p.name, encode(g.head_hash, 'hex')
    FROM games_game g JOIN games_player p ON p.id = g.creator_id ORDER BY g.id
"""
_EVENTS = """
    SELECT game_id::text, seq, type, encode(hash, 'hex'), data -> 'next' IS NOT NULL,
        (data->>'seat')::int, data->>'brain'
    FROM games_gameevent WHERE %(all)s OR game_id::text = ANY(%(games)s) ORDER BY game_id, seq
"""
_KEYS = """
    SELECT key, path, status, encode(sha256(body), 'hex') FROM games_idempotencykey
    WHERE %(all)s OR key = ANY(%(keys)s) ORDER BY id
"""
_DUE = "SELECT game_id::text, version FROM due_turn"
_UNRATED = "SELECT count(*) FROM games_gamefinish WHERE rated_at IS NULL"


class StoredGame(msgspec.Struct, frozen=True):
    """A game's row; `creator` is a name."""

    id: str
    version: int
    status: str
    seats: int
    creator: str
    head: str


class StoredEvent(msgspec.Struct, frozen=True):
    """An event of the log; the last one of each move `ends` it."""

    game: str
    seq: int
    type: str
    hash: str
    ends: bool
    seat: int | None
    brain: str | None


class StoredKey(msgspec.Struct, frozen=True):
    """A stored answer, by its digest."""

    key: str
    path: str
    status: int
    digest: str


class Stored(msgspec.Struct, frozen=True):
    """Everything, or what was asked for, as of one moment."""

    games: Sequence[StoredGame]
    events: Sequence[StoredEvent]
    keys: Sequence[StoredKey]
    due: dict[str, int]


class Store:
    """The database of a stack, read as its owner. It may be down: reads are tried for a while."""

    def __init__(self, data_dir: Path) -> None:
        self.url = run_file_read(data_dir)["DATABASE_OWNER_URL"]

    def read(self, games: Sequence[str] = (), keys: Sequence[str] = ()) -> Stored:
        """All that is stored; of events and keys only those of some games and keys, if named."""
        wanted = {"all": not games, "games": list(games), "keys": list(keys)}
        with self._connection() as connection:
            connection.isolation_level = psycopg.IsolationLevel.REPEATABLE_READ
            rows = partial(rows_of, connection)
            return Stored(
                rows(StoredGame, _GAMES),
                rows(StoredEvent, _EVENTS, wanted),
                rows(StoredKey, _KEYS, wanted),
                dict(connection.execute(_DUE).fetchall()),
            )

    def read_patiently(self, games: Sequence[str], keys: Sequence[str]) -> Stored:
        """The same, from a database that may be down for a while."""
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                return self.read(games, keys)
            except psycopg.OperationalError:
                if time.monotonic() > deadline:
                    raise
            time.sleep(0.2)

    def unrated(self) -> int:
        """How many finished games wait for their ratings."""
        with self._connection() as connection:
            row = connection.execute(_UNRATED).fetchone()
            return 0 if row is None else int(row[0])

    def projections(self) -> dict[str, list[str]]:
        """Results, ratings and boards: the rows of each table without their own numbers."""
        with self._connection() as connection:
            return {
                table: [
                    row[0]
                    for row in connection.execute(
                        SQL("SELECT ({})::text AS row FROM {} t ORDER BY row").format(
                            SQL("to_jsonb(t)" if table == LADDER else "to_jsonb(t) - 'id'"),
                            Identifier(table),
                        )
                    )
                ]
                for table in (*PROJECTIONS, LADDER)
            }

    def _connection(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self.url, connect_timeout=5)


def rows_of(
    connection: psycopg.Connection[Any],
    kind: type[T],
    statement: LiteralString,
    wanted: Mapping[str, Any] | None = None,
) -> list[T]:
    """The rows of a statement, each as a `kind`."""
    return [kind(*row) for row in connection.execute(statement, wanted)]
