"""Who is asking: one statement per request, and no other word about tokens in an answer."""

import re
from typing import Final
from uuid import UUID

import msgspec
from django.http import HttpRequest
from msgspec.structs import replace

from games.api.problems import Problem
from games.api.tickets import TICKET_SCOPES, ticket_token
from games.services.token_issue import token_digest
from games.store.cursors import executed

_HEADER: Final = re.compile(r"bearer +(dk_[A-Za-z0-9_-]{43}) *", re.IGNORECASE)
_CALLER: Final = """
    SELECT p.id, p.name, p.kind, t.scopes, t.id, p.language, t.expires_at <= now()
    FROM games_apitoken t JOIN games_player p ON p.id = t.player_id
    WHERE t.digest = %s AND t.revoked_at IS NULL AND p.deleted_at IS NULL
"""
_CALLER_BY_ID: Final = _CALLER.replace("t.digest = %s", "t.id = %s")


class Caller(msgspec.Struct, frozen=True):
    """The player behind a request and what his token allows."""

    player_id: UUID
    name: str
    kind: str
    scopes: frozenset[str]
    token_id: UUID
    language: str


def authenticate(request: HttpRequest, *, ticket: bool = False) -> Caller | None:
    """The caller, None without an Authorization header, or a ticket where one will do.

    Raises Problem auth.invalid for a token unknown, revoked or unreadable, auth.expired.
    """
    header = request.META.get("HTTP_AUTHORIZATION")
    if header is None:
        return _ticket_holder(request) if ticket and "ticket" in request.GET else None
    found = _HEADER.fullmatch(header)
    if found is None:
        raise Problem("auth.invalid")
    return _caller(_CALLER, token_digest(found[1]))


def _ticket_holder(request: HttpRequest) -> Caller:
    """The player behind a ticket, with no more rights than tickets have."""
    caller = _caller(_CALLER_BY_ID, ticket_token(request.GET["ticket"]))
    return replace(caller, scopes=caller.scopes & TICKET_SCOPES)


def _caller(statement: str, key: bytes | UUID) -> Caller:
    row = executed(statement, [key]).row
    if row is None:
        raise Problem("auth.invalid")
    player_id, name, kind, scopes, token_id, language, expired = row
    if expired:
        raise Problem("auth.expired")
    return Caller(player_id, name, kind, frozenset(scopes), token_id, language)
