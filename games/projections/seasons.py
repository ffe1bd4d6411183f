"""Seasons: which one a moment belongs to."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache

from django.conf import settings
from django.utils.module_loading import import_string


def calendar_quarter(at: datetime) -> str:
    """The quarter of the year, in UTC.

    >>> calendar_quarter(datetime(2026, 12, 31, 23, 59, tzinfo=UTC))
    '2026Q4'
    """
    day = at.astimezone(UTC)
    return f"{day.year:04}Q{(day.month + 2) // 3}"


def season_of(at: datetime) -> str:
    """The season of a moment, by the function that the setting SEASON_OF names.

    Its texts have at most 16 characters and sort by age.
    """
    return _season_function(settings.SEASON_OF)(at)


@cache
def _season_function(path: str) -> Callable[[datetime], str]:
    function: Callable[[datetime], str] = import_string(path)
    return function
