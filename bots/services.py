"""A bot's turn, from the due row to the move: the same path as a person's, and no other eyes."""

import logging
import time
from datetime import datetime
from typing import Literal
from uuid import UUID

from django.conf import settings
from msgspec.structs import replace

from bots.brains import UnknownBrain, brain_get
from bots.brains.patterns import safe_move
from bots.brains.registry import Answer
from bots.decisions import Made, decision_record
from bots.incidents import incident_count
from bots.leases import Claim, turn_claim
from bots.models import Incident
from bots.tempo import connection_spare, least_seconds, rest_until
from bots.thinking import BrainTrouble, think, turn_seed
from bots.turns import Turn, turn_at, turn_history
from games.rules.errors import RulesError
from games.services.errors import MoveRefused, ServiceError
from games.services.game_advance import bot_to_act
from games.services.move_play import bot_move_play
from games.store import log

logger = logging.getLogger(__name__)

Outcome = Literal["played", "safe", "stale"]


def turn_play(
    *, game_id: UUID, version: int, lease: datetime | None = None, paced: bool = True
) -> Outcome:
    """Play the turn that a bot owes at `version`; nothing happens if the game has moved on.

    A brain that raises, takes too long or answers against the rules costs its own seat a safe
    move and the table nothing. A turn begun too often (the process died each time) is made
    without thinking. `lease` is the sweeper's mark, see `bots.leases`. A `paced` turn takes no
    shorter than others of its brain's kind: a forced move is not told from a choice.
    """
    began = time.monotonic()
    claim = turn_claim(game_id=game_id, version=version, lease=lease)
    turn = None if claim is None else _turn(game_id, version, claim)
    if claim is None or turn is None:
        return "stale"
    # The brain may do what it likes to the view: its safe move is chosen first.
    safe = safe_move(turn.view)
    move, made = _thought(turn, claim)
    if paced:
        rest_until(began + least_seconds(turn.brain))
    return _carry_out(turn, move, safe, made)


def _turn(game_id: UUID, version: int, claim: Claim) -> Turn | None:
    head = log.load(game_id)
    due = None if head is None or head.game.version != version else bot_to_act(head.game)
    if head is None or due is None:
        return None
    return turn_at(head, *due, claim.due_at)


def _thought(turn: Turn, claim: Claim) -> tuple[Answer | None, Made]:
    """The brain's move, None if it has none, and how it was made."""
    seed = turn_seed(claim.bot_secret, turn.game_id, turn.version)
    made = Made(0, seed, settings.BOT_BUDGET)
    if claim.attempts > settings.BOT_ATTEMPTS:
        return None, replace(made, trouble=Incident.Kind.LOST.value)
    try:
        entry = brain_get(turn.brain)
        made = replace(made, brain_version=entry.version)
        history = turn_history(turn, entry)
        connection_spare(entry)
        thought = think(entry, turn, history, seed, made.budget, settings.BOT_WALL_SECONDS)
    except UnknownBrain:
        return None, replace(made, trouble=Incident.Kind.RAISED.value)
    except BrainTrouble as trouble:
        return None, replace(made, trouble=trouble.kind.value)
    return thought.move, replace(made, iterations=thought.iterations, exact=thought.exact)


def _carry_out(turn: Turn, move: Answer | None, safe: Answer, made: Made) -> Outcome:
    """Play the brain's move, or the safe one where it has none that the rules allow."""
    if move is not None:
        try:
            return "played" if _move(turn, move, made) else "stale"
        except (MoveRefused, RulesError):
            made = replace(made, trouble=Incident.Kind.ILLEGAL.value)
    trouble = Incident.Kind(made.trouble)
    logger.warning("%s: %s, game %s", trouble.label, turn.brain, turn.game_id)
    incident_count(trouble, turn.brain)
    return "safe" if _move(turn, safe, made) else "stale"


def _move(turn: Turn, body: Answer, made: Made) -> bool:
    """Play a move; False if the game has moved on. Raises MoveRefused and RulesError."""
    try:
        bot_move_play(
            game_id=turn.game_id,
            seat=turn.seat,
            body=body,
            expected_version=turn.version,
            record=decision_record(turn, made),
        )
    except MoveRefused:
        raise
    except ServiceError:
        return False
    return True
