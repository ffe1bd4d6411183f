"""The real web server on the test's database, with the rights of the application."""

import contextlib
import os
import sys
from http.client import HTTPException
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from django.db import connection

from durak_api.embedded import postgres
from durak_api.embedded.probes import UnixHTTPConnection, answers_http
from durak_api.embedded.process import Process, Service
from tests.live import as_role, with_database
from tests.servers import wait_until_ready

PATIENCE = 20.0
SERVE = (
    "import pathlib, sys; from durak_api.embedded.web_server import serve_wsgi; "
    "serve_wsgi('durak_api.wsgi:application', pathlib.Path(sys.argv[1]))"
)


class Answer(NamedTuple):
    """What came back; the names of headers are in lower case."""

    status: int
    headers: dict[str, str]
    content: bytes

    @property
    def code(self) -> str | None:
        """Why it was refused, if it was."""
        return None if self.status < 300 else self.json()["code"]

    def json(self) -> Any:
        """The body's value."""
        return msgspec.json.decode(self.content)


class WebServer:
    """Its processes; calls may come from any thread."""

    def __init__(self, folder: Path) -> None:
        self._socket = folder / "web.sock"
        service = Service(
            name="web",
            run=(sys.executable, "-c", SERVE, self._socket),
            is_ready=lambda: answers_http(self._socket),
            environment={"DATABASE_URL": database_url()},
        )
        self._process = Process(service, folder)

    def start(self) -> None:
        """Return when it serves."""
        self._process.start()
        wait_until_ready(self._process)

    def kill(self) -> None:
        """SIGKILL all of it, whatever it is doing."""
        self._process.kill()

    def stop(self) -> None:
        """Let it end what it is doing."""
        self._process.stop()

    def call(
        self, method: str, path: str, token: str | None, body: Any = None, **headers: str
    ) -> Answer:
        """The answer to a request. Raises OSError or HTTPException when the server dies on it."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["Authorization"] = f"Bearer {token}"
        content = None if body is None else msgspec.json.encode(body)
        if content is not None:
            sent["Content-Type"] = "application/json"
        with contextlib.closing(UnixHTTPConnection(self._socket, timeout=PATIENCE)) as client:
            client.request(method, f"/api/v1{path}", content, sent)
            response = client.getresponse()
            received = {name.lower(): text for name, text in response.headers.items()}
            return Answer(response.status, received, response.read())

    def try_call(self, *request: Any, **headers: str) -> Answer | None:
        """The same; None when no answer came."""
        with contextlib.suppress(OSError, HTTPException):
            return self.call(*request, **headers)
        return None


def database_url() -> str:
    """The test's own database, as the application's role where the servers are ours."""
    url = with_database(os.environ["DATABASE_URL"], connection.settings_dict["NAME"])
    return as_role(url, postgres.APP) if f"//{postgres.OWNER}@" in url else url
