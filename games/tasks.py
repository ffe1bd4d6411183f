"""Periodic work as Celery tasks: an interface to services and projections, no logic of its own."""

from uuid import UUID

from celery import shared_task

from games.projections.ratings import ratings_apply_pending
from games.services.game_clocks import clocks_sweep
from games.services.game_expire import games_expire
from games.services.game_rematch import rematches_lapse
from games.services.heads_anchor import heads_anchor
from games.services.news_forget import news_forget
from games.services.quick_match_sweep import quick_matches_sweep
from games.services.webhook_deliver import webhook_deliver, webhooks_due
from games.services.webhook_spread import webhooks_spread
from games.webhook_dispatch import DELIVER, SPREAD, task_send


@shared_task(name="games.tasks.sweep_ratings")
def sweep_ratings() -> int:
    """Rate the finished games that a crash left without ratings; how many there were."""
    return ratings_apply_pending()


# What followed a voided game is rated anew: as long as that takes.
@shared_task(name="games.tasks.sweep_voided", soft_time_limit=3600, time_limit=3660)
def sweep_voided() -> int:
    """Let ladders follow verdicts that a crash left without; how many there were."""
    return ratings_apply_pending(voided=True)


@shared_task(name="games.tasks.sweep_clocks")
def sweep_clocks() -> int:
    """Act for those whose time is up; how many games went on by that."""
    return clocks_sweep()


@shared_task(name="games.tasks.sweep_rematches")
def sweep_rematches() -> int:
    """Call off rematches for which not everybody came in time; how many there were."""
    return rematches_lapse()


@shared_task(name="games.tasks.expire_games")
def expire_games() -> int:
    """Call off open games that have waited too long; how many there were."""
    return games_expire()


@shared_task(name="games.tasks.sweep_quick_matches")
def sweep_quick_matches() -> int:
    """Give bots to whoever has waited long enough, drop tickets that nobody asks for; how many."""
    return quick_matches_sweep()


@shared_task(name="games.tasks.sweep_anchors")
def sweep_anchors() -> int:
    """Anchor heads whose lines a crash or a full disk has lost; how many there were."""
    return heads_anchor()


@shared_task(name=SPREAD)
def spread_news(players: list[str]) -> None:
    """Write what these players' webhooks are to be sent, and send it."""
    for webhook_id in webhooks_spread([UUID(player) for player in players]):
        task_send(DELIVER, [str(webhook_id)])


# Above what a slow receiver may take; longer than that and the message would come twice.
@shared_task(name=DELIVER, soft_time_limit=50, time_limit=55)
def deliver_webhook(webhook_id: str) -> int:
    """Send what is due to a webhook; how many messages that were."""
    return webhook_deliver(webhook_id=UUID(webhook_id))


@shared_task(name="games.tasks.sweep_webhooks")
def sweep_webhooks() -> int:
    """Find what a crash or a broker lost, and what is due again; how many webhooks that were."""
    webhooks_spread()
    due = webhooks_due()
    for webhook_id in due:
        task_send(DELIVER, [str(webhook_id)])
    return len(due)


@shared_task(name="games.tasks.forget_news")
def forget_news() -> int:
    """Remove old notices and deliveries; how many there were."""
    return news_forget()
