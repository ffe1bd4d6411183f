"""Exact ranks on a board of any size, from the counts that stand beside its ratings."""

from collections.abc import Collection, Mapping
from typing import Any, Final, NamedTuple

from django.db import connection

WIDTH: Final = 64
# Two short walks along the key: wide steps above, then single points up to the next wide step.
_RANKS: Final = """
    SELECT NULL, coalesce(sum(players), 0)::bigint FROM (
        SELECT players FROM games_boardcount
        WHERE ladder = %(ladder)s AND season = %(season)s AND width = 64
            AND floor >= %(step)s AND board_class = ANY(%(classes)s)
        UNION ALL
        SELECT players FROM games_boardcount
        WHERE ladder = %(ladder)s AND season = %(season)s AND width = 1
            AND floor > %(highest)s AND floor < %(step)s AND board_class = ANY(%(classes)s)
    ) AS above
    UNION ALL
    SELECT floor, sum(players)::bigint FROM games_boardcount
    WHERE ladder = %(ladder)s AND season = %(season)s AND width = 1
        AND floor BETWEEN %(lowest)s AND %(highest)s AND board_class = ANY(%(classes)s)
    GROUP BY floor
"""


class Range(NamedTuple):
    """Ratings whose ranks are wanted: all that stand between these two."""

    lowest: int
    highest: int


def ranks_get(
    *, ladder: str, season: str, classes: Collection[int], ratings: Range
) -> Mapping[int, int]:
    """The rank of every rating that somebody in the range has: one more than are rated higher."""
    wanted: dict[str, Any] = {
        "ladder": ladder,
        "season": season,
        "classes": list(classes),
        "lowest": ratings.lowest,
        "highest": ratings.highest,
        "step": (ratings.highest & -WIDTH) + WIDTH,
    }
    with connection.cursor() as cursor:
        cursor.execute(_RANKS, wanted)
        found: dict[int | None, int] = dict(cursor.fetchall())
    rank, ranks = 1 + found.pop(None), {}
    for rating in sorted((one for one in found if one is not None), reverse=True):
        ranks[rating] = rank
        rank += found[rating]
    return ranks
