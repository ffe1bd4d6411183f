"""Who is asking: one statement per request, and no other word about tokens in an answer."""

import re
from typing import Final
from uuid import UUID

import msgspec
from django.db import connection
from django.http import HttpRequest

from games.api.problems import Problem
from games.services.token_issue import token_digest

_HEADER: Final = re.compile(r"bearer +(dk_[A-Za-z0-9_-]{43}) *", re.IGNORECASE)
_CALLER: Final = """
    SELECT p.id, p.name, p.kind, t.scopes, t.id, p.language, t.expires_at <= now()
    FROM games_apitoken t JOIN games_player p ON p.id = t.player_id
    WHERE t.digest = %s AND t.revoked_at IS NULL AND p.deleted_at IS NULL
"""


class Caller(msgspec.Struct, frozen=True):
    """The player behind a request and what his token allows."""

    player_id: UUID
    name: str
    kind: str
    scopes: frozenset[str]
    token_id: UUID
    language: str


def authenticate(request: HttpRequest) -> Caller | None:
    """The caller, None without an Authorization header.

    Raises Problem auth.invalid for a token unknown, revoked or unreadable, auth.expired.
    """
    header = request.META.get("HTTP_AUTHORIZATION")
    if header is None:
        return None
    found = _HEADER.fullmatch(header)
    if found is None:
        raise Problem("auth.invalid")
    return _caller(token_digest(found[1]))


def _caller(digest: bytes) -> Caller:
    with connection.cursor() as cursor:
        cursor.execute(_CALLER, [digest])
        row = cursor.fetchone()
    if row is None:
        raise Problem("auth.invalid")
    player_id, name, kind, scopes, token_id, language, expired = row
    if expired:
        raise Problem("auth.expired")
    return Caller(player_id, name, kind, frozenset(scopes), token_id, language)
