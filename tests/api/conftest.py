"""A client that speaks the API, and players to speak for."""

from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import msgspec
import pytest
from django.db import connection
from django.db.transaction import atomic
from django.test import Client

from games.services.player_register import Registered, player_register
from tests.api.promises import check_promise

BASE = "/api/v1"


class Api:
    """Django's client with JSON bodies and a token.

    Unforeseen exceptions fail the test, and so does an answer that the schema does not publish.
    """

    def __init__(self, token: str | None = None, language: str | None = None) -> None:
        self._client = Client()
        self._headers = {
            **({"authorization": f"Bearer {token}"} if token else {}),
            **({"accept-language": language} if language else {}),
        }

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """The response; `body` is JSON, or raw when it is bytes."""
        raw = body if isinstance(body, bytes) else b"" if body is None else json(body)
        kind = headers.pop("content_type", "application/json" if raw else "")
        sent = self._headers | {name.replace("_", "-"): value for name, value in headers.items()}
        # A refused write is rolled back: within a test's transaction that much and no more.
        nested = connection.in_atomic_block and method != "GET"
        with atomic() if nested else nullcontext():
            response = self._client.generic(
                method, BASE + path, raw, content_type=kind, headers=sent
            )
        check_promise(method, BASE + path, response)
        return response

    def get(self, path: str, **headers: str) -> Any:
        """GET."""
        return self.call("GET", path, **headers)

    def post(self, path: str, body: Any = None, **headers: str) -> Any:
        """POST."""
        return self.call("POST", path, body, **headers)


def json(value: Any) -> bytes:
    """The bytes of a JSON body."""
    return msgspec.json.encode(value)


def refusal(response: Any, status: int, code: str) -> dict[str, Any]:
    """The problem of a response that must be one, with this status and code."""
    assert response["Content-Type"] == "application/problem+json", response.content
    problem: dict[str, Any] = response.json()
    assert (response.status_code, problem["code"]) == (status, code), problem
    assert problem.keys() >= {"type", "title", "status", "code", "detail", "instance"}
    assert problem["status"] == status
    return problem


def bad_fields(response: Any) -> dict[str, str]:
    """Field to reason of a request.invalid."""
    problem = refusal(response, 400, "request.invalid")
    return {error["field"]: error["reason"] for error in problem["errors"]}


@pytest.fixture
def anybody() -> Api:
    """Somebody without a token."""
    return Api()


@pytest.fixture
def ann(db: None) -> Registered:
    """A player with a password, and her first token."""
    return player_register(name="ann", password="correct horse")


@pytest.fixture
def as_ann(ann: Registered) -> Api:
    """Ann's client."""
    return Api(ann.token.text)


@pytest.fixture
def client_for() -> Callable[[str], Api]:
    """A client for any token."""
    return Api
