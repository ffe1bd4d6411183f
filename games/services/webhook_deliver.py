"""Sending what waits for a webhook: each message until it is taken, or a day is over."""

import random
import time
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from games.models import Webhook, WebhookDelivery
from games.selectors.webhook_message import webhook_message
from games.services.webhook_manage import deliveries_drop
from games.services.webhook_post import PREFIX, Answer, PostFailed, webhook_post
from games.services.webhook_sign import signed_headers
from games.tally import DELIVERIES, board

# Seconds: 5, 20, 80 and so on up to eight hours; the tenth and last attempt is a day later.
FIRST_PAUSE: Final = 5
LONGEST_PAUSE: Final = 28_800
MOST_ATTEMPTS: Final = 10
JITTER: Final = 0.2
LONGEST_SECONDS: Final = 20.0
_GONE: Final = 410
# Of one game in order: a first attempt waits for those before it, but for no repetition.
_CLAIM: Final = """
    UPDATE webhook_delivery SET lease_until = clock_timestamp() + %s * interval '1 second'
    WHERE id = (
        SELECT d.id FROM webhook_delivery d JOIN webhook w ON w.id = d.webhook_id
        WHERE d.webhook_id = %s AND w.status = 'enabled' AND d.status = 'pending'
            AND d.next_at <= clock_timestamp()
            AND (d.lease_until IS NULL OR d.lease_until < clock_timestamp())
            AND NOT EXISTS (
                SELECT FROM webhook_delivery b
                WHERE b.webhook_id = d.webhook_id AND b.game_id = d.game_id
                    AND b.status = 'pending' AND b.attempts = 0
                    AND (b.version, b.id) < (d.version, d.id))
        ORDER BY d.next_at, d.id LIMIT 1 FOR UPDATE OF d SKIP LOCKED)
    RETURNING id
"""
_DUE: Final = """
    SELECT DISTINCT webhook_id FROM (
        SELECT webhook_id FROM webhook_delivery
        WHERE status = 'pending' AND next_at <= clock_timestamp()
            AND (lease_until IS NULL OR lease_until < clock_timestamp())
        ORDER BY next_at LIMIT 500) due
"""


def webhook_deliver(*, webhook_id: UUID) -> int:
    """Send what is due to a webhook, one message after the other; how many were taken.

    After a failure, and after some time, the rest waits for the sweeper: nobody's slow receiver
    keeps others waiting.
    """
    ends_at = time.monotonic() + LONGEST_SECONDS
    count = 0
    while time.monotonic() < ends_at:
        delivery = _claim(webhook_id)
        if delivery is None or not _attempt(delivery):
            break
        count += 1
    return count


def webhooks_due() -> list[UUID]:
    """The webhooks for which something is due that nobody is sending."""
    with connection.cursor() as cursor:
        cursor.execute(_DUE)
        return [webhook_id for (webhook_id,) in cursor.fetchall()]


def _claim(webhook_id: UUID) -> WebhookDelivery | None:
    with connection.cursor() as cursor:
        # Looking a name up takes time of its own.
        cursor.execute(_CLAIM, [3 * settings.WEBHOOK_SECONDS, webhook_id])
        row = cursor.fetchone()
    if row is None:
        return None
    return WebhookDelivery.objects.select_related("webhook").filter(pk=row[0]).first()


def _attempt(delivery: WebhookDelivery) -> bool:
    """Send it, while no transaction is open; whether it was taken."""
    webhook, now = delivery.webhook, timezone.now()
    body = msgspec.json.encode(webhook_message(delivery))
    headers = signed_headers(str(delivery.id), now, body, _secrets(webhook, now))
    try:
        return _settle(delivery, webhook_post(webhook.url, headers, body), "")
    except PostFailed as failure:
        return _settle(delivery, None, failure.reason)


def _secrets(webhook: Webhook, now: datetime) -> list[bytes]:
    """The secrets that sign: the former one too, while it is believed."""
    former = webhook.former_secret
    if former is None or webhook.former_until is None or webhook.former_until <= now:
        return [bytes(webhook.secret)]
    return [bytes(webhook.secret), bytes(former)]


def _settle(delivery: WebhookDelivery, answer: Answer | None, error: str) -> bool:
    """Note what came of an attempt: done, again later, or given up; whether it was taken."""
    taken = answer is not None and 200 <= answer.status < 300
    with transaction.atomic():
        held = Webhook.objects.select_for_update(no_key=True).filter(pk=delivery.webhook_id)
        webhook = held.first()
        row = WebhookDelivery.objects.filter(pk=delivery.pk, status=delivery.status).first()
        if row is None or webhook is None:
            return taken
        row.attempts += 1
        row.tried_at, row.lease_until, row.error = timezone.now(), None, error
        row.response_status = None if answer is None else answer.status
        row.response_start = "" if answer is None else answer.start[:PREFIX]
        row.status, row.next_at = _outcome(row, taken=taken)
        row.save()
        _judge(webhook, row)
        _count(row)
    return taken


def _count(row: WebhookDelivery) -> None:
    waits = row.status == WebhookDelivery.Status.PENDING
    outcome = "retried" if waits else str(row.status)
    transaction.on_commit(lambda: board().add(DELIVERIES, {outcome: 1}), robust=True)


def _outcome(row: WebhookDelivery, *, taken: bool) -> tuple[str, datetime | None]:
    if taken:
        return WebhookDelivery.Status.DELIVERED, None
    if row.attempts >= MOST_ATTEMPTS:
        return WebhookDelivery.Status.FAILED, None
    return WebhookDelivery.Status.PENDING, timezone.now() + pause_after(row.attempts)


def pause_after(attempts: int) -> timedelta:
    """How long to wait after so many failures, give or take a fifth."""
    seconds = min(LONGEST_PAUSE, FIRST_PAUSE * 4 ** (attempts - 1))
    return timedelta(seconds=seconds * random.uniform(1 - JITTER, 1 + JITTER))


def _judge(webhook: Webhook, row: WebhookDelivery) -> None:
    """Note whether the webhook works; one that fails for days, or is gone, is given up."""
    if row.status == WebhookDelivery.Status.DELIVERED:
        webhook.failing_since = None
    elif webhook.failing_since is None:
        webhook.failing_since = row.tried_at
    since = webhook.failing_since
    patience = timedelta(days=settings.WEBHOOK_DISABLE_DAYS)
    late = since is not None and timezone.now() - since >= patience
    if row.response_status == _GONE or late:
        webhook.status = Webhook.Status.FAILING
    webhook.save(update_fields=["failing_since", "status"])
    if webhook.status != Webhook.Status.ENABLED:
        deliveries_drop(webhook.id)
