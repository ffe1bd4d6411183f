"""Asking for analyses, and sending them to the thinkers; what gets lost the sweeper finds."""

import logging
from datetime import datetime
from typing import Final
from uuid import UUID

from django.conf import settings
from kombu.exceptions import KombuError

from bots.analysis.jobs import analysis_ask, lost_lease
from bots.models import Analysis
from games.broker import task_publish

logger = logging.getLogger(__name__)

GO_ON: Final = "bots.tasks.go_on_analysing"


def analysis_send(game_id: UUID, lease: datetime | None = None) -> None:
    """Ask a thinker to go on with the analysis of a game."""
    stamp = None if lease is None else lease.isoformat()
    try:
        task_publish(GO_ON, [str(game_id), stamp], queue=settings.ANALYSIS_QUEUE)
    except (KombuError, OSError) as error:
        logger.warning("The analysis of game %s waits for the sweeper: %s", game_id, error)


def analysis_begin(*, game_id: UUID, player_id: UUID) -> Analysis:
    """Ask for the analysis of a finished game, and have it begun if nobody had.

    Raises ServiceError analysis.queue_full and analysis.too_many.
    """
    analysis, new = analysis_ask(game_id=game_id, player_id=player_id)
    if new:
        analysis_send(game_id)
    return analysis


def analyses_sweep() -> int:
    """Send for analyses that nobody is busy with; how many there were."""
    lost = lost_lease()
    for one in lost:
        analysis_send(one.game_id, one.lease)
    return len(lost)
