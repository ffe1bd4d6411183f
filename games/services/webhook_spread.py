"""From what players were told to messages for their webhooks."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Final
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from games.models import Notice, Webhook, WebhookDelivery

BATCH: Final = 200
# Foreign keys are looked at when the transaction ends: a webhook must not go until then.
_HELD: Final = """
    SELECT * FROM webhook WHERE player_id = ANY(%s) AND status = 'enabled'
    ORDER BY id FOR KEY SHARE
"""
EVENT_OF: Final = {
    Notice.Kind.GAME_STARTED: "game.started",
    Notice.Kind.YOUR_TURN: "turn.yours",
    Notice.Kind.GAME_FINISHED: "game.finished",
}


def webhooks_spread(players: Collection[UUID] | None = None) -> set[UUID]:
    """Write a delivery for each notice and webhook that wants it; the webhooks that have some.

    Of these players, or of all. A notice is done when its deliveries stand: both happen at once.
    """
    waiting = Notice.objects.filter(hooked=True)
    if players is not None:
        waiting = waiting.filter(player_id__in=players)
    with transaction.atomic():
        # Whoever else is at one of them will finish it.
        rows = waiting.order_by("at", "game_id", "version", "kind").select_for_update(
            skip_locked=True
        )
        notices = list(rows[:BATCH])
        if not notices:
            return set()
        deliveries = list(_deliveries(notices))
        WebhookDelivery.objects.bulk_create(deliveries, ignore_conflicts=True)
        Notice.objects.filter(pk__in=[notice.pk for notice in notices]).update(hooked=False)
    return {delivery.webhook_id for delivery in deliveries}


def _deliveries(notices: Sequence[Notice]) -> Iterator[WebhookDelivery]:
    owners = {notice.player_id for notice in notices}
    webhooks = defaultdict(list)
    for webhook in Webhook.objects.raw(_HELD, [list(owners)]):
        webhooks[webhook.player_id].append(webhook)
    now = timezone.now()
    for notice in notices:
        event = EVENT_OF.get(Notice.Kind(notice.kind), "")
        for webhook in webhooks[notice.player_id]:
            if event in webhook.events:
                yield WebhookDelivery(
                    webhook=webhook,
                    event=event,
                    game_id=notice.game_id,
                    version=notice.version,
                    seat=notice.seat,
                    deadline=notice.deadline,
                    at=notice.at,
                    next_at=now,
                )
