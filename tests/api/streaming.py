"""A real streams process on the test's database, and somebody who reads from it."""

import contextlib
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import msgspec
from django.db import connection

from durak_api.embedded import postgres
from durak_api.embedded.probes import UnixHTTPConnection, answers_http
from durak_api.embedded.process import Process, Service
from tests.live import as_role, with_database
from tests.servers import wait_until_ready

SSE, LINES = "text/event-stream", "application/x-ndjson"
PATIENCE = 10.0
UVICORN = ("-m", "uvicorn", "durak_api.asgi:application", "--lifespan", "on", "--no-access-log")


class StreamsProcess:
    """The process that a deployment runs, with settings of the test's."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        self.socket = folder / "streams.sock"
        service = Service(
            name="streams",
            run=(sys.executable, *UVICORN, "--uds", self.socket, "--timeout-graceful-shutdown", 3),
            is_ready=lambda: answers_http(self.socket),
            environment={
                "DATABASE_URL": f"{database_url()}?application_name=durak_streams",
                "DATABASE_POOL": "true",
                **{name: str(value) for name, value in settings.items()},
            },
        )
        self.process = Process(service, folder)

    def start(self) -> None:
        """Return when it serves."""
        self.process.start()
        wait_until_ready(self.process)

    @property
    def log(self) -> str:
        """What it has written."""
        return self.process.log.read_text()

    @contextlib.contextmanager
    def ask(self, path: str, token: str | None = None, **headers: str) -> Iterator["Answer"]:
        """GET a path below /api/v1; the connection is closed at the end of the block."""
        connection = UnixHTTPConnection(self.socket, timeout=PATIENCE)
        with contextlib.closing(connection), asking(connection, path, token, **headers) as answer:
            yield answer


@contextlib.contextmanager
def asking(
    connection: HTTPConnection, path: str, token: str | None = None, **headers: str
) -> Iterator["Answer"]:
    """GET a path below /api/v1 on a connection."""
    sent = {name.replace("_", "-"): value for name, value in headers.items()}
    if token is not None:
        sent["Authorization"] = f"Bearer {token}"
    connection.request("GET", f"/api/v1{path}", headers=sent)
    with connection.getresponse() as response:
        yield Answer(response)


@dataclass(frozen=True)
class Message:
    """One message of a stream: an event has no `name`; `seq` is its id where the form has ids."""

    name: str
    seq: int | None
    data: bytes

    @property
    def value(self) -> Any:
        """What is in it."""
        return msgspec.json.decode(self.data)


class Answer:
    """An answer that may take its time."""

    def __init__(self, response: HTTPResponse) -> None:
        self.response = response
        self.status = response.status
        self.media = response.headers["Content-Type"]

    def body(self) -> bytes:
        """All of it, once it is over."""
        return self.response.read()

    def json(self) -> Any:
        """The body's value."""
        return msgspec.json.decode(self.body())

    def messages(self) -> Iterator[Message]:
        """Messages until the end; signs of life are named `alive`."""
        assert self.status == 200, self.body()
        if self.media == SSE:
            return map(read_block, self._blocks())
        return map(read_line, self._lines())

    def take(self, count: int) -> list[Message]:
        """The next messages, signs of life left out."""
        found: list[Message] = []
        for message in self.messages():
            if message.name != "alive":
                found.append(message)
            if len(found) == count:
                break
        return found

    def _lines(self) -> Iterator[bytes]:
        while line := self.response.readline():
            assert line.endswith(b"\n")
            yield line.removesuffix(b"\n")

    def _blocks(self) -> Iterator[list[bytes]]:
        block: list[bytes] = []
        for line in self._lines():
            if line:
                block.append(line)
            elif not block[0].startswith(b"retry:"):
                yield block
                block = []
            else:
                block = []
        assert not block


def read_block(block: list[bytes]) -> Message:
    """A message of an event stream."""
    fields = dict(line.split(b": ", 1) for line in block)
    if b"" in fields:
        return Message("alive", None, b"")
    mark = fields.get(b"id", b"")
    seq = int(mark) if mark.isdigit() else None
    return Message(fields.get(b"event", b"").decode(), seq, fields[b"data"])


def read_line(line: bytes) -> Message:
    """A message of a stream of lines."""
    if not line:
        return Message("alive", None, b"")
    value = msgspec.json.decode(line)
    if "seq" in value or "cursor" in value:
        return Message("", value.get("seq"), line)
    return Message(value["type"], None, line)


def database_url() -> str:
    """The test's own database, with the rights of the application."""
    url = with_database(os.environ["DATABASE_URL"], connection.settings_dict["NAME"])
    return as_role(url, postgres.APP) if f"//{postgres.OWNER}@" in url else url
