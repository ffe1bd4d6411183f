"""Tokens: sign in, list, revoke."""

from typing import Any
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.identifiers import parse_id
from games.api.operations import operation
from games.api.pagination import Page, PageQuery, decode_cursor, make_page
from games.api.shapes import NewToken, SignIn, TokenItem
from games.models import SCOPES, ApiToken
from games.models.player_names import name_key
from games.selectors.token_list import token_list
from games.services.token_issue import IssuedToken
from games.services.token_revoke import token_revoke
from games.services.token_sign_in import token_sign_in


class TokensView(ApiView):
    """`/tokens`"""

    @operation(
        "token_sign_in",
        access="ignored",
        body=SignIn,
        answer=NewToken,
        status=201,
        codes=("auth.invalid",),
    )
    def post(self, request: Request) -> Response:
        """Sign in with name and password and get a token.

        It has every scope unless fewer are named, and lives until revoked unless `expires_in`
        gives it a number of seconds. Wrong passwords are limited by address and name, and by
        address alone.
        """
        token = self._sign_in(self.body(SignIn))
        shown = NewToken(token.id, token.text, list(token.scopes), token.expires_at)
        return self.answer(shown, headers={"Cache-Control": "no-store"})

    @operation("token_list", scope="tokens:manage", query=PageQuery, answer=Page[TokenItem])
    def get(self, request: Request) -> Response:
        """Your tokens, newest first, without their texts."""
        query = self.query(PageQuery)
        before = decode_cursor(UUID, query.cursor)
        tokens = token_list(player_id=self.caller.player_id, before=before, limit=query.size + 1)
        return self.page(make_page(tokens, query.size, key=lambda token: token.id, show=self._show))

    def _sign_in(self, body: SignIn) -> IssuedToken:
        given: dict[str, Any] = {"scopes": body.scopes or SCOPES, "label": body.label}
        key = name_key(body.name)
        # Whatever the name, looking at a password is dear: a third of a second of a core.
        self.charge("sign_in_address")
        self.charge("sign_in", key)
        token = token_sign_in(
            name=body.name, password=body.password, expires_in=body.expires_in, **given
        )
        self.refund("sign_in", key)
        self.refund("sign_in_address")
        return token

    def _show(self, token: ApiToken) -> TokenItem:
        return TokenItem(
            id=token.id,
            label=token.label,
            scopes=token.scopes,
            created_at=token.created_at,
            expires_at=token.expires_at,
            current=token.id == self.caller.token_id,
        )


class TokenView(ApiView):
    """`/tokens/{token_id}`"""

    @operation("token_revoke", scope="tokens:manage", status=204, codes=("token.not_found",))
    def delete(self, request: Request, token_id: str) -> Response:
        """Revoke a token, this one too; it is refused from the next request on."""
        token_revoke(
            player_id=self.caller.player_id, token_id=parse_id(token_id, "token.not_found")
        )
        return self.answer()
