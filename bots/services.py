"""A bot's turn, from the due row to the move: the same path as a person's, and no other eyes."""

import logging
import random
from datetime import datetime
from typing import Any, Literal
from uuid import UUID

import msgspec
from django.conf import settings
from django.utils import timezone

from bots.brains import UnknownBrain, brain_get
from bots.brains.patterns import safe_move
from bots.brains.registry import Answer, Entry, History, View
from bots.incidents import incident_count
from bots.leases import Claim, turn_claim
from bots.models import Incident
from bots.thinking import OvertimeError, turn_random, wall_cap
from games.rules.errors import RulesError
from games.selectors.game_show import event_list, game_view
from games.services.errors import MoveRefused, ServiceError
from games.services.game_advance import bot_to_act
from games.services.move_play import bot_move_play
from games.store import log

logger = logging.getLogger(__name__)

Outcome = Literal["played", "safe", "stale"]


class BrainTrouble(Exception):
    """A brain gave no move that can be played."""

    def __init__(self, kind: Incident.Kind) -> None:
        super().__init__(kind.label)
        self.kind = kind


class Turn(msgspec.Struct, frozen=True):
    """One turn of a bot: where, in which seat, by which brain, and what the seat sees."""

    game_id: UUID
    version: int
    seat: int
    brain: str
    view: dict[str, Any]


def turn_play(*, game_id: UUID, version: int, lease: datetime | None = None) -> Outcome:
    """Play the turn that a bot owes at `version`; nothing happens if the game has moved on.

    A brain that raises, takes too long or answers against the rules costs its own seat a safe
    move and the table nothing. A turn begun too often (the process died each time) is made
    without thinking. `lease` is the sweeper's mark, see `bots.leases`.
    """
    claim = turn_claim(game_id=game_id, version=version, lease=lease)
    turn = None if claim is None else _turn(game_id, version)
    if claim is None or turn is None:
        return "stale"
    # The brain may do what it likes to the view: its safe move is chosen first.
    safe = safe_move(turn.view)
    try:
        return "played" if _move(turn, _answer(turn, claim)) else "stale"
    except BrainTrouble as trouble:
        logger.warning("%s: %s, game %s", trouble.kind.label, turn.brain, game_id)
        incident_count(trouble.kind, turn.brain)
        return "safe" if _move(turn, safe) else "stale"


def _turn(game_id: UUID, version: int) -> Turn | None:
    head = log.load(game_id)
    due = None if head is None or head.game.version != version else bot_to_act(head.game)
    if head is None or due is None:
        return None
    seat, brain = due
    view = _as_json(game_view(head, seat, timezone.now(), as_brain=True))
    return Turn(game_id, version, seat, brain, view)


def _answer(turn: Turn, claim: Claim) -> Answer:
    """What the brain says. Raises BrainTrouble if it says nothing."""
    if claim.attempts > settings.BOT_ATTEMPTS:
        raise BrainTrouble(Incident.Kind.LOST)
    try:
        entry = brain_get(turn.brain)
    except UnknownBrain:
        raise BrainTrouble(Incident.Kind.RAISED) from None
    history = _history(turn) if entry.reads_history else ()
    rng = turn_random(claim.bot_secret, turn.game_id, turn.version)
    try:
        with wall_cap(settings.BOT_WALL_SECONDS):
            return _thought(entry, turn.view, history, rng)
    except OvertimeError:
        raise BrainTrouble(Incident.Kind.OVERTIME) from None


def _thought(entry: Entry, view: View, history: History, rng: random.Random) -> Answer:
    try:
        return entry.brain.choose(view, history, rng, settings.BOT_BUDGET)
    except Exception:
        logger.exception("The brain %s failed", entry.name)
        raise BrainTrouble(Incident.Kind.RAISED) from None


def _move(turn: Turn, body: Answer) -> bool:
    """Play a move; False if the game has moved on. Raises BrainTrouble if the rules refuse it."""
    try:
        bot_move_play(
            game_id=turn.game_id, seat=turn.seat, body=body, expected_version=turn.version
        )
    except (MoveRefused, RulesError):
        raise BrainTrouble(Incident.Kind.ILLEGAL) from None
    except ServiceError:
        return False
    return True


def _history(turn: Turn) -> Any:
    """All events so far, as the seat saw them."""
    stored = log.events(turn.game_id, limit=turn.version)
    return _as_json(event_list(None, stored, turn.seat, as_brain=True))


def _as_json(value: Any) -> Any:
    """The value as a client would have it: plain dicts, lists and texts."""
    return msgspec.json.decode(msgspec.json.encode(value))
