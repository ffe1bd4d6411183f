"""Shapes of quick matches on the wire."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from games.api.bodies import Body
from games.models import QuickMatch

TicketStatus = Literal["waiting", "matched", "cancelled", "lapsed"]
Patience = Literal["never"] | Annotated[int, Meta(ge=0, description="seconds")]


class NewQuickMatch(Body, frozen=True):
    """What you would play, in the order in which you prefer it.

    `bots`: after so many seconds free seats go to bots; 0: at once, if nobody waits.
    """

    rulesets: Annotated[
        list[Annotated[str, Meta(max_length=80)]], Meta(min_length=1, max_length=50)
    ]
    seats: Annotated[list[Annotated[int, Meta(ge=1, le=52)]], Meta(min_length=1, max_length=10)]
    rated: bool = False
    turn_seconds: Annotated[int, Meta(ge=1, description="null: no clock")] | None = None
    bots: Patience = "never"
    client_seed: Annotated[str, Meta(description="at most 64 bytes of UTF-8")] = ""


class QuickMatchQuery(msgspec.Struct, frozen=True):
    """How long the answer may take while nothing has happened."""

    wait: Annotated[int, Meta(ge=0, le=60, description="seconds")] = 0


class MatchedGame(msgspec.Struct, frozen=True):
    """The game that came of it, and your seat there."""

    id: UUID
    seat: int
    url: str


class QuickMatchView(msgspec.Struct, frozen=True):
    """A ticket. While it waits it lapses at `expires_at`, unless somebody asks for it before."""

    id: UUID
    status: TicketStatus
    rulesets: list[str]
    seats: list[int]
    rated: bool
    turn_seconds: int | None
    bots: Literal["never"] | int
    created_at: datetime
    expires_at: datetime | None
    game: MatchedGame | None


def shown_ticket(ticket: QuickMatch) -> dict[str, Any]:
    """A ticket as its player sees it."""
    waits = ticket.status == QuickMatch.Status.WAITING
    return {
        "id": ticket.pk,
        "status": ticket.status,
        "rulesets": ticket.rulesets,
        "seats": ticket.seats,
        "rated": ticket.rated,
        "turn_seconds": ticket.turn_seconds,
        "bots": _patience(ticket),
        "created_at": ticket.created_at,
        "expires_at": ticket.alive_until if waits else None,
        "game": _game(ticket),
    }


def _patience(ticket: QuickMatch) -> str | int:
    if ticket.bots_at is None:
        return "never"
    return round((ticket.bots_at - ticket.created_at).total_seconds())


def _game(ticket: QuickMatch) -> dict[str, Any] | None:
    if ticket.game_id is None:
        return None
    url = f"/api/v1/games/{ticket.game_id}"
    return {"id": ticket.game_id, "seat": ticket.seat, "url": url}
