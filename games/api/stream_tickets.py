"""`/stream-tickets`."""

from datetime import datetime

import msgspec
from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.bodies import Nothing
from games.api.operations import operation
from games.api.tickets import ticket_issue


class StreamTicket(msgspec.Struct, frozen=True):
    """A ticket for `?ticket=`, and when it ends."""

    ticket: str
    expires_at: datetime


class StreamTicketsView(ApiView):
    """`/stream-tickets`"""

    @operation("stream_ticket", scope="games:read", body=Nothing, answer=StreamTicket, status=201)
    def post(self, request: Request) -> Response:
        """Get a ticket for the addresses of streams, which EventSource can send no header to.

        For a minute `GET /games/{id}/events?ticket=…` and `GET /players/me/events?ticket=…` take
        it in place of your token, as often as needed; nothing else does. A stream that was opened
        with it goes on beyond that minute, and ends with the token.
        """
        self.body(Nothing)
        text, ends = ticket_issue(self.caller.token_id)
        shown = StreamTicket(text, ends)
        return self.answer(shown, headers={"Cache-Control": "no-store"})
