"""A server with the staff's pages, on a database of its own, and somebody who looks around."""

import contextlib
import html
import re
import secrets
import sys
from collections import deque
from dataclasses import replace
from http.client import HTTPResponse
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlencode, urljoin, urlsplit

import msgspec
import psycopg
from psycopg import sql

from durak_api.embedded import postgres
from durak_api.embedded.probes import UnixHTTPConnection, answers_http
from durak_api.embedded.process import Process, Service, log_tail
from tests.live import as_role, with_database
from tests.servers import wait_until_ready

SERVE = (
    "import pathlib, sys; from durak_api.embedded.web_server import serve_wsgi; "
    "serve_wsgi('durak_api.wsgi:application', pathlib.Path(sys.argv[1]))"
)
MANAGE = Path(__file__).resolve().parents[2] / "manage.py"
PASSWORD = "correct horse battery"
STAFF, STRANGER, JUDGE = "boss", "guest", "judge"
_ACCOUNTS = ((STAFF, True, []), (STRANGER, False, []), (JUDGE, True, ["void_game"]))
# The way out, and the same rows with numbers.
_NO_PAGES = ("/logout/", "_facets=")
_USER = """
    import django; django.setup()
    from django.contrib.auth.models import Permission, User
    user = User.objects.create_user({name!r}, password={password!r}, is_staff={is_staff})
    user.user_permissions.set(Permission.objects.filter(codename__in={permissions!r}))
"""


class Answer(NamedTuple):
    """What came back."""

    status: int
    headers: dict[str, str]
    cookies: dict[str, str]
    text: str

    def json(self) -> Any:
        """The body's value."""
        return msgspec.json.decode(self.text)


class OfficeServer:
    """The web server with ADMIN on."""

    def __init__(self, folder: Path, database_url: str, redis_url: str) -> None:
        self._folder = folder
        self._admin_url = database_url
        self._name = f"durak_office_{secrets.token_hex(4)}"
        self._owner_url = with_database(database_url, self._name)
        ours = f"//{postgres.OWNER}@" in self._owner_url
        self._environment = {
            "ADMIN": "true",
            "DATABASE_OWNER_URL": self._owner_url,
            "DATABASE_URL": as_role(self._owner_url, postgres.APP) if ours else self._owner_url,
            "REDIS_URL": redis_url,
        }
        self._socket = folder / "web.sock"
        service = self._service("web", "-c", SERVE, str(self._socket))
        self._web = Process(replace(service, is_ready=lambda: answers_http(self._socket)), folder)

    def start(self) -> None:
        """Make the database and three accounts, two of them of the staff; return when it serves."""
        self._on_the_server("CREATE DATABASE {}")
        self._run("migrate", str(MANAGE), "migrate", "--verbosity", "0")
        for name, is_staff, permissions in _ACCOUNTS:
            code = _USER.format(
                name=name, password=PASSWORD, is_staff=is_staff, permissions=permissions
            )
            self._run(name, "-c", "\n".join(line.strip() for line in code.splitlines()))
        self._web.start()
        wait_until_ready(self._web)

    def stop(self) -> None:
        """Stop it and drop the database."""
        self._web.stop()
        self._on_the_server("DROP DATABASE IF EXISTS {} WITH (FORCE)")

    def rows(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """The rows of a query, read as the owner."""
        with psycopg.connect(self._owner_url) as connection:
            return connection.execute(statement, values).fetchall()

    def call(self, method: str, path: str, content: bytes | None = None, **headers: str) -> Answer:
        """The answer to a request."""
        sent = {"Host": "localhost", "X-Forwarded-Proto": "https"}
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        with contextlib.closing(UnixHTTPConnection(self._socket, timeout=30)) as client:
            client.request(method, path, content, sent)
            response = client.getresponse()
            text = response.read().decode()
            found = {name.lower(): value for name, value in response.getheaders()}
            return Answer(response.status, found, _cookies(response), text)

    def api(self, method: str, path: str, token: str | None = None, body: Any = None) -> Any:
        """The value that the API answers, which must be a success."""
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        content = None if body is None else msgspec.json.encode(body)
        if content is not None:
            headers["Content_Type"] = "application/json"
        answer = self.call(method, f"/api/v1{path}", content, **headers)
        assert answer.status < 300, answer.text
        assert answer.cookies == {}
        return answer.json()

    def _service(self, name: str, *command: str) -> Service:
        return Service(
            name=name,
            run=(sys.executable, *command),
            is_ready=lambda: True,
            environment={**self._environment, "DJANGO_SETTINGS_MODULE": "durak_api.settings"},
        )

    def _run(self, name: str, *command: str) -> None:
        process = Process(self._service(name, *command), self._folder)
        process.start()
        process.wait()
        assert process.exit_code() == 0, log_tail(process.log, 40)

    def _on_the_server(self, statement: str) -> None:
        with psycopg.connect(self._admin_url, autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(sql.Identifier(self._name)))


class Visitor:
    """A browser: it keeps cookies and fills in the form of the door."""

    def __init__(self, server: OfficeServer) -> None:
        self._server = server
        self.cookies: dict[str, str] = {}

    def get(self, path: str) -> Answer:
        """The page at a path."""
        return self._send("GET", path)

    def post(self, path: str, **fields: str) -> Answer:
        """What a form with these fields leads to."""
        token = {"csrfmiddlewaretoken": self.cookies.get("csrftoken", "")}
        return self._send("POST", path, urlencode({**token, **fields}).encode())

    def sign_in(self, name: str, password: str = PASSWORD) -> Answer:
        """The answer of the door."""
        self.get("/admin/login/")
        return self.post("/admin/login/?next=/admin/", username=name, password=password)

    def walk(self, start: str = "/admin/", most: int = 400) -> dict[str, Answer]:
        """Every page that a link leads to, and the links of those."""
        pages: dict[str, Answer] = {}
        waiting = deque([start])
        while waiting and len(pages) < most:
            path = waiting.popleft()
            if path in pages or any(one in path for one in _NO_PAGES):
                continue
            pages[path] = answer = self.get(path)
            for link in re.findall(r'href="([^"]+)"', answer.text):
                target = urlsplit(urljoin(path, html.unescape(link)))
                if target.path.startswith("/admin/"):
                    waiting.append(_plain(target))
        return pages

    def _send(self, method: str, path: str, content: bytes | None = None) -> Answer:
        headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items())}
        if content is not None:
            headers |= {"Content_Type": "application/x-www-form-urlencoded"}
            headers |= {"Referer": "https://localhost/admin/"}
        answer = self._server.call(method, path, content, **headers)
        self.cookies |= answer.cookies
        return answer


def _plain(target: SplitResult) -> str:
    """The page without a part of it, and without the list that it was reached from."""
    query = "" if "_changelist_filters=" in target.query else target.query
    return target._replace(query=query, fragment="").geturl()


def _cookies(response: HTTPResponse) -> dict[str, str]:
    set_ones = response.headers.get_all("Set-Cookie") or []
    pairs = (cookie.split(";", 1)[0].partition("=") for cookie in set_ones)
    return {name: value for name, _, value in pairs}
