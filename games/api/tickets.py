"""Tickets: a minute's right to read streams, for clients that can send no header.

A ticket is signed, not stored: it names a token, and what that token may not do any more its
tickets may not do either. It may be used again within its minute, since EventSource repeats the
same address when a connection breaks.
"""

from datetime import datetime, timedelta
from typing import Annotated, Final
from uuid import UUID

from django.core.signing import BadSignature, SignatureExpired, TimestampSigner
from django.utils import timezone
from msgspec import Meta

from games.api.problems import Problem

TICKET_SECONDS: Final = 60
# All that a ticket can ever be good for.
TICKET_SCOPES: Final = frozenset({"games:read"})
TicketText = Annotated[
    str, Meta(description="in place of a token, from POST /stream-tickets; never logged")
]
_PREFIX: Final = "st_"
_SALT: Final = "durak-stream-ticket"


def ticket_issue(token_id: UUID) -> tuple[str, datetime]:
    """A ticket for the token's player, and when it ends."""
    ends = timezone.now() + timedelta(seconds=TICKET_SECONDS)
    return _PREFIX + TimestampSigner(salt=_SALT).sign(token_id.hex), ends


def ticket_token(text: str) -> UUID:
    """The token behind a ticket. Raises Problem auth.invalid, auth.expired."""
    try:
        signed = TimestampSigner(salt=_SALT).unsign(
            text.removeprefix(_PREFIX), max_age=TICKET_SECONDS
        )
    except SignatureExpired:
        raise Problem("auth.expired") from None
    except BadSignature:
        raise Problem("auth.invalid") from None
    return UUID(signed)
