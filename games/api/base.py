"""The frame of every view: who asks, in which language and form, how often, and what is refused."""

from collections.abc import Mapping
from functools import cached_property
from typing import Any, TypeVar

import msgspec
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.addresses import client_address
from games.api.auth import Caller, authenticate
from games.api.bodies import read_query, read_struct
from games.api.handlers import answer_exception
from games.api.language import DEFAULT, Language, wanted_language
from games.api.negotiation import wanted_media
from games.api.operations import JSON, Operation, operation_of
from games.api.pagination import Page, link_next
from games.api.parsers import decode_json, read_body
from games.api.problems import VARY, Problem
from games.api.renderers import json_response, respond
from games.api.schema import OperationSchema
from games.api.throttling import BY_ADDRESS, OWN_GAME, charge, refund

S = TypeVar("S", bound=msgspec.Struct)


class ApiView(APIView):
    """A view whose methods carry `@operation`.

    In a method: `self.caller` (a token was demanded), `self.viewer` (may be None),
    `self.language`, `self.media`, `self.body(Struct)`, `self.raw_body`, `self.query(Struct)`;
    it returns `self.answer(value)` or `self.page(page)`, and raises Problem or ServiceError.
    """

    schema = OperationSchema()
    parser_classes = ()
    renderer_classes = ()
    viewer: Caller | None = None
    language: Language = DEFAULT
    media: str = JSON
    operation: Operation
    http: HttpRequest
    _told: Mapping[str, str] = {}

    @property
    def caller(self) -> Caller:
        """The player who asks; Problem auth.missing where no token came."""
        if self.viewer is None:
            raise Problem("auth.missing")
        return self.viewer

    @cached_property
    def raw_body(self) -> bytes:
        """The bytes of the body, checked for size and media type."""
        return read_body(self.http, self.operation.takes)

    def body(self, kind: type[S]) -> S:
        """The body as a `kind`; no body is an empty object. Raises Problem request.*."""
        return read_struct(kind, decode_json(self.raw_body))

    def query(self, kind: type[S]) -> S:
        """The query string as a `kind`. Raises Problem request.invalid."""
        return read_query(kind, self.http.GET)

    def charge(self, bucket: str, *more: str) -> None:
        """Take one request from a bucket of the caller's, or of his address's without a token.

        `more` narrows the bucket, to a name for example. Raises Problem rate.limited.
        """
        if bucket in OWN_GAME and self.viewer is None:
            bucket = "default"
        told = charge(bucket, ":".join((self.payer(bucket), *more)))
        # The view of one's own game must differ by nothing but the game.
        self._told = {} if bucket in OWN_GAME else told

    def refund(self, bucket: str, *more: str) -> None:
        """Give back what `charge` took."""
        refund(bucket, ":".join((self.payer(bucket), *more)))

    def payer(self, bucket: str) -> str:
        """Whose bucket it is: the player's, or the address's."""
        if self.viewer is None or bucket in BY_ADDRESS:
            return client_address(self.http)
        return str(self.viewer.player_id)

    def answer(
        self, value: Any = None, status: int | None = None, headers: Mapping[str, str] | None = None
    ) -> Response:
        """The operation's answer: `value` as JSON (bytes as they are), None for no body."""
        code = status or self.operation.status
        if value is None:
            return respond(b"", code, JSON, headers)
        return json_response(value, code, headers)

    def page(self, page: Page[Any], whole: Any = None) -> Response:
        """One page of a list, or `whole` of which it is a part, with a Link to the next."""
        headers = {"Link": link_next(self.http, page.next)} if page.next else None
        return self.answer(page if whole is None else whole, headers=headers)

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        """Keep Django's own request beside REST framework's."""
        super().setup(request, *args, **kwargs)
        self.http = request

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Settle language, form, caller, scope and limits before the method runs."""
        meta = self.http.META
        self.language = wanted_language(meta.get("HTTP_ACCEPT_LANGUAGE", ""))
        promise = operation_of(getattr(self, (request.method or "").lower(), None))
        if promise is None:
            return
        self.operation = promise
        self._negotiate(promise, meta.get("HTTP_ACCEPT", ""))
        try:
            self._admit(promise)
        except Problem:
            # Guessing tokens is limited like everything else.
            self.charge("default")
            raise
        if promise.bucket:
            self.charge(promise.bucket)

    def _negotiate(self, promise: Operation, accept: str) -> None:
        media = wanted_media(accept, promise.produces)
        if media is None:
            raise Problem("request.not_acceptable", produces=promise.produces)
        self.media = media

    def _admit(self, promise: Operation) -> None:
        if promise.access == "ignored":
            return
        self.viewer = authenticate(self.http)
        if self.viewer is not None:
            if "HTTP_ACCEPT_LANGUAGE" not in self.http.META:
                self.language = wanted_language("", self.viewer.language)
        elif promise.access == "required":
            raise Problem("auth.missing")
        if promise.scope and self.viewer and promise.scope not in self.viewer.scopes:
            raise Problem("auth.scope", scope=promise.scope)

    def handle_exception(self, exc: Exception) -> Response:
        """Every exception as problem+json."""
        return answer_exception(exc, self.http, self.language)

    def finalize_response(
        self, request: Any, response: Response, *args: Any, **kwargs: Any
    ) -> Response:
        """Add what all answers carry: Vary, Cache-Control unless set, Allow, the limits."""
        headers = response.headers
        headers.setdefault("Vary", VARY)
        headers.setdefault("Cache-Control", "private, no-cache")
        if response.status_code == 405 or self.http.method == "OPTIONS":
            headers["Allow"] = ", ".join(self.allowed_methods)
        for name, value in self._told.items():
            headers.setdefault(name, value)
        return response

    def options(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Response:
        """Which methods the address has, for anybody."""
        return respond(b"", 204, JSON)
