"""New tokens."""

import hashlib
import secrets
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.utils import timezone

from games.models import SCOPES, ApiToken


class IssuedToken(NamedTuple):
    """A token at the only moment when its text is known."""

    id: UUID
    text: str
    scopes: tuple[str, ...]
    expires_at: datetime | None


def token_digest(text: str) -> bytes:
    """What is stored of a token: its SHA-256. The text has 256 random bits, so no salt."""
    return hashlib.sha256(text.encode()).digest()


def token_issue(
    *,
    player_id: UUID,
    scopes: Collection[str] = SCOPES,
    label: str = "",
    expires_in: int | None = None,
) -> IssuedToken:
    """A token for the player with these scopes, for `expires_in` seconds or until revoked."""
    text = f"dk_{secrets.token_urlsafe(32)}"
    ordered = tuple(scope for scope in SCOPES if scope in scopes)
    ends = None if expires_in is None else timezone.now() + timedelta(seconds=expires_in)
    token = ApiToken.objects.create(
        player_id=player_id,
        digest=token_digest(text),
        scopes=list(ordered),
        label=label,
        expires_at=ends,
    )
    return IssuedToken(token.id, text, ordered, ends)
