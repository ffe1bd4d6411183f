"""Counting trouble where every process sees the same figure."""

import logging
from typing import Final

from django.db import DatabaseError, connection

from bots.models import Incident

logger = logging.getLogger(__name__)

_COUNT: Final = """
    INSERT INTO bots_incident (kind, brain, count, last_at) VALUES (%s, %s, 1, now())
    ON CONFLICT (kind, brain) DO UPDATE SET count = bots_incident.count + 1, last_at = now()
"""


def incident_count(kind: Incident.Kind, brain: str = "") -> None:
    """Add one. A database that cannot count must not make the trouble worse, so it is logged."""
    try:
        with connection.cursor() as cursor:
            cursor.execute(_COUNT, [kind.value, brain])
    except DatabaseError:
        logger.exception("The incident %s of %r was not counted", kind, brain)
