"""Shapes of ladders, boards and histories on the wire."""

from datetime import datetime
from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from games.api.pagination import Page, PageQuery
from games.api.shapes import Kind, KindOut
from games.models.results import OVERALL
from games.selectors.versus_get import GameTogether, Tally

Season = Annotated[str, Meta(max_length=16, description="for example `2026Q4`")]
LadderId = Annotated[str, Meta(max_length=80, description="a ruleset's id or `overall`")]


class LadderItem(msgspec.Struct, frozen=True):
    """A ladder; `games` counts all its rated games, `seasons` those with a game, oldest first."""

    id: str
    title: str
    ruleset: str | None
    games: int
    seasons: list[str]


class LadderPage(msgspec.Struct, frozen=True):
    """All the ladders, and the season that boards show by default."""

    items: list[LadderItem]
    next: None
    season: str


class BoardQuery(PageQuery, frozen=True, kw_only=True):
    """Which board: the running season and everybody with a rated game unless asked otherwise."""

    season: Season | None = None
    kind: Kind | None = None
    established: Annotated[
        bool, Meta(description="without those whose rating is still provisional")
    ] = False
    min_games: Annotated[
        Literal[1, 5, 15, 50, 100], Meta(description="only who has played so many this season")
    ] = 1
    around: Annotated[
        Literal["me"] | None, Meta(description="the page with yourself in its middle")
    ] = None


class BoardItem(msgspec.Struct, frozen=True):
    """A player's line; equal ratings share a rank. `uncertainty` is one standard deviation."""

    rank: int
    player: str
    kind: KindOut
    rating: int
    uncertainty: int
    provisional: bool
    games: int
    durak_count: int
    first_places: int
    draws: int
    points: int


class BoardPage(Page[BoardItem], frozen=True):
    """A page of a board, and which board it is of."""

    ladder: str
    season: str


class ResultsQuery(PageQuery, frozen=True, kw_only=True):
    """Whose ratings to show: `overall` for that ladder's, else those of the game's ruleset."""

    ladder: LadderId | None = None


class HistoryQuery(PageQuery, frozen=True, kw_only=True):
    """On which ladder, and every change or the last of each day."""

    ladder: LadderId = OVERALL
    by: Annotated[Literal["game", "day"], Meta(description="`day`: the last of each day (UTC)")] = (
        "game"
    )


class TotalsQuery(msgspec.Struct, frozen=True):
    """Of which season; of all of them by default."""

    season: Season | None = None


class VersusAnswer(msgspec.Struct, frozen=True):
    """Two players' games together.

    `durak_count`, `before` and `place` are those of `player`. `total` and `rulesets` count the
    same games, rated or not; `is_complete` is false where only the newest results were looked at.
    """

    player: str
    versus: str
    total: Tally
    rulesets: list[Tally]
    last: list[GameTogether]
    is_complete: bool


class RatingsQuery(msgspec.Struct, frozen=True):
    """In which season; the player's last on each ladder by default."""

    season: Season | None = None


class RatingItem(msgspec.Struct, frozen=True):
    """Where a player stands on a ladder; the totals are of the season."""

    ladder: str
    season: str
    rating: int
    uncertainty: int
    provisional: bool
    games: int
    durak_count: int
    first_places: int
    draws: int
    points: int
    updated_at: datetime
