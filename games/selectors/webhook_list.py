"""A player's webhooks and what was sent to them."""

from uuid import UUID

from games.models import Webhook, WebhookDelivery


def webhook_list(*, player_id: UUID, before: UUID | None = None, limit: int) -> list[Webhook]:
    """Webhooks, newest first, older than `before`."""
    webhooks = Webhook.objects.filter(player_id=player_id)
    if before is not None:
        webhooks = webhooks.filter(pk__lt=before)
    return list(webhooks.order_by("-pk")[:limit])


def webhook_get(*, player_id: UUID, webhook_id: UUID) -> Webhook | None:
    """One of the player's webhooks."""
    return Webhook.objects.filter(pk=webhook_id, player_id=player_id).first()


def delivery_list(
    *, webhook_id: UUID, before: UUID | None = None, limit: int
) -> list[WebhookDelivery]:
    """Deliveries, newest first, older than `before`."""
    deliveries = WebhookDelivery.objects.filter(webhook_id=webhook_id)
    if before is not None:
        deliveries = deliveries.filter(pk__lt=before)
    return list(deliveries.order_by("-pk")[:limit])
