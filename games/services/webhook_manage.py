"""A player's webhooks: made, changed, given a new secret, tried, removed."""

import secrets
from collections.abc import Collection
from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from games import signals
from games.models import WEBHOOK_EVENTS, Player, Webhook, WebhookDelivery
from games.services.errors import ServiceError, field_error
from games.services.webhook_post import url_fault
from games.services.webhook_sign import SECRET_BYTES

TEST_EVENT: Final = "webhook.test"
# How long the secret before a rotation still signs beside the new one.
FORMER_SECRET_TIME: Final = timedelta(days=1)


def webhook_create(
    *, player_id: UUID, url: str, events: Collection[str] = WEBHOOK_EVENTS, label: str = ""
) -> Webhook:
    """A new webhook with a fresh secret. Raises ServiceError request.invalid, webhook.too_many;
    auth.invalid for an account that was deleted meanwhile.
    """
    _check_url(url)
    with transaction.atomic():
        # Two at once count one after the other.
        live = Player.objects.filter(pk=player_id, deleted_at=None)
        if live.select_for_update(no_key=True).first() is None:
            raise ServiceError("auth.invalid")
        most: int = settings.WEBHOOKS_PER_PLAYER
        if Webhook.objects.filter(player_id=player_id).count() >= most:
            raise ServiceError("webhook.too_many", limit=most)
        return Webhook.objects.create(
            player_id=player_id,
            url=url,
            events=_ordered(events),
            label=label,
            secret=secrets.token_bytes(SECRET_BYTES),
        )


def webhook_update(*, player_id: UUID, webhook_id: UUID, changes: dict[str, Any]) -> Webhook:
    """Change `url`, `events`, `label` or `status` (enabled or paused).

    A webhook that is paused drops what waits to be sent; one that is enabled again begins anew.
    Raises ServiceError request.invalid, webhook.not_found.
    """
    if "url" in changes:
        _check_url(changes["url"])
    if "events" in changes:
        changes = {**changes, "events": _ordered(changes["events"])}
    with transaction.atomic():
        webhook = webhook_lock(player_id=player_id, webhook_id=webhook_id)
        for name, value in changes.items():
            setattr(webhook, name, value)
        if changes.get("status") == Webhook.Status.ENABLED:
            webhook.failing_since = None
        webhook.save()
        if webhook.status != Webhook.Status.ENABLED:
            deliveries_drop(webhook_id)
    return webhook


def webhook_rotate(*, player_id: UUID, webhook_id: UUID) -> Webhook:
    """A fresh secret; the former signs for a day more. Raises ServiceError webhook.not_found."""
    with transaction.atomic():
        webhook = webhook_lock(player_id=player_id, webhook_id=webhook_id)
        webhook.former_secret = webhook.secret
        webhook.former_until = timezone.now() + FORMER_SECRET_TIME
        webhook.secret = secrets.token_bytes(SECRET_BYTES)
        webhook.save(update_fields=["secret", "former_secret", "former_until"])
    return webhook


def webhook_delete(*, player_id: UUID, webhook_id: UUID) -> None:
    """Remove a webhook with its log. Raises ServiceError webhook.not_found."""
    if not webhooks_remove(Webhook.objects.filter(pk=webhook_id, player_id=player_id)):
        raise ServiceError("webhook.not_found")


@transaction.atomic
def webhooks_remove(webhooks: QuerySet[Webhook]) -> int:
    """Remove webhooks with their logs; how many there were.

    They are locked first: whoever settles or writes a delivery has the webhook before it too.
    """
    held = list(webhooks.order_by("pk").select_for_update().values_list("pk", flat=True))
    WebhookDelivery.objects.filter(webhook__in=held).delete()
    Webhook.objects.filter(pk__in=held).delete()
    return len(held)


def webhook_test(*, player_id: UUID, webhook_id: UUID) -> WebhookDelivery:
    """Send a message that says nothing. Raises ServiceError webhook.not_found, webhook.disabled."""
    with transaction.atomic():
        webhook = webhook_lock(player_id=player_id, webhook_id=webhook_id)
        if webhook.status != Webhook.Status.ENABLED:
            raise ServiceError("webhook.disabled")
        now = timezone.now()
        delivery = WebhookDelivery.objects.create(
            webhook=webhook, event=TEST_EVENT, at=now, next_at=now
        )
        transaction.on_commit(
            lambda: signals.webhook_due.send_robust(None, webhook_id=webhook_id), robust=True
        )
    return delivery


def webhook_lock(*, player_id: UUID, webhook_id: UUID) -> Webhook:
    """The webhook, held until the transaction ends. Raises ServiceError webhook.not_found."""
    rows = Webhook.objects.select_for_update(no_key=True)
    webhook = rows.filter(pk=webhook_id, player_id=player_id).first()
    if webhook is None:
        raise ServiceError("webhook.not_found")
    return webhook


def deliveries_drop(webhook_id: UUID) -> None:
    """Give up what a webhook was still to be sent."""
    waiting = WebhookDelivery.objects.filter(
        webhook_id=webhook_id, status=WebhookDelivery.Status.PENDING
    )
    waiting.update(status=WebhookDelivery.Status.DROPPED, next_at=None)


def _check_url(url: str) -> None:
    fault = url_fault(url)
    if fault is not None:
        raise field_error("url", fault)


def _ordered(events: Collection[str]) -> list[str]:
    return [event for event in WEBHOOK_EVENTS if event in events]
