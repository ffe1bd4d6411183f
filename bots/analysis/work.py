"""Analysing: a few decisions at a time, without a connection, after the turns of bots."""

import logging
import time
from collections.abc import Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import connection

from bots.analysis.dispatch import analysis_send
from bots.analysis.jobs import (
    Claim,
    analysis_claim,
    analysis_fail,
    analysis_finish,
    analysis_keep,
    analysis_parts,
    analysis_release,
    analysis_rest,
)
from bots.analysis.judging import decision_judge
from bots.analysis.report import AnalysisResult
from bots.analysis.summing import report_of
from bots.analysis.turns import Eyes, turns_of
from bots.queues import deep_turns_wait
from games.rules.events import Event
from games.rules.game import fold
from games.store import log

logger = logging.getLogger(__name__)

# Seconds after which a task lets the next one go on.
CHUNK_SECONDS: Final = 1.0
# Beginnings without a decision after which an analysis is given up.
ATTEMPTS: Final = 3


def analysis_of(events: Sequence[Event]) -> AnalysisResult:
    """The whole analysis of a finished game, at once. Raises ValueError if it is not over."""
    if fold(None, tuple(events)).result is None:
        raise ValueError("the game is not over")
    eyes = Eyes(events)
    return report_of(events, [decision_judge(turn, eyes) for turn in turns_of(events)])


def analysis_go_on(*, game_id: UUID, lease: datetime | None = None) -> None:
    """Judge some decisions more, each kept at once, and send for whoever does the next.

    Turns of bots that wait for a process come first. `lease` is the sweeper's mark.
    """
    claim = analysis_claim(game_id=game_id, lease=lease)
    if claim is None:
        return
    if claim.attempts > ATTEMPTS:
        logger.warning("The analysis of game %s is given up", game_id)
        analysis_fail(game_id)
    elif not claim.starved and deep_turns_wait():
        analysis_rest(game_id)
    else:
        _chunk(game_id, claim)


def _chunk(game_id: UUID, claim: Claim) -> None:
    events = tuple(stored.event for stored in log.events(game_id))
    turns = list(turns_of(events))
    eyes, until, done = Eyes(events), time.monotonic() + CHUNK_SECONDS, claim.done
    for turn in turns[done:]:
        # Thinking takes longer than a new connection.
        connection.close()
        decision = decision_judge(turn, eyes)
        if not analysis_keep(game_id=game_id, done=done, of=len(turns), decision=decision):
            return
        done += 1
        if done < len(turns) and deep_turns_wait():
            analysis_rest(game_id)
            return
        if time.monotonic() > until:
            break
    if done < len(turns):
        analysis_release(game_id)
        analysis_send(game_id)
        return
    analysis_finish(game_id, report_of(events, analysis_parts(game_id)))
