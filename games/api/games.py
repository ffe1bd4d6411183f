"""Games: open, list, look at, follow, replay."""

from functools import partial
from typing import Final
from uuid import UUID

from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.game_frame import GameApiView, etag_of
from games.api.game_list_shapes import GameItem, GamesQuery, OwnGameItem, OwnGamesQuery
from games.api.game_shapes import GameView, NewGame, ReplayView, ViewQuery
from games.api.operations import JSON, TEXT, operation
from games.api.pagination import Page, decode_cursor, make_page
from games.api.problems import Problem, invalid
from games.api.renderers import respond
from games.rules.events import Seat
from games.rules.rulesets.registry import canonical_id
from games.selectors.game_list import Lobby, game_item, game_list
from games.selectors.game_replay import game_record, game_replay
from games.selectors.game_show import game_view, viewer_of
from games.selectors.own_game_list import own_game_list
from games.selectors.player_get import player_get_by_name
from games.services.game_advance import Outcome
from games.services.game_create import Table, game_create
from games.store.log import Head

_LOBBY: Final = Lobby.__struct_fields__


class GamesView(GameApiView):
    """`/games`"""

    @operation(
        "game_list",
        access="optional",
        scope="games:read",
        query=GamesQuery,
        answer=Page[GameItem],
        codes=("auth.missing", "player.not_found"),
    )
    def get(self, request: Request) -> Response:
        """Public games and your own, newest first.

        `speed` goes by the seconds for a turn: `none` without a clock, `correspondence` from an
        hour on (`/limits` has the bound), else `live`.
        """
        query = self.query(GamesQuery, exact=True)
        rows = game_list(
            caller=self.player_id,
            status=query.status,
            ruleset=None if query.ruleset is None else canonical_id(query.ruleset),
            player=self._player(query.player),
            lobby=_lobby(query),
            before=decode_cursor(UUID, query.cursor),
            limit=query.size + 1,
        )
        show = partial(game_item, caller=self.player_id)
        return self.page(make_page(rows, query.size, key=lambda row: row.id, show=show))

    @operation(
        "game_create",
        scope="games:create",
        body=NewGame,
        answer=GameView,
        status=201,
        codes=(
            "rules.unknown",
            "rules.invalid_options",
            "game.too_many",
            "idempotency.key_reused",
            "idempotency.in_progress",
        ),
        parameters=("Idempotency-Key",),
    )
    def post(self, request: Request) -> Response:
        """Open a table. The game starts by itself when every seat is taken."""

        def act() -> Outcome:
            table = _table(self.body(NewGame))
            return game_create(creator=self.caller.player_id, kind=self.caller.kind, table=table)

        return self.write(act, status=201)

    def _player(self, name: str | None) -> UUID | None:
        if name is None:
            return None
        if name == "me":
            return self.caller.player_id
        player = player_get_by_name(name=name)
        if player is None:
            raise Problem("player.not_found")
        return player.id


class MyGamesView(GameApiView):
    """`/players/me/games`"""

    @operation("own_game_list", scope="games:read", query=OwnGamesQuery, answer=Page[OwnGameItem])
    def get(self, request: Request) -> Response:
        """The games in which you have a seat, newest first."""
        query = self.query(OwnGamesQuery, exact=True)
        rows = own_game_list(
            player_id=self.caller.player_id,
            status=query.status,
            my_turn=query.my_turn,
            before=decode_cursor(UUID, query.cursor),
            limit=query.size + 1,
        )
        return self.page(
            make_page(rows, query.size, key=lambda row: row["id"], show=lambda row: row)
        )


class GameDetailView(GameApiView):
    """`/games/{id}`"""

    @operation(
        "game_get",
        access="optional",
        scope="games:read",
        bucket=None,
        query=ViewQuery,
        answer=GameView,
        codes=("game.not_found", "game.not_finished", "rate.limited"),
        parameters=("If-None-Match",),
        also={304: "The ETag held is current."},
    )
    def get(self, request: Request, game_id: str) -> Response:
        """The game as you may see it."""
        query = self.query(ViewQuery)
        if query.at is None and query.seat is None and (same := self.unchanged(game_id)):
            return same
        head = self.visible(game_id)
        if query.seat is not None:
            self._check_seat(head, query.seat)
        if query.at is not None:
            head = self.at_version(head, query.at)
        viewer = viewer_of(head, self.player_id) if query.seat is None else query.seat
        view = game_view(head, viewer, timezone.now())
        return self.answer(view, headers={"ETag": etag_of(head, viewer, self.language)})

    def _check_seat(self, head: Head, seat: Seat) -> None:
        """Whether the caller may look from there: another's cards are shown after the end."""
        if seat >= len(head.game.chairs):
            raise invalid("seat", f"there are {len(head.game.chairs)} seats")
        if head.game.status != "finished" and seat != viewer_of(head, self.player_id):
            raise Problem("game.not_finished")


class GameReplayView(GameApiView):
    """`/games/{id}/replay`"""

    @operation(
        "game_replay",
        access="optional",
        scope="games:read",
        answer=ReplayView,
        produces=(JSON, TEXT),
        codes=("game.not_found", "game.not_finished"),
    )
    def get(self, request: Request, game_id: str) -> Response:
        """A finished game in full: rules, seeds, pack and the unredacted log.

        As `text/plain` the record of the game in text notation, which a game that was called off
        before its deal does not have.
        """
        head = self.visible(game_id, charge=False)
        if head.game.status != "finished":
            raise Problem("game.not_finished")
        if self.media == JSON:
            return self.answer(game_replay(head))
        record = game_record(head)
        if record is None:
            raise Problem("request.not_acceptable", produces=(JSON,))
        return respond(record.encode(), 200, f"{TEXT}; charset=utf-8")


def _table(body: NewGame) -> Table:
    return Table(
        ruleset=body.ruleset,
        seats=body.seats,
        options=body.options,
        bots=tuple(bot.brain for bot in body.bots),
        rated=body.rated,
        visibility=body.visibility,
        client_seed=body.client_seed,
        auto_start=body.auto_start,
        series_length=body.series_length,
        match_target=body.match_target,
        turn_seconds=body.turn_seconds,
        bank_seconds=body.bank_seconds,
        on_timeout=body.on_timeout,
        spectator_delay=body.spectator_delay,
    )


def _lobby(query: GamesQuery) -> Lobby:
    """The filters of open games. Raises Problem request.invalid where others are asked for."""
    fields = [name for name in _LOBBY if getattr(query, name) is not None]
    if fields and query.status != "open":
        errors = [{"field": name, "reason": "goes with status=open"} for name in fields]
        raise Problem("request.invalid", errors=errors)
    return Lobby(**{name: getattr(query, name) for name in fields})
