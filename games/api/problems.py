"""A refusal and its form: application/problem+json (RFC 9457)."""

from collections.abc import Mapping
from typing import Final

from django.http import HttpRequest
from django.utils.encoding import escape_uri_path
from rest_framework.response import Response

from games.api.language import Language, wanted_language
from games.api.messages import problem_text
from games.api.renderers import json_bytes, respond

MEDIA_TYPE: Final = "application/problem+json"
VARY: Final = "Authorization, Accept, Accept-Language"
BASE: Final = "/api/v1/problems/"
# A problem names no more faults than that, however many a request has.
MOST_FAULTS: Final = 100
_CHALLENGES: Final = {
    "auth.missing": 'Bearer realm="durak"',
    "auth.invalid": 'Bearer realm="durak", error="invalid_token"',
    "auth.expired": 'Bearer realm="durak", error="invalid_token"',
    "auth.scope": 'Bearer realm="durak", error="insufficient_scope"',
}


class Problem(Exception):
    """A refusal: its code, more members for the client, headers, a detail if the table's is poor.

    >>> raise Problem("move.stale_version", version=37)
    Traceback (most recent call last):
    games.api.problems.Problem: move.stale_version
    """

    def __init__(
        self,
        code: str,
        *,
        detail: str | None = None,
        headers: Mapping[str, str] | None = None,
        **members: object,
    ) -> None:
        super().__init__(code)
        self.code = code
        self.detail = detail
        self.headers = dict(headers or {})
        self.members = members


def invalid(field: str, reason: str) -> Problem:
    """``request.invalid`` for one field, header or parameter."""
    return Problem("request.invalid", errors=[{"field": field, "reason": reason}])


def problem_response(
    problem: Problem, request: HttpRequest, language: Language | None = None
) -> Response:
    """The answer for `problem`, in the language that the request asks for."""
    speaks = language or wanted_language(request.META.get("HTTP_ACCEPT_LANGUAGE", ""))
    text = problem_text(problem.code, speaks)
    body = {
        "type": f"{BASE}{problem.code}",
        "title": text.title,
        "status": text.status,
        "code": problem.code,
        "detail": problem.detail or text.detail,
        "instance": escape_uri_path(request.path),
        **problem.members,
    }
    return respond(
        json_bytes(body), text.status, MEDIA_TYPE, _headers(problem, text.status, speaks)
    )


def _headers(problem: Problem, status: int, language: Language) -> dict[str, str]:
    headers = {"Vary": VARY, "Cache-Control": "no-store", "Content-Language": language}
    if problem.code in _CHALLENGES:
        headers["WWW-Authenticate"] = _CHALLENGES[problem.code]
    if status == 503:
        headers["Retry-After"] = "1"
    return headers | problem.headers
