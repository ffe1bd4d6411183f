"""What one request is: its HTTP, the statements that the API ran for it, and its answer.

Rivals of the API run these statements with these parameters; whatever the API asks the database,
they ask too. Nothing here needs Django.
"""

import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, NamedTuple
from uuid import UUID


class Statement(NamedTuple):
    """One statement with its parameters; `inside` a transaction or on its own."""

    sql: str
    parameters: tuple[Any, ...]
    inside: bool


class Exchange(NamedTuple):
    """A request about one game, as it was answered once; other games may stand in for that one."""

    number: int
    game: UUID
    method: str
    path: str
    headers: Mapping[str, str]
    body: bytes
    statements: Sequence[Statement]
    status: int
    reply: bytes

    def blocks(self, game: UUID) -> Iterator[tuple[bool, Iterable[tuple[str, list[Any]]]]]:
        """The statements for another game, by transaction: (inside one, its statements)."""
        for inside, block in groupby(self.statements, key=lambda statement: statement.inside):
            yield inside, ((one.sql, self._swapped(one, game)) for one in block)

    def request(self, game: UUID) -> bytes:
        """The bytes of the request to the API, for another game."""
        return self._http(self.path.replace(str(self.game), str(game)))

    def bare_request(self, game: UUID) -> bytes:
        """The bytes of the request to the bare view that stands for it."""
        return self._http(f"/{self.number}/{game}")

    def _swapped(self, statement: Statement, game: UUID) -> list[Any]:
        return [game if value == self.game else value for value in statement.parameters]

    def _http(self, path: str) -> bytes:
        length = {"Content-Length": str(len(self.body))} if self.body else {}
        headers = {"Host": "localhost", **self.headers, **length}
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        return f"{self.method} {path} HTTP/1.1\r\n{lines}\r\n".encode() + self.body


def exchanges_write(path: Path, exchanges: Sequence[Exchange]) -> None:
    """Keep exchanges for other processes; an exchange's number is its place."""
    path.write_bytes(pickle.dumps(list(exchanges)))


def exchanges_read(path: Path) -> list[Exchange]:
    """The exchanges that were kept."""
    exchanges: list[Exchange] = pickle.loads(path.read_bytes())
    return exchanges
