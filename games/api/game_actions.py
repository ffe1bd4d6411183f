"""Acting in a game: seats and moves."""

from collections.abc import Mapping
from typing import Any, Protocol
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.etags import parse_if_match
from games.api.game_frame import GameApiView, show_view
from games.api.game_shapes import BotSeat, GameView, Join, MoveBody, MoveView, Nothing
from games.api.identifiers import parse_id
from games.api.operations import operation
from games.api.parsers import decode_json
from games.api.problems import invalid
from games.rules.texts.refusals import refusal_codes
from games.rules.views import Viewer
from games.selectors.game_show import added_events
from games.services.game_advance import Outcome
from games.services.game_seats import (
    game_bot_add,
    game_join,
    game_leave,
    game_resign,
    game_return,
    game_start,
)
from games.services.move_play import move_play

_WRITE: Mapping[str, Any] = {
    "scope": "games:play",
    "bucket": "own_game_moves",
    "answer": GameView,
    "parameters": ("Idempotency-Key",),
}
_KEYS = ("idempotency.key_reused", "idempotency.in_progress")


class JoinView(GameApiView):
    """`/games/{id}/join`"""

    @operation(
        "game_join",
        body=Join,
        codes=("game.not_found", "game.already_joined", "game.full", "game.over", *_KEYS),
        **_WRITE,
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Take the first free seat."""
        game = parse_id(game_id, "game.not_found")

        def act() -> Outcome:
            body = self.body(Join)
            return game_join(
                game_id=game,
                player_id=self.caller.player_id,
                kind=self.caller.kind,
                invite=body.invite,
                client_seed=body.client_seed,
            )

        return self.write(act)


class SeatService(Protocol):
    """What an address of `_SeatAction` does."""

    def __call__(self, *, game_id: UUID, player_id: UUID) -> Outcome: ...


class _SeatAction(GameApiView):
    """A write without a body by somebody at the table; `act` is the service behind it."""

    act: SeatService

    def perform(self, game_id: str) -> Response:
        """Read the empty body, do it, show the view."""
        game = parse_id(game_id, "game.not_found")

        def act() -> Outcome:
            self.body(Nothing)
            return self.act(game_id=game, player_id=self.caller.player_id)

        return self.write(act)


class LeaveView(_SeatAction):
    """`/games/{id}/leave`"""

    act = staticmethod(game_leave)

    @operation(
        "game_leave",
        body=Nothing,
        codes=("game.not_found", "game.not_joined", "game.over", *_KEYS),
        **_WRITE,
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Free your seat before the start; while the game runs a bot plays it on."""
        return self.perform(game_id)


class ReturnView(_SeatAction):
    """`/games/{id}/return`"""

    act = staticmethod(game_return)

    @operation(
        "game_return",
        body=Nothing,
        codes=("game.not_found", "game.not_joined", "game.not_started", "game.over", *_KEYS),
        **_WRITE,
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Take your seat back from the bot."""
        return self.perform(game_id)


class ResignView(_SeatAction):
    """`/games/{id}/resign`"""

    act = staticmethod(game_resign)

    @operation(
        "game_resign",
        body=Nothing,
        codes=("game.not_found", "game.not_joined", "game.not_started", "game.over", *_KEYS),
        **_WRITE,
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Give the game up: you are its durak. With more than two players a bot plays on."""
        return self.perform(game_id)


class StartView(_SeatAction):
    """`/games/{id}/start`"""

    act = staticmethod(game_start)

    @operation(
        "game_start",
        body=Nothing,
        codes=(
            "game.not_found",
            "game.not_creator",
            "game.not_started",
            "game.running",
            "game.over",
            *_KEYS,
        ),
        **_WRITE,
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Deal, when every seat is taken. Only the creator may, with `auto_start: false`."""
        return self.perform(game_id)


class BotsView(GameApiView):
    """`/games/{id}/bots`"""

    @operation(
        "game_bot_add",
        body=BotSeat,
        codes=("game.not_found", "game.not_creator", "game.full", "game.over", *_KEYS),
        **_WRITE,
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Give the first free seat to a bot. Only the creator may."""
        game = parse_id(game_id, "game.not_found")

        def act() -> Outcome:
            brain = self.body(BotSeat).brain
            return game_bot_add(game_id=game, player_id=self.caller.player_id, brain=brain)

        return self.write(act)


class MovesView(GameApiView):
    """`/games/{id}/moves`"""

    @operation(
        "move_play",
        scope="games:play",
        bucket="own_game_moves",
        body=MoveBody,
        answer=MoveView,
        status=201,
        codes=(
            "game.not_found",
            "game.not_joined",
            "game.not_started",
            "move.stale_version",
            *refusal_codes(),
            *_KEYS,
        ),
        parameters=("Idempotency-Key", "If-Match"),
    )
    def post(self, request: Request, game_id: str) -> Response:
        """Play a move. It is stored before the 201 is sent, or not at all."""
        game = parse_id(game_id, "game.not_found")

        def act() -> Outcome:
            move = decode_json(self.raw_body)
            expected = self._expected(move)
            return move_play(
                game_id=game,
                player_id=self.caller.player_id,
                body=move,
                expected_version=expected,
            )

        return self.write(act, status=201, render=_show_move)

    def _expected(self, move: Any) -> int | None:
        """The version that the move was made for, by header or body; taken out of the body."""
        header = self.http.META.get("HTTP_IF_MATCH")
        tagged = None if header is None else parse_if_match(header)
        named = move.pop("expected_version", None) if isinstance(move, dict) else None
        if named is None:
            return tagged
        if not isinstance(named, int) or isinstance(named, bool) or named < 1:
            raise invalid("expected_version", "must be a version, from 1")
        if tagged not in (None, named):
            raise invalid("expected_version", "differs from If-Match")
        return named


def _show_move(outcome: Outcome, viewer: Viewer) -> Mapping[str, Any]:
    return {
        "version": outcome.head.game.version,
        "events": added_events(outcome.head, outcome.added, viewer),
        "view": show_view(outcome, viewer),
    }
