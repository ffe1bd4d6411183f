"""Ladders and boards."""

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
    LadderItem,
    LadderPage,
)
from games.api.operations import operation
from games.api.pagination import decode_cursor, make_page
from games.api.problems import Problem
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
            for name in ladder_ids()
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
        preset count. Ranks are those on the board as it is filtered. `around=me` needs a token
        and starts a page that has you in the middle, or an empty one if you are not on the board;
        its `next` goes on downwards.
        """
        if ladder not in ladder_ids():
            raise Problem("not_found")
        query = self.query(BoardQuery)
        key = decode_cursor(_BoardKey, query.cursor)
        season = key.season if key else query.season or season_of(timezone.now())
        board = Board(ladder, season, query.kind, query.established, query.min_games)
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


def ladder_ids() -> tuple[str, ...]:
    """The ladders, whether or not somebody stands on them: `overall` is the last."""
    return (*ruleset_ids(), OVERALL)


def _title(ladder: str, language: Language) -> str:
    if ladder == OVERALL:
        return _OVERALL_TITLE[language]
    return ruleset_text(ladder).title.text(language)
