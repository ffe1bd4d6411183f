"""`/replays`: records of games, from here or from elsewhere, judged."""

from typing import Final

from rest_framework.request import Request
from rest_framework.response import Response

from games.api.base import ApiView
from games.api.bodies import read_struct
from games.api.game_shapes import ReplayView
from games.api.operations import JSON, TEXT, operation
from games.api.parsers import decode_json, decode_text
from games.selectors.replay_check import ReplayRuling, export_ruling, text_ruling

_TEXT_LIKE: Final = (JSON, TEXT)


class ReplaysView(ApiView):
    """`/replays`"""

    @operation(
        "replay_check",
        access="ignored",
        bucket="replays",
        body=ReplayView,
        takes=_TEXT_LIKE,
        answer=ReplayRuling,
    )
    def post(self, request: Request) -> Response:
        """Judge a record of a game.

        Takes what `GET /games/{id}/replay` gives: the JSON, whose commitments, hashes, deals and
        moves are all checked, or as `text/plain` the record, which is dealt and played again. The
        answer names the first event, line or field that is wrong. Nothing is stored.
        """
        if self.http.content_type == TEXT:
            return self.answer(text_ruling(decode_text(self.raw_body)))
        export = decode_json(self.raw_body)
        # Checked for its types, then judged as it was sent: hashes are of the text of times.
        read_struct(ReplayView, export)
        return self.answer(export_ruling(export))
