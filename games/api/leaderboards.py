"""Ladders and boards; a player's results, ratings and their history."""

from typing import Final, NamedTuple
from uuid import UUID

import msgspec
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.language import Language
from games.api.leaderboard_shapes import (
    BoardItem,
    BoardPage,
    BoardQuery,
    HistoryQuery,
    LadderItem,
    LadderPage,
    RatingItem,
    RatingsQuery,
    ResultsQuery,
)
from games.api.operations import operation
from games.api.pagination import Page, decode_cursor, make_page
from games.api.problems import Problem, invalid
from games.models import Player
from games.models.results import OVERALL
from games.projections.seasons import season_of
from games.rules.rulesets.registry import ruleset_ids
from games.rules.texts import ruleset_text
from games.selectors.leaderboard_list import (
    Board,
    BoardRow,
    Position,
    ladder_list,
    leaderboard_around,
    leaderboard_list,
)
from games.selectors.player_get import player_get_by_name
from games.selectors.rating_list import HistoryRow, rating_history_list, rating_list
from games.selectors.result_list import Position as ResultPosition
from games.selectors.result_list import ResultRow, result_list

_OVERALL_TITLE: Final[dict[Language, str]] = {"en": "All games", "ru": "Все игры"}


class _BoardKey(NamedTuple):
    season: str
    rating: int
    player_id: UUID


class LeaderboardsView(ApiView):
    """`/leaderboards`"""

    @operation("leaderboard_ladders", access="ignored", answer=LadderPage)
    def get(self, request: Request) -> Response:
        """The ladders: one for each ruleset, and `overall`."""
        known = {ladder.id: ladder for ladder in ladder_list()}
        items = [
            LadderItem(
                id=name,
                title=_title(name, self.language),
                ruleset=None if name == OVERALL else name,
                games=known[name].games if name in known else 0,
                seasons=sorted(known[name].seasons) if name in known else [],
            )
            for name in _ladder_ids()
        ]
        return self.answer(LadderPage(items, None, season_of(timezone.now())))


class LeaderboardView(ApiView):
    """`/leaderboards/{ladder}`"""

    @operation(
        "leaderboard_get",
        access="optional",
        query=BoardQuery,
        answer=BoardPage,
        codes=("auth.missing", "not_found"),
    )
    def get(self, request: Request, ladder: str) -> Response:
        """A board, best player first.

        The rating is a careful one: three standard deviations below what is believed of the
        player, so it grows with certainty; a newcomer has 1000. Only rated games of an unchanged
        preset count. `around=me` needs a token and starts a page that has you in the middle, or
        an empty one if you are not on the board; its `next` goes on downwards.
        """
        if ladder not in _ladder_ids():
            raise Problem("not_found")
        query = self.query(BoardQuery)
        key = decode_cursor(_BoardKey, query.cursor)
        season = key.season if key else query.season or season_of(timezone.now())
        board = Board(ladder, season, query.kind, query.established)
        page = make_page(
            self._rows(board, key, query),
            query.size,
            key=lambda row: _BoardKey(season, row.rating, row.player_id),
            show=lambda row: msgspec.convert(row, BoardItem, from_attributes=True),
        )
        return self.page(BoardPage(page.items, page.next, ladder, season))

    def _rows(self, board: Board, key: _BoardKey | None, query: BoardQuery) -> list[BoardRow]:
        limit = query.size + 1
        if key is not None:
            return leaderboard_list(
                board=board, after=Position(key.rating, key.player_id), limit=limit
            )
        if query.around is not None:
            me = self.caller.player_id
            return leaderboard_around(board=board, player_id=me, limit=limit)
        return leaderboard_list(board=board, after=None, limit=limit)


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
        """How a player's games ended, newest first, and what each did to his rating.

        Games that count on no ladder are listed too and say why: `casual` (not rated), `options`
        (not the unchanged preset), `aborted`, `one_player` (nobody else sat there), `voided` (by a
        referee). Two players who meet too often in a day, or give up early too often, are told so:
        `repeated` and `surrenders` are why a game counts less (`reduced`, with the `weight` of its
        change) or not at all (`not_rated`). Private games are shown to who sat at them.
        """
        query = self.query(ResultsQuery)
        rows = result_list(
            player_id=_player(name).id,
            ladder=_known_ladder(query.ladder),
            viewer_id=self.viewer.player_id if self.viewer else None,
            after=decode_cursor(ResultPosition, query.cursor),
            limit=query.size + 1,
        )
        return self.page(
            make_page(rows, query.size, key=lambda row: row.position, show=lambda row: row)
        )


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

        `seq` is the game's number on the ladder, in the order in which games were rated.
        """
        query = self.query(HistoryQuery)
        rows = rating_history_list(
            player_id=_player(name).id,
            ladder=_known_ladder(query.ladder) or OVERALL,
            viewer_id=self.viewer.player_id if self.viewer else None,
            before=decode_cursor(int, query.cursor),
            limit=query.size + 1,
        )
        return self.page(make_page(rows, query.size, key=lambda row: row.seq, show=lambda row: row))


def _ladder_ids() -> tuple[str, ...]:
    return (*ruleset_ids(), OVERALL)


def _known_ladder(ladder: str | None) -> str | None:
    if ladder is not None and ladder not in _ladder_ids():
        raise invalid("ladder", "is no ladder; GET /api/v1/leaderboards lists them")
    return ladder


def _title(ladder: str, language: Language) -> str:
    if ladder == OVERALL:
        return _OVERALL_TITLE[language]
    return ruleset_text(ladder).title.text(language)


def _player(name: str) -> Player:
    player = player_get_by_name(name=name)
    if player is None:
        raise Problem("player.not_found")
    return player
