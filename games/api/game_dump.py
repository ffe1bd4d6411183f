"""`/games.ndjson`: finished public games in full. `games.api.streams.dump` streams them."""

from datetime import datetime
from typing import Annotated

import msgspec
from msgspec import Meta
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.game_shapes import ReplayView
from games.api.operations import LINES, operation
from games.api.problems import Problem
from games.rules.rulesets.registry import canonical_id
from games.selectors.game_dump import Wanted
from games.selectors.player_get import player_get_by_name

Moment = Annotated[datetime, Meta(tz=True)]


class DumpQuery(msgspec.Struct, frozen=True):
    """Filters; times are RFC 3339, `since` is included and `until` is not."""

    since: Moment | None = None
    until: Moment | None = None
    ruleset: str | None = None
    player: str | None = None
    rated: bool | None = None


class DumpedGame(ReplayView, frozen=True, kw_only=True):
    """A finished game in full, and when it ended."""

    finished_at: datetime


class GameDumpView(ApiView):
    """`/games.ndjson`"""

    @operation(
        "game_dump",
        access="optional",
        scope="games:read",
        query=DumpQuery,
        answer=DumpedGame,
        produces=(LINES,),
        codes=("player.not_found", "rate.limited"),
    )
    def get(self, request: Request) -> Response:
        """Every finished public game, the earliest end first: one replay a line.

        The stream ends with the games that ended ten seconds ago. To go on later, or after a
        connection that broke, ask with `since` set to the `finished_at` of the last line: games
        that ended at that very moment come again.
        """
        # These threads must not be held: the front sends streams to a process of their own.
        raise Problem("request.not_acceptable", produces=())

    def wanted(self) -> Wanted:
        """The filters of the request. Raises Problem request.invalid, player.not_found."""
        query = self.query(DumpQuery)
        player = None
        if query.player is not None:
            player = player_get_by_name(name=query.player)
            if player is None:
                raise Problem("player.not_found")
        return Wanted(
            since=query.since,
            until=query.until,
            ruleset=None if query.ruleset is None else canonical_id(query.ruleset),
            player=None if player is None else player.id,
            rated=query.rated,
        )
