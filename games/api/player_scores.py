"""A player's results, ratings and totals, and his games with another."""

from typing import Any, Final
from uuid import UUID

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.leaderboard_shapes import (
    HistoryQuery,
    RatingItem,
    RatingsQuery,
    ResultsQuery,
    TotalsQuery,
    VersusAnswer,
)
from games.api.leaderboards import ladder_ids
from games.api.operations import operation
from games.api.pagination import Page, decode_cursor, encode_cursor, make_page
from games.api.problems import Problem, invalid
from games.models import Player
from games.models.results import OVERALL
from games.selectors.player_get import player_get_by_name
from games.selectors.player_totals import TotalsRow, totals_list
from games.selectors.rating_list import (
    DayPosition,
    HistoryRow,
    rating_day_list,
    rating_history_list,
    rating_list,
)
from games.selectors.result_list import Position, ResultRow, result_list
from games.selectors.versus_get import versus_get

_LAST_GAMES: Final = 10


class PlayerResultsView(ApiView):
    """`/players/{name}/results`"""

    @operation(
        "player_results",
        access="optional",
        query=ResultsQuery,
        answer=Page[ResultRow],
        codes=("player.not_found",),
    )
    def get(self, request: Request, name: str) -> Response:
        """How a player's games ended, newest first, against whom, and what each did to his rating.

        Games that count on no ladder are listed too and say why: `casual` (not rated), `options`
        (not the unchanged preset), `aborted`, `one_player` (nobody else sat there), `voided` (by a
        referee). Two players who meet too often in a day, or give up early too often, are told so:
        `repeated` and `surrenders` are why a game counts less (`reduced`, with the `weight` of its
        change) or not at all (`not_rated`). Private games are shown to who sat at them: if you have
        hundreds of your own a page may be short or even empty and still have a `next`.
        """
        query = self.query(ResultsQuery)
        rows, rest = result_list(
            player_id=_player(name).id,
            ladder=_known_ladder(query.ladder),
            viewer_id=self.viewer.player_id if self.viewer else None,
            after=decode_cursor(Position, query.cursor),
            limit=query.size,
        )
        return self.page(Page(rows, None if rest is None else encode_cursor(rest)))


class PlayerRatingsView(ApiView):
    """`/players/{name}/ratings`"""

    @operation(
        "player_ratings",
        access="ignored",
        query=RatingsQuery,
        answer=Page[RatingItem],
        codes=("player.not_found",),
    )
    def get(self, request: Request, name: str) -> Response:
        """Where a player stands on each of his ladders."""
        rows = rating_list(player_id=_player(name).id, season=self.query(RatingsQuery).season)
        return self.answer(
            Page([msgspec.convert(row, RatingItem, from_attributes=True) for row in rows], None)
        )


class PlayerRatingHistoryView(ApiView):
    """`/players/{name}/rating-history`"""

    @operation(
        "player_rating_history",
        access="optional",
        query=HistoryQuery,
        answer=Page[HistoryRow],
        codes=("player.not_found",),
    )
    def get(self, request: Request, name: str) -> Response:
        """Every change of a player's rating on a ladder, newest first.

        `seq` is the game's number on the ladder, in the order in which games were rated. For
        charts `by=day` leaves the last change of each day; its pages may be short or even empty
        and still have a `next`.
        """
        query = self.query(HistoryQuery)
        wanted = self._wanted(_player(name).id, query)
        return self.page(
            self._days(wanted, query) if query.by == "day" else self._all(wanted, query)
        )

    def _wanted(self, player_id: UUID, query: HistoryQuery) -> dict[str, Any]:
        viewer_id = self.viewer.player_id if self.viewer else None
        ladder = _known_ladder(query.ladder) or OVERALL
        return {"player_id": player_id, "ladder": ladder, "viewer_id": viewer_id}

    def _all(self, wanted: dict[str, Any], query: HistoryQuery) -> Page[HistoryRow]:
        before = decode_cursor(int, query.cursor)
        rows = rating_history_list(**wanted, before=before, limit=query.size + 1)
        return make_page(rows, query.size, key=lambda row: row.seq, show=lambda row: row)

    def _days(self, wanted: dict[str, Any], query: HistoryQuery) -> Page[HistoryRow]:
        before = decode_cursor(DayPosition, query.cursor)
        rows, rest = rating_day_list(**wanted, before=before, limit=query.size)
        return Page(rows, None if rest is None else encode_cursor(rest))


class PlayerTotalsView(ApiView):
    """`/players/{name}/totals`"""

    @operation(
        "player_totals",
        access="ignored",
        query=TotalsQuery,
        answer=Page[TotalsRow],
        codes=("player.not_found",),
    )
    def get(self, request: Request, name: str) -> Response:
        """What a player's games come to on each of his ladders, of all seasons or of one.

        Counted are the games that count on the boards, one for a game in which he held several
        seats. `not_durak` and `first` are games in a row.
        """
        season = self.query(TotalsQuery).season
        return self.answer(Page(totals_list(player_id=_player(name).id, season=season), None))


class PlayerVersusView(ApiView):
    """`/players/{name}/versus/{other}`"""

    @operation(
        "player_versus",
        access="optional",
        answer=VersusAnswer,
        codes=("player.not_found", "request.invalid"),
    )
    def get(self, request: Request, name: str, other: str) -> Response:
        """Two players' games together: who was durak how often, and who placed before whom.

        Games count whether they were rated or not, unless they were aborted or voided; private ones
        for those alone who sat at them. Looked at are the newest 2,000 public results of whoever
        has fewer, and as many private ones.
        """
        player, versus = _player(name), _player(other)
        if player.id == versus.id:
            raise invalid("other", "must be somebody else")
        viewer_id = self.viewer.player_id if self.viewer else None
        found = versus_get(
            player_id=player.id, versus_id=versus.id, viewer_id=viewer_id, last=_LAST_GAMES
        )
        whole = VersusAnswer(
            player=player.name,
            versus=versus.name,
            total=found.total,
            rulesets=found.rulesets,
            last=found.last,
            is_complete=found.is_complete,
        )
        return self.answer(whole)


def _known_ladder(ladder: str | None) -> str | None:
    if ladder is not None and ladder not in ladder_ids():
        raise invalid("ladder", "is no ladder; GET /api/v1/leaderboards lists them")
    return ladder


def _player(name: str) -> Player:
    player = player_get_by_name(name=name)
    if player is None:
        raise Problem("player.not_found")
    return player
