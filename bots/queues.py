"""Whose workers play a brain's turns, and how many turns wait for them."""

from typing import Final, NamedTuple, get_args

from django.conf import settings
from django.db import connection

from bots.brains import UnknownBrain, brain_get, brain_list
from bots.brains.registry import Pace

PACES: Final[tuple[Pace, ...]] = get_args(Pace)

_WAITING: Final = """
    SELECT brain, count(*), extract(epoch FROM now() - min(due_at))::float FROM due_turn
    WHERE due_at <= now() GROUP BY brain
"""
_IDLE: Final = """
    SELECT EXISTS (
        SELECT FROM due_turn WHERE brain = ANY(%s) AND due_at <= clock_timestamp()
          AND (lease_until IS NULL OR lease_until < clock_timestamp()))
"""


class Waiting(NamedTuple):
    """How many turns are due, and since how many seconds the oldest of them is."""

    turns: int = 0
    oldest: float = 0.0


def pace_of(brain: str) -> Pace:
    """How long a brain thinks; one that this release lacks takes no time at all."""
    try:
        return brain_get(brain).pace
    except UnknownBrain:
        return "quick"


def queue_of(brain: str) -> str:
    """The queue from which the brain's turns are played."""
    return str(settings.BOT_QUEUES[pace_of(brain)])


def turns_waiting() -> dict[Pace, Waiting]:
    """The turns that are due, by pace; those that somebody is busy with included."""
    found = dict.fromkeys(PACES, Waiting())
    with connection.cursor() as cursor:
        cursor.execute(_WAITING)
        for brain, turns, oldest in cursor.fetchall():
            pace = pace_of(brain)
            known = found[pace]
            found[pace] = Waiting(known.turns + turns, max(known.oldest, oldest))
    return found


def deep_turns_wait() -> bool:
    """Whether a turn of a brain that searches is due that nobody is busy with."""
    deep = [entry.name for entry in brain_list() if entry.pace == "deep"]
    with connection.cursor() as cursor:
        cursor.execute(_IDLE, [deep])
        row = cursor.fetchone()
    return bool(row and row[0])
