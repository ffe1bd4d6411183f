"""What an operation answers is what it published: status, code, fields."""

from typing import Any

import msgspec
from django.urls import Resolver404, resolve

from games.api.operations import JSON, Operation, operation_of


def check_promise(method: str, path: str, response: Any) -> None:
    """Fail if the schema says nothing of this answer. Addresses without an operation pass."""
    promise = promise_of(method, path)
    if promise is None:
        return
    kind = response.headers.get("Content-Type", "")
    if kind == "application/problem+json":
        code = response.json()["code"]
        assert code in promise.problems(), f"{promise.name} does not publish {code}"
        return
    published = {promise.status, *promise.also}
    assert response.status_code in published, f"{promise.name} answers {response.status_code}"
    if kind == JSON and promise.answer is not None:
        assert shown_by(promise, response.content) == response.json(), promise.name


def promise_of(method: str, path: str) -> Operation | None:
    """The operation at an address."""
    try:
        view = resolve(path.partition("?")[0]).func
    except Resolver404:
        return None
    return operation_of(getattr(getattr(view, "view_class", None), method.lower(), None))


def shown_by(promise: Operation, content: bytes) -> Any:
    """The answer as its published shape knows it: fields that nobody declared are gone."""
    known = msgspec.json.decode(content, type=promise.answer)
    return msgspec.json.decode(msgspec.json.encode(known))
