"""Accounts: register, look at, change, delete."""

from typing import Any
from urllib.parse import quote

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.operations import operation
from games.api.problems import Problem
from games.api.shapes import NewPlayer, OwnPlayer, PlayerChange, PublicPlayer, Registration
from games.models import SCOPES, Player
from games.selectors.player_get import player_get, player_get_by_name
from games.services.player_delete import player_delete
from games.services.player_register import player_register
from games.services.player_update import player_update


class PlayersView(ApiView):
    """`/players`"""

    @operation(
        "player_register",
        access="ignored",
        bucket="registration",
        body=Registration,
        answer=NewPlayer,
        status=201,
        codes=("player.name_taken",),
    )
    def post(self, request: Request) -> Response:
        """Register a player and get his token.

        No account is needed for this. Without a password the account is a guest's: its token is
        the only way in. A program registers with `"kind": "bot"`.
        """
        body = self.body(Registration)
        player, token = player_register(
            name=body.name,
            password=body.password,
            kind=body.kind,
            language=body.language or self.language,
        )
        shown = NewPlayer(
            id=player.id,
            name=player.name,
            kind=player.kind,
            language=player.language,
            token=token.text,
            scopes=list(token.scopes),
        )
        headers = {"Location": f"/api/v1/players/{quote(player.name)}", "Cache-Control": "no-store"}
        return self.answer(shown, headers=headers)


class MeView(ApiView):
    """`/players/me`"""

    @operation("player_me", answer=OwnPlayer)
    def get(self, request: Request) -> Response:
        """Your own account."""
        player = player_get(player_id=self.caller.player_id)
        if player is None:
            raise Problem("auth.invalid")
        return self.answer(self._own(player))

    @operation(
        "player_update",
        scope="tokens:manage",
        body=PlayerChange,
        answer=OwnPlayer,
        codes=("player.name_taken", "player.not_found"),
    )
    def patch(self, request: Request) -> Response:
        """Change name, password or language.

        A guest who sets a password can sign in from then on. Tokens stay valid.
        """
        changes: dict[str, Any] = self.body(PlayerChange).given()
        return self.answer(self._own(player_update(player_id=self.caller.player_id, **changes)))

    @operation("player_delete", scope="tokens:manage", status=204)
    def delete(self, request: Request) -> Response:
        """Delete the account.

        It is anonymised: name and password go, every token dies, the games that were played
        stay and name the player's id only.
        """
        player_delete(player_id=self.caller.player_id)
        return self.answer()

    def _own(self, player: Player) -> OwnPlayer:
        return OwnPlayer(
            id=player.id,
            name=player.name,
            kind=player.kind,
            created_at=player.created_at,
            language=player.language,
            has_password=bool(player.password),
            scopes=[scope for scope in SCOPES if scope in self.caller.scopes],
        )


class PlayerView(ApiView):
    """`/players/{name}`"""

    @operation("player_get", access="ignored", answer=PublicPlayer, codes=("player.not_found",))
    def get(self, request: Request, name: str) -> Response:
        """A player's public page, by name in any case."""
        player = player_get_by_name(name=name)
        if player is None:
            raise Problem("player.not_found")
        return self.answer(PublicPlayer(player.id, player.name, player.kind, player.created_at))
