"""Connections that break at any byte of a move or of its answer: repeated, it is made once.

The requests go through the front to real web processes. With EVERY_BYTE=1 at every byte of both.
"""

import contextlib
import os
import random
import socket
import struct
from collections.abc import Iterator
from http.client import HTTPResponse
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from uuid import uuid4

import msgspec
import pytest

from tests.api.streaming import PATIENCE
from tests.live import LiveStack
from tests.live_client import Client
from tests.tables import choose

EVERYTHING = bool(os.environ.get("EVERY_BYTE"))
LONGEST_ANSWER, SAMPLE = 10_000 if EVERYTHING else 3_000, 24
# Answers that came whole: no longer one is to be expected.
ENOUGH = 20
# Closing sends a reset: what the other side still sends is refused.
RESET = struct.pack("ii", 1, 0)


class Answer(NamedTuple):
    """A whole answer."""

    status: int
    replayed: bool
    body: bytes


class Write(NamedTuple):
    """A request, byte by byte, and what the game was before it."""

    game: str
    key: str
    version: int
    raw: bytes


class Table:
    """Two players at a table, who take another one when a game is over."""

    def __init__(self, stack: LiveStack) -> None:
        self.stack = stack
        self.players = [Client(stack), Client(stack)]
        self.rng = random.Random(3)
        self.game = self.open()

    def open(self) -> str:
        """A new game of theirs."""
        game = self.players[0].open(2)
        self.players[1].post(f"/games/{game}/join", {})
        return game

    def next_write(self) -> Write:
        """A move that nobody has sent yet, under a key of its own."""
        view = self.players[0].get(f"/games/{self.game}")
        if view["status"] == "finished":
            self.game = self.open()
            view = self.players[0].get(f"/games/{self.game}")
        mover = self.players[view["to_act"][0]]
        patterns = mover.get(f"/games/{self.game}")["you"]["legal_moves"]
        body = msgspec.json.encode(choose(patterns, self.rng))
        key = uuid4().hex
        return Write(self.game, key, view["version"], self._raw(mover.token, key, view, body))

    def _raw(self, token: str, key: str, view: dict[str, Any], body: bytes) -> bytes:
        lines = (
            f"POST /api/v1/games/{view['id']}/moves HTTP/1.1",
            f"Host: {urlsplit(self.stack.base_url).netloc}",
            f"Authorization: Bearer {token}",
            f"Idempotency-Key: {key}",
            f'If-Match: "v{view["version"]}"',
            "Content-Type: application/json",
            f"Content-Length: {len(body)}",
            "Connection: close",
        )
        return "\r\n".join((*lines, "", "")).encode() + body

    def connect(self) -> socket.socket:
        """To the front."""
        where = urlsplit(self.stack.base_url)
        return socket.create_connection((where.hostname, where.port), PATIENCE)

    def cut_answer(self, write: Write, size: int) -> bytes:
        """Send it all, read so many bytes of the answer, and break the connection."""
        with self.connect() as line:
            line.sendall(write.raw)
            read = b""
            while len(read) < size and (more := line.recv(size - len(read))):
                read += more
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        return read

    def cut_request(self, write: Write, size: int) -> None:
        """Send only so many bytes, and break the connection."""
        with self.connect() as line:
            line.sendall(write.raw[:size])
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)

    def send(self, write: Write) -> Answer:
        """Send it all and read the whole answer."""
        with self.connect() as line, contextlib.closing(HTTPResponse(line)) as response:
            line.sendall(write.raw)
            response.begin()
            replayed = response.headers.get("Idempotency-Replayed") == "true"
            return Answer(response.status, replayed, response.read())

    def check_once(self, write: Write, answer: Answer) -> None:
        """The log holds the move's events once, and the answer tells of them."""
        told = msgspec.json.decode(answer.body)
        assert answer.status == 201, told
        assert [event["seq"] for event in told["events"]] == list(
            range(write.version + 1, told["version"] + 1)
        )
        logged = self.stack.rows(
            "SELECT seq, encode(hash, 'hex') FROM games_gameevent WHERE game_id = %s ORDER BY seq",
            write.game,
        )
        assert [seq for seq, _ in logged] == list(range(1, told["version"] + 1))
        assert [event["hash"] for event in told["events"]] == [
            digest for _, digest in logged[write.version :]
        ]
        kept = self.stack.rows(
            "SELECT count(*) FROM games_idempotencykey WHERE key = %s", write.key
        )
        assert kept == [(1,)]


@pytest.fixture
def table(live_stack: LiveStack) -> Table:
    """A table at the running stack."""
    return Table(live_stack)


def sizes(longest: int, *always: int) -> Iterator[int]:
    """After how many bytes the connection breaks."""
    if EVERYTHING:
        yield from range(longest)
    else:
        yield from sorted({*always, *random.Random(longest).sample(range(longest), SAMPLE)})


def test_an_answer_that_breaks_off_is_given_again(table: Table) -> None:
    whole = 0
    for size in sizes(LONGEST_ANSWER, 0, 1, 2):
        write = table.next_write()
        read = table.cut_answer(write, size)
        again = table.send(write)
        table.check_once(write, again)
        if read:
            assert read.startswith(b"HTTP/1.1 201"[: len(read)])
            assert again.replayed
        head, _, body = read.partition(b"\r\n\r\n")
        if b"chunked" not in head:
            assert again.body.startswith(body)
        assert table.send(write) == again._replace(replayed=True)
        whole += body == again.body
    assert whole > 0


def test_a_request_that_breaks_off_is_not_made_and_then_made_once(table: Table) -> None:
    write = table.next_write()
    end = write.raw.index(b"\r\n\r\n")
    for size in sizes(len(write.raw), 0, end, end + 3, end + 4, end + 5, len(write.raw) - 1):
        table.cut_request(write, size)
    assert table.stack.rows("SELECT version FROM games_game WHERE id = %s", write.game) == [
        (write.version,)
    ]
    first = table.send(write)
    assert not first.replayed
    table.check_once(write, first)
    assert table.send(write) == first._replace(replayed=True)


def test_a_request_that_is_sent_twice_before_any_answer_is_made_once(table: Table) -> None:
    for _ in range(SAMPLE):
        write = table.next_write()
        with table.connect() as one, table.connect() as two:
            for line in (one, two):
                line.sendall(write.raw)
                line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        table.check_once(write, table.send(write))


def test_answers_are_kept_after_the_end_and_a_restart(table: Table) -> None:
    writes, answers = [], []
    for _ in range(5):
        writes.append(table.next_write())
        answers.append(table.send(writes[-1]))
    table.players[0].post(f"/games/{writes[-1].game}/resign", {})
    kept = [answer._replace(replayed=True) for answer in answers]
    assert [table.send(write) for write in writes] == kept
    table.stack.restart()
    assert [table.send(write) for write in writes] == kept
    moved = writes[0].raw.replace(b'If-Match: "v', b'If-Match: "v1')
    other = table.send(writes[0]._replace(raw=moved))
    assert other.status == 422
    assert msgspec.json.decode(other.body)["code"] == "idempotency.key_reused"
