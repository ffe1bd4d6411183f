"""Bots' turns and analyses as Celery tasks: an interface, with no logic of their own.

What searches is imported where it is used, for workers of other queues have no use for it.
"""

import logging
from datetime import datetime
from typing import Any
from uuid import UUID

from celery import current_app, shared_task
from celery.signals import worker_init
from django.conf import settings
from kombu import Queue
from kombu.exceptions import OperationalError

from bots.analysis.dispatch import GO_ON, analyses_sweep
from bots.dispatch import PLAY_TURN, turn_send
from bots.incidents import incident_count
from bots.leases import Overdue, overdue_lease
from bots.models import Incident
from bots.services import turn_play
from games.store.codec import UnknownEvent
from games.store.log import VersionConflict

logger = logging.getLogger(__name__)


# For a brain that no interruption reaches: its process is replaced, and the sweeper goes on.
@shared_task(
    name=PLAY_TURN,
    soft_time_limit=settings.BOT_WALL_SECONDS + 1,
    time_limit=settings.BOT_WALL_SECONDS + 2,
)
def play_turn(game_id: str, version: int, lease: str | None = None) -> None:
    """Play the turn that a bot owes in a game at a version."""
    stamp = None if lease is None else datetime.fromisoformat(lease)
    turn_play(game_id=UUID(game_id), version=version, lease=stamp)


@shared_task(name="bots.tasks.sweep_due_turns")
def sweep_due_turns() -> None:
    """Find turns that nobody plays: send them again, or make them here if that did not help."""
    for turn in overdue_lease():
        incident_count(Incident.Kind.SWEPT)
        try:
            _hurry(turn)
        except (UnknownEvent, VersionConflict, ValueError):
            # A game that this release cannot read must not keep the others waiting.
            logger.exception("the turn of game %s waits", turn.game_id)


def _hurry(turn: Overdue) -> None:
    given_up = turn.attempts >= settings.BOT_ATTEMPTS
    if given_up or not turn_send(
        game_id=turn.game_id, version=turn.version, brain=turn.brain, lease=turn.lease
    ):
        turn_play(game_id=turn.game_id, version=turn.version, lease=turn.lease, paced=False)


@shared_task(
    name=GO_ON,
    soft_time_limit=settings.ANALYSIS_SECONDS,
    time_limit=settings.ANALYSIS_SECONDS + 5,
)
def go_on_analysing(game_id: str, lease: str | None = None) -> None:
    """Judge some decisions of a finished game."""
    from bots.analysis.work import analysis_go_on

    stamp = None if lease is None else datetime.fromisoformat(lease)
    analysis_go_on(game_id=UUID(game_id), lease=stamp)


@shared_task(name="bots.tasks.sweep_analyses")
def sweep_analyses() -> int:
    """Send for analyses that nobody is busy with; how many there were."""
    return analyses_sweep()


@worker_init.connect
def compile_searches(sender: Any = None, **_kwargs: Any) -> None:
    """Have the compiled code in hand before the processes that think are forked, and share it.

    Whoever takes from a queue of thinkers is one, whatever it is called.
    """
    if {settings.BOT_QUEUES["deep"], settings.ANALYSIS_QUEUE} & set(
        sender.app.amqp.queues.consume_from
    ):
        from bots.warming import searches_compile

        searches_compile()


@worker_init.connect
def forget_missed_sweeps(**_kwargs: Any) -> None:
    """Drop the sweeps that beat has sent while no worker ran; the next one does for all."""
    with current_app.connection_for_write() as connection:
        try:
            Queue(settings.BOT_SWEEP_QUEUE, channel=connection.default_channel).purge()
        except (OperationalError, OSError):
            # The broker is away; the worker waits for it, and old sweeps expire one by one.
            return
