"""Shapes of matches on the wire."""

from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import Meta

from games.api.bodies import Body
from games.api.game_shapes import ResultView, Status, Visibility


class Rematch(Body, frozen=True):
    """The seed that the seat adds to the shuffle of the next game."""

    client_seed: Annotated[str, Meta(description="at most 64 bytes of UTF-8")] = ""


class SeatTotalView(msgspec.Struct, frozen=True):
    """A seat's running totals."""

    seat: int
    player: str | None
    kind: str | None
    games: int
    wins: int
    duraks: int
    draws: int
    points: int


class MatchGameView(msgspec.Struct, frozen=True):
    """A game of the match; its result is null until it is finished."""

    id: UUID
    game_number: int
    status: Status
    finished_at: datetime | None
    result: ResultView | None


class RematchView(msgspec.Struct, frozen=True):
    """The next game, while it waits until `reserved_until` for seats that have not agreed."""

    id: UUID
    reserved_until: datetime
    agreed: list[int]


class MatchResultView(msgspec.Struct, frozen=True):
    """How the match ended; `reason` is `series_length`, `match_target` or `wild_left_loses`."""

    winners: list[int]
    losers: list[int]
    places: list[list[int]]
    reason: str


class MatchView(msgspec.Struct, frozen=True):
    """A match: its games, the running totals by seat, who deals next, and how it ended.

    `games` are a page of them, `next` the cursor to the rest, null at the end.
    """

    id: UUID
    ruleset: str
    options: dict[str, Any]
    rated: bool
    visibility: Visibility
    series_length: int | None
    match_target: int | None
    seats: list[SeatTotalView]
    games: list[MatchGameView]
    next: str | None
    next_dealer: int | None
    rematch: RematchView | None
    result: MatchResultView | None
