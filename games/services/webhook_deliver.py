"""Sending what waits for a webhook: each message until it is taken, or a day is over."""

import logging
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
from games.rules.errors import RulesError
from games.selectors.webhook_message import webhook_message
from games.services.webhook_manage import deliveries_drop
from games.services.webhook_post import PREFIX, Answer, PostFailed, webhook_post
from games.services.webhook_sign import signed_headers
from games.store.codec import UnknownEvent
from games.tally import DELIVERIES, board

logger = logging.getLogger("games.webhooks")

# Seconds: 5, 20, 80 and so on up to eight hours; the tenth and last attempt is a day later.
FIRST_PAUSE: Final = 5
LONGEST_PAUSE: Final = 28_800
MOST_ATTEMPTS: Final = 10
JITTER: Final = 0.2
LONGEST_SECONDS: Final = 20.0
_GONE: Final = 410
# The error of a message whose game this release cannot read: no fault of the receiver.
UNREADABLE: Final = "unreadable"
_NO_GAME: Final = (
    UnknownEvent,
    RulesError,
    msgspec.MsgspecError,
    AttributeError,
    LookupError,
    TypeError,
    ValueError,
)
# One courier for each webhook. Whoever has this lock asks for leases afterwards, in a statement
# that sees all that were taken before.
_LOCK: Final = """
    SELECT FROM webhook WHERE id = %s AND status = 'enabled' FOR NO KEY UPDATE SKIP LOCKED
"""
_CLAIM: Final = """
    UPDATE webhook_delivery SET lease_until = clock_timestamp() + %s * interval '1 second'
    WHERE id = (
        SELECT d.id FROM webhook_delivery d
        WHERE d.webhook_id = %s AND d.status = 'pending' AND d.next_at <= statement_timestamp()
            AND NOT EXISTS (
                SELECT FROM webhook_delivery l
                WHERE l.webhook_id = d.webhook_id AND l.status = 'pending'
                    AND l.lease_until >= statement_timestamp())
            AND NOT EXISTS (
                SELECT FROM webhook_delivery b
                WHERE b.webhook_id = d.webhook_id AND b.game_id = d.game_id
                    AND b.status = 'pending' AND b.attempts = 0
                    AND (b.version, b.id) < (d.version, d.id))
        ORDER BY d.next_at, d.id LIMIT 1)
    RETURNING id
"""
# Each webhook by its oldest: however much waits for one, it takes one place of these.
_DUE: Final = """
    SELECT w.id FROM webhook w CROSS JOIN LATERAL (
        SELECT next_at FROM webhook_delivery d
        WHERE d.webhook_id = w.id AND d.status = 'pending' AND d.next_at <= statement_timestamp()
        ORDER BY next_at LIMIT 1) oldest
    WHERE w.status = 'enabled' AND NOT EXISTS (
        SELECT FROM webhook_delivery l
        WHERE l.webhook_id = w.id AND l.status = 'pending'
            AND l.lease_until >= statement_timestamp())
    ORDER BY oldest.next_at, w.id LIMIT 500
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
    """At most 500 webhooks that something is due for and nobody sends to, longest waits first."""
    with connection.cursor() as cursor:
        cursor.execute(_DUE)
        return [webhook_id for (webhook_id,) in cursor.fetchall()]


def _claim(webhook_id: UUID) -> WebhookDelivery | None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_LOCK, [webhook_id])
        if cursor.fetchone() is None:
            return None
        # Looking a name up takes time of its own.
        cursor.execute(_CLAIM, [3 * settings.WEBHOOK_SECONDS, webhook_id])
        row = cursor.fetchone()
    if row is None:
        return None
    return WebhookDelivery.objects.select_related("webhook").filter(pk=row[0]).first()


def _attempt(delivery: WebhookDelivery) -> bool:
    """Send it, while no transaction is open; whether it was taken."""
    webhook, now = delivery.webhook, timezone.now()
    body = _body(delivery)
    if body is None:
        return _settle(delivery, None, UNREADABLE)
    headers = signed_headers(str(delivery.id), now, body, _secrets(webhook, now))
    try:
        return _settle(delivery, webhook_post(webhook.url, headers, body), "")
    except PostFailed as failure:
        return _settle(delivery, None, failure.reason)


def _body(delivery: WebhookDelivery) -> bytes | None:
    try:
        return msgspec.json.encode(webhook_message(delivery))
    except _NO_GAME:
        logger.exception("delivery %s: game %s cannot be read", delivery.pk, delivery.game_id)
        return None


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
        if error != UNREADABLE:
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
