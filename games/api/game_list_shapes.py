"""Shapes of lists of games on the wire."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import Meta

from games.api.game_shapes import MatchItem, Status, Visibility
from games.api.pagination import PageQuery
from games.selectors.game_list import Speed


class GamesQuery(PageQuery, frozen=True):
    """Filters of the list; `player` is a name, or `me` for one's own games.

    Those from `seats_free` on are for open games alone.
    """

    status: Status | None = None
    ruleset: str | None = None
    player: str | None = None
    seats_free: (
        Annotated[int, Meta(ge=1, description="so many or more; with status=open")] | None
    ) = None
    seats: Annotated[int, Meta(ge=1, description="of the table; with status=open")] | None = None
    rated: Annotated[bool, Meta(description="with status=open")] | None = None
    speed: Annotated[Speed, Meta(description="of the clock; with status=open")] | None = None
    bots: Annotated[bool, Meta(description="whether a bot sits there; with status=open")] | None = (
        None
    )


class OwnGamesQuery(PageQuery, frozen=True):
    """Filters of one's own games; `my_turn`: those in which you have to move, or the others."""

    status: Status | None = None
    my_turn: bool | None = None


class SeatedView(msgspec.Struct, frozen=True):
    """Who sits in a seat."""

    seat: int
    player: str
    kind: str


class GameItem(msgspec.Struct, frozen=True):
    """A game in a list; an open one is called off at `expires_at` unless it changes before."""

    id: UUID
    status: Status
    version: int
    ruleset: str
    options: dict[str, Any]
    seats: int
    free_seats: int
    players: list[SeatedView]
    rated: bool
    visibility: Visibility
    turn_seconds: int | None
    speed: Speed
    match: MatchItem
    created_at: datetime
    expires_at: datetime | None
    finished_at: datetime | None


class OwnGameItem(GameItem, frozen=True):
    """A game of your own in a list: your seat, whether you have to move, and until when."""

    seat: int
    my_turn: bool
    deadline: datetime | None
