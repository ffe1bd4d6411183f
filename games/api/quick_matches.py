"""Quick matches: a ticket, and the game that comes of it."""

from typing import Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.game_frame import GameApiView
from games.api.identifiers import parse_id
from games.api.operations import operation
from games.api.quick_match_shapes import (
    NewQuickMatch,
    QuickMatchQuery,
    QuickMatchView,
    shown_ticket,
)
from games.api.renderers import json_bytes
from games.models import QuickMatch
from games.services.once import Reply
from games.services.quick_match_create import Wish, quick_match_cancel, quick_match_create
from games.services.quick_match_look import quick_match_look

_NO_TICKET: Final = "quick_match.not_found"


class QuickMatchesView(GameApiView):
    """`/quick-matches`"""

    @operation(
        "quick_match_create",
        scope="games:play",
        body=NewQuickMatch,
        answer=QuickMatchView,
        status=201,
        codes=(
            *("rules.unknown", "rules.invalid_options", "quick_match.waiting", "game.too_many"),
            *("idempotency.key_reused", "idempotency.in_progress"),
        ),
        parameters=("Idempotency-Key",),
    )
    def post(self, request: Request) -> Response:
        """Ask for a game with whomever, and get a ticket.

        Who waits with the same `rated` and `turn_seconds`, and names a ruleset and a number of
        seats that you name too, is put at a table with you as soon as you fill it together; then
        the ticket is `matched` at once. You wait with one ticket at a time.
        """

        def reply() -> Reply:
            ticket = quick_match_create(
                player_id=self.caller.player_id, wish=_wish(self.body(NewQuickMatch))
            )
            headers = {"Location": f"/api/v1/quick-matches/{ticket.pk}"}
            return Reply(201, json_bytes(shown_ticket(ticket)), headers)

        return self.write_once(reply)


class QuickMatchDetailView(GameApiView):
    """`/quick-matches/{id}`"""

    @operation(
        "quick_match_get",
        scope="games:read",
        query=QuickMatchQuery,
        answer=QuickMatchView,
        codes=(_NO_TICKET,),
    )
    def get(self, request: Request, ticket_id: str) -> Response:
        """Your ticket; to ask for it is what keeps it alive.

        With `wait` the answer comes when it is matched, or when so many seconds are over.
        `/players/me/events` tells of the game too.
        """
        return self.answer(shown_ticket(self.look(ticket_id, self.query(QuickMatchQuery).wait)))

    @operation(
        "quick_match_cancel",
        scope="games:play",
        status=204,
        codes=(_NO_TICKET, "quick_match.matched"),
    )
    def delete(self, request: Request, ticket_id: str) -> Response:
        """Give it up. A ticket that is matched has a game, which you may leave."""
        quick_match_cancel(
            ticket_id=parse_id(ticket_id, _NO_TICKET), player_id=self.caller.player_id
        )
        return self.answer()

    def look(self, ticket_id: str, wait: int) -> QuickMatch:
        """The caller's ticket, kept while he waits. Raises ServiceError quick_match.not_found."""
        return quick_match_look(
            ticket_id=parse_id(ticket_id, _NO_TICKET),
            player_id=self.caller.player_id,
            wait=wait,
        )


def _wish(body: NewQuickMatch) -> Wish:
    return Wish(
        rulesets=tuple(body.rulesets),
        seats=tuple(body.seats),
        rated=body.rated,
        turn_seconds=body.turn_seconds,
        bots_after=None if body.bots == "never" else body.bots,
        client_seed=body.client_seed,
    )
