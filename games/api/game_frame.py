"""What the views of games share: access, tags, exactly-once writes, refusals by the rulebook."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final
from uuid import UUID

from msgspec.structs import replace
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.etags import make_etag, not_modified
from games.api.identifiers import parse_id
from games.api.language import Language
from games.api.problems import Problem, invalid
from games.api.refusals import refused
from games.api.renderers import json_bytes
from games.rules.views import Viewer
from games.selectors.game_show import game_view, may_see, viewer_of
from games.services.errors import MoveRefused
from games.services.game_advance import Outcome
from games.services.once import Key, Reply, fingerprint, once
from games.store import log
from games.store.log import Head

Render = Callable[[Outcome, Viewer], Mapping[str, Any]]
_KEY: Final = re.compile(r"[\x21-\x7e]{1,255}")


def etag_of(head: Head, viewer: Viewer, language: Language) -> str:
    """The tag of a game's view: version, viewer and language."""
    return make_etag(head.game.version, _viewer_name(viewer), language)


def show_view(outcome: Outcome, viewer: Viewer) -> Mapping[str, Any]:
    """The caller's view of a game after a write."""
    return game_view(outcome.head, viewer, outcome.at)


class GameApiView(ApiView):
    """A view of one game or of games."""

    @property
    def player_id(self) -> UUID | None:
        """The caller's account, if he named one."""
        return self.viewer.player_id if self.viewer else None

    def visible(self, game_id: str, *, charge: bool = True) -> Head:
        """The game, if it exists for the caller. Raises Problem game.not_found."""
        head = log.load(parse_id(game_id, "game.not_found"))
        own = head is not None and viewer_of(head, self.player_id) is not None
        if charge:
            self.charge("own_game_reads" if own else "default")
        if head is None or not may_see(head, self.player_id):
            raise Problem("game.not_found")
        return head

    def unchanged(self, game_id: str) -> Response | None:
        """A 304 if the caller holds the current tag: found without reading the game."""
        if "HTTP_IF_NONE_MATCH" not in self.http.META:
            return None
        peek = log.peek(parse_id(game_id, "game.not_found"), self.player_id)
        if peek is None or not peek.visible:
            return None
        etag = make_etag(peek.version, _viewer_name(peek.seat), self.language)
        if not not_modified(self.http, etag):
            return None
        self.charge("default" if peek.seat is None else "own_game_reads")
        return self.answer(status=304, headers={"ETag": etag})

    def at_version(self, head: Head, version: int) -> Head:
        """The game as it was at a version. Raises Problem request.invalid past the end."""
        if version > head.game.version:
            raise invalid("at", f"the log ends at {head.game.version}")
        game = log.replay(head.id, version)
        return replace(head, game=game, sitters=log.sitters(game))

    def write(
        self, act: Callable[[], Outcome], *, status: int = 200, render: Render = show_view
    ) -> Response:
        """Do a write once and answer with what `render` makes of it for the caller.

        The answer is stored under the request's Idempotency-Key in the write's own transaction.
        `act` reads the body: a used key is answered for before anybody asks whether it is valid.
        """
        caller = self.caller.player_id

        def reply() -> Reply:
            outcome = act()
            viewer = viewer_of(outcome.head, caller)
            headers = {"ETag": etag_of(outcome.head, viewer, self.language)}
            if status == 201:
                headers["Location"] = f"/api/v1/games/{outcome.head.id}"
            body = json_bytes(render(outcome, viewer))
            return Reply(status, body, headers, game=outcome.head.id)

        try:
            done = once(self._key(), reply)
        except MoveRefused as error:
            raise refused(error, self.language) from None
        headers = done.headers | ({"Idempotency-Replayed": "true"} if done.replayed else {})
        return self.answer(done.body, status=done.status, headers=headers)

    def _key(self) -> Key | None:
        text = self.http.META.get("HTTP_IDEMPOTENCY_KEY")
        if text is None:
            return None
        if not _KEY.fullmatch(text):
            raise invalid("Idempotency-Key", "1 to 255 visible ASCII characters")
        match = self.http.META.get("HTTP_IF_MATCH", "").encode()
        asked = fingerprint((self.http.method or "").encode(), self.raw_body, match)
        return Key(self.caller.player_id, self.http.path.lower(), text, asked)


def _viewer_name(viewer: Viewer) -> str:
    return "x" if viewer is None else f"s{viewer}"
