"""The rules of fairness that the settings name."""

from collections.abc import Sequence

from django.conf import settings

from games.projections.fairness import Limits, Policy


def policy() -> Policy:
    """What holds today; a rebuild judges all games by it."""
    return Policy(
        repeats=_limits(settings.RATING_REPEATS),
        surrenders=_limits(settings.RATING_SURRENDERS),
        early_events=settings.RATING_EARLY_EVENTS,
    )


def _limits(numbers: Sequence[int]) -> Limits | None:
    return Limits(*numbers) if numbers else None
