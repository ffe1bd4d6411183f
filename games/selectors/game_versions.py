"""Which of many games have moved on."""

from collections.abc import Mapping
from typing import Final
from uuid import UUID

from django.db import connection

_MOVED: Final = """
    SELECT g.id, g.version FROM unnest(%s::uuid[], %s::int[]) AS known (id, version)
    JOIN games_game g ON g.id = known.id AND g.version > known.version
"""


def game_versions_after(known: Mapping[UUID, int]) -> dict[UUID, int]:
    """The versions of those games that are past the version known of them."""
    with connection.cursor() as cursor:
        cursor.execute(_MOVED, [list(known), list(known.values())])
        return dict(cursor.fetchall())
