"""Keeping what brains did, for when the game is over."""

from typing import Final
from uuid import UUID

import msgspec
from django.db import connection

from bots.models import Decision
from bots.turns import Turn
from games.rules.events import DeadlineExtended
from games.services.game_advance import Outcome, Record

_INSERT: Final = """
    INSERT INTO bots_decision (game_id, seq, at_version, seat, brain, brain_version, seed, budget,
        iterations, exact, trouble)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s, %s, %s, %s)
"""


class Made(msgspec.Struct, frozen=True):
    """How a move was made; the fields are those of `bots.models.Decision`."""

    brain_version: int
    seed: bytes
    budget: int
    iterations: int = 0
    exact: bool = False
    trouble: str = ""


def decision_record(turn: Turn, made: Made) -> Record:
    """What writes the decision within the transaction of the turn's move."""

    def record(outcome: Outcome) -> None:
        # Time given back after an outage stands before the move.
        seq = next(one.seq for one in outcome.added if not isinstance(one.event, DeadlineExtended))
        whose = (turn.game_id, seq, turn.version, turn.seat, turn.brain)
        with connection.cursor() as cursor:
            cursor.execute(_INSERT, [*whose, *msgspec.structs.astuple(made)])

    return record


def decision_list(game_id: UUID) -> list[Decision]:
    """The decisions of a game in the order of its moves. Whether it is over, the caller knows."""
    return list(Decision.objects.filter(game_id=game_id).order_by("seq"))
