"""Which rows of a board a filter leaves: every rating belongs to one class of its board.

A class is a kind of player, provisional or not, in a tier of games. A filtered board is some
classes merged, each a walk along one index; what is counted by class (`BoardCount`) gives ranks.
"""

from typing import Final

from django.db.models import Case, SmallIntegerField, Value, When
from django.db.models.expressions import CombinedExpression

# The least numbers of games that can be asked for; the last tier has no end.
TIERS: Final = (1, 5, 15, 50, 100)
_PROVISIONAL, _BOT, _TIER = 1, 2, 4


def class_expression() -> CombinedExpression:
    """The class of a rating from its columns, for the database to keep."""
    tiers = [When(games__gte=least, then=Value(_TIER * at)) for at, least in enumerate(TIERS)]
    return (
        Case(*tiers[:0:-1], default=Value(0), output_field=SmallIntegerField())
        + Case(When(kind="bot", then=Value(_BOT)), default=Value(0))
        + Case(When(provisional=True, then=Value(_PROVISIONAL)), default=Value(0))
    )


def classes_of(*, kind: str | None, established: bool, min_games: int) -> list[int]:
    """The classes that a filter leaves. Raises ValueError unless `min_games` begins a tier.

    >>> classes_of(kind="human", established=True, min_games=50)
    [12, 16]
    """
    kinds = {None: (0, _BOT), "human": (0,), "bot": (_BOT,)}[kind]
    return [
        _TIER * tier + bot + provisional
        for tier in range(TIERS.index(min_games), len(TIERS))
        for bot in kinds
        for provisional in ((0,) if established else (0, _PROVISIONAL))
    ]
