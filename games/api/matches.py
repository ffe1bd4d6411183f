"""Matches: the next game, and how the match stands."""

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.game_frame import GameApiView
from games.api.game_shapes import GameView
from games.api.identifiers import parse_id
from games.api.match_shapes import MatchView, Rematch
from games.api.operations import operation
from games.api.pagination import PageQuery, decode_cursor, make_page
from games.api.problems import Problem
from games.selectors.match_show import Position, match_show
from games.services.game_advance import Outcome
from games.services.game_rematch import game_rematch


class GameRematchView(GameApiView):
    """`/games/{id}/rematch`"""

    @operation(
        "game_rematch",
        scope="games:play",
        bucket="own_game_moves",
        body=Rematch,
        answer=GameView,
        codes=(
            "game.not_found",
            "game.not_joined",
            "game.not_finished",
            "game.not_started",
            "match.over",
            "idempotency.key_reused",
            "idempotency.in_progress",
        ),
        parameters=("Idempotency-Key",),
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Take your seat in the next game of the match; the answer is your view of it.

        Whoever calls first opens it, with the seats, rules and settings of the finished game; the
        others take theirs by the same call, the bots have agreed already, and with the last one it
        starts. Until `reserved_until` (ten minutes) nobody else can sit down. Then it is called
        off (`game_voided`), and the next call opens another. Calling again changes nothing.
        """
        game = parse_id(game_id, "game.not_found")

        def act() -> Outcome:
            body = self.body(Rematch)
            return game_rematch(
                game_id=game,
                player_id=self.caller.player_id,
                kind=self.caller.kind,
                client_seed=body.client_seed,
            )

        return self.write(act)


class MatchDetailView(ApiView):
    """`/matches/{id}`"""

    @operation(
        "match_get",
        access="optional",
        scope="games:read",
        query=PageQuery,
        answer=MatchView,
        codes=("match.not_found",),
    )
    def get(self, request: Request, match_id: str) -> Response:
        """A match: its games, the running totals by seat, who deals next, and how it ended.

        It is made of the results of its games. Who resigned or left for good is durak of that game
        here as on the boards. A match of private games is shown to their players. `games` come in
        pages, oldest first; the totals and all else tell of the whole match on every page.
        """
        query = self.query(PageQuery)
        match = match_show(
            parse_id(match_id, "match.not_found"),
            self.viewer.player_id if self.viewer else None,
            after=decode_cursor(Position, query.cursor),
            limit=query.size + 1,
        )
        if match is None:
            raise Problem("match.not_found")
        page = make_page(
            match["games"], query.size, key=lambda game: game.position, show=lambda game: game
        )
        return self.page(page, match | {"games": page.items, "next": page.next})
