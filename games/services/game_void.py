"""A referee's verdict: a game counts for nothing."""

from typing import Final
from uuid import UUID

from django.db import transaction

from games.projections.results import finished_log, results_void
from games.rules.events import GameVoided, Next
from games.rules.scoring import annulled_result
from games.rules.state import FINISHED
from games.services.errors import ServiceError, field_error
from games.services.game_advance import Outcome, advance
from games.store import log

MOST_TEXT: Final = 200


def game_void(*, game_id: UUID, reason: str, by: str = "") -> Outcome:
    """End a game that runs, or take what a finished one had won for its players.

    The log grows by `game_voided`, which says why, and by whom if that is told; everybody can read
    it. Ladders that had counted the game follow after the commit, as long as its season runs; what
    it did to a season that is over stays. A game that is voided already stays as it is.

    Raises ServiceError game.not_found, game.not_started, request.invalid.
    """
    for field, text in (("reason", reason), ("by", by)):
        if len(text) > MOST_TEXT or (field == "reason" and not text.strip()):
            raise field_error(field, f"has 1 to {MOST_TEXT} characters")
    with transaction.atomic(savepoint=False):
        head = log.lock(game_id)
        if head is None:
            raise ServiceError("game.not_found")
        if head.game.state is None:
            raise ServiceError("game.not_started")
        if head.game.voided is not None:
            return advance(head, ())
        result = head.game.result or annulled_result()
        voided = GameVoided(
            result=result, reason=reason.strip(), by=by.strip(), next=Next(FINISHED)
        )
        outcome = advance(head, [voided])
        ended = finished_log(game_id, log.events(game_id))
        if ended is not None:
            results_void(game=ended)
        return outcome
