"""Periodic work as Celery tasks: an interface to services and projections, no logic of its own."""

from celery import shared_task

from games.projections.ratings import ratings_apply_pending
from games.services.game_rematch import rematches_lapse
from games.services.heads_anchor import heads_anchor


@shared_task(name="games.tasks.sweep_ratings")
def sweep_ratings() -> int:
    """Rate the finished games that a crash left without ratings; how many there were."""
    return ratings_apply_pending()


@shared_task(name="games.tasks.sweep_rematches")
def sweep_rematches() -> int:
    """Call off rematches for which not everybody came in time; how many there were."""
    return rematches_lapse()


@shared_task(name="games.tasks.sweep_anchors")
def sweep_anchors() -> int:
    """Anchor heads whose lines a crash or a full disk has lost; how many there were."""
    return heads_anchor()
