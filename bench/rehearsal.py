"""Sample games played through the API in this process, to know what each request will do.

A sample plays the first moves of a random game for two. Each request is kept with the statements
that it ran. Games cloned from the sample's start can then be played by the same requests, as many
as a round needs: they are equal in everything but their ids. Clones of its middle are looked at.
"""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple
from uuid import UUID

import msgspec
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from uuid_utils.compat import uuid7

from bench.exchange import Exchange, Statement
from bots.brains import brain_get

RULESET: Final = "throw_in"
MOVES: Final = 40
LOOKED_AT_AFTER: Final = 20
JSON: Final = "application/json"
# What a game consists of, and the columns that get its id (each clone is a match of its own); other
# ids are the database's to give.
TABLES: Final = {
    "games_game": ("id", "match_id"),
    "games_gameseat": ("game_id",),
    "games_gameevent": ("game_id",),
}


class Sample(NamedTuple):
    """The exchanges of one sample game, and its clones: `games` to play, `shown` to look at."""

    games: Sequence[UUID]
    shown: Sequence[UUID]
    moves: Sequence[Exchange]
    view: Exchange
    unchanged: Exchange


class TooShort(Exception):
    """A game ended before it had enough moves for a sample."""


class Rehearsal:
    """Plays samples; `exchanges` are all that were kept, in the order of their numbers."""

    def __init__(self, rng: random.Random) -> None:
        self.exchanges: list[Exchange] = []
        self._client = Client(SERVER_NAME="localhost")
        self._rng = rng

    def sample(self, *, games: int, shown: int) -> Sample:
        """Play a sample game with so many clones of its start and of its middle."""
        while True:
            try:
                return self._sample(games, shown)
            except TooShort:
                continue

    def _sample(self, games: int, shown: int) -> Sample:
        tokens = [self._register() for _ in range(2)]
        game = self._deal(tokens)
        clones = clone(game, games)
        first = [self._move(game, tokens) for _ in range(LOOKED_AT_AFTER)]
        middle = clone(game, shown)
        view = self._view(game, tokens[0], 200, {})
        etag = f'"v{msgspec.json.decode(view.reply)["version"]}.s0.en"'
        unchanged = self._view(game, tokens[0], 304, {"If-None-Match": etag})
        rest = [self._move(game, tokens) for _ in range(MOVES - LOOKED_AT_AFTER)]
        moves = first + rest
        return Sample(clones, middle, self._keep(*moves), *self._keep(view, unchanged))

    def _keep(self, *exchanges: Exchange) -> list[Exchange]:
        start = len(self.exchanges)
        kept = [each._replace(number=start + place) for place, each in enumerate(exchanges)]
        self.exchanges += kept
        return kept

    def _register(self) -> str:
        name = f"bench-{self._rng.getrandbits(64):016x}"
        token: str = self._json("POST", "/api/v1/players", {}, {"name": name})["token"]
        return token

    def _deal(self, tokens: Sequence[str]) -> UUID:
        table = {"ruleset": RULESET, "seats": 2}
        opened = self._json("POST", "/api/v1/games", _bearer(tokens[0]), table)
        self._json("POST", f"/api/v1/games/{opened['id']}/join", _bearer(tokens[1]), {})
        return UUID(opened["id"])

    def _move(self, game: UUID, tokens: Sequence[str]) -> Exchange:
        path = f"/api/v1/games/{game}"
        view = self._json("GET", path, _bearer(tokens[0]), None)
        if not view["to_act"]:
            raise TooShort
        seat = view["to_act"][0]
        view = self._json("GET", path, _bearer(tokens[seat]), None)
        move = brain_get("random").brain.choose(view, (), self._rng, 0)
        headers = {**_bearer(tokens[seat]), "If-Match": f'"v{view["version"]}"'}
        return self._exchange("POST", game, "/moves", headers, msgspec.json.encode(move), 201)

    def _view(self, game: UUID, token: str, status: int, headers: dict[str, str]) -> Exchange:
        return self._exchange("GET", game, "", _bearer(token) | headers, b"", status)

    def _exchange(
        self, method: str, game: UUID, what: str, headers: dict[str, str], body: bytes, status: int
    ) -> Exchange:
        path = f"/api/v1/games/{game}{what}"
        if body:
            headers = {**headers, "Content-Type": JSON}
        with recorded() as statements:
            answer = self._send(method, path, headers, body)
        if answer.status_code != status:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.content!r}")
        return Exchange(0, game, method, path, headers, body, statements, status, answer.content)

    def _json(
        self, method: str, path: str, headers: dict[str, str], body: object | None
    ) -> dict[str, Any]:
        content = b"" if body is None else msgspec.json.encode(body)
        answer = self._send(method, path, headers, content)
        if answer.status_code >= 300:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.content!r}")
        decoded: dict[str, Any] = msgspec.json.decode(answer.content)
        return decoded

    def _send(self, method: str, path: str, headers: dict[str, str], body: bytes) -> HttpResponse:
        answer = self._client.generic(method, path, body, content_type=JSON, headers=headers)
        assert isinstance(answer, HttpResponse)
        return answer


@contextmanager
def recorded() -> Iterator[list[Statement]]:
    """The statements that run on Django's connection within the block, as they come."""
    statements: list[Statement] = []

    def record(execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
        inside = connection.in_atomic_block
        statements.append(Statement(sql, tuple(parameters or ()), inside))
        return execute(sql, parameters, many, context)

    with connection.execute_wrapper(record):
        yield statements


def clone(game: UUID, count: int) -> list[UUID]:
    """Games equal to `game` in rows and log, under ids of their own."""
    ids = [uuid7() for _ in range(count)]
    with connection.cursor() as cursor:
        for table, keys in TABLES.items():
            described = connection.introspection.get_table_description(cursor, table)
            columns = ", ".join({column.name for column in described} - {"id", *keys})
            cursor.execute(
                f"INSERT INTO {table} ({', '.join(keys)}, {columns})"
                f" SELECT {', '.join(['clone'] * len(keys))}, {columns}"
                f" FROM {table}, unnest(%s::uuid[]) AS clone WHERE {keys[0]} = %s",
                [ids, game],
            )
    return ids


def _bearer(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}
