"""The end of news that nobody needs any more."""

from datetime import timedelta

from django.conf import settings
from django.db import connection
from django.utils import timezone

BATCH = 5000
_NOTICES = """
    DELETE FROM notice WHERE ctid = ANY(ARRAY(
        SELECT ctid FROM notice WHERE at < %s AND NOT hooked ORDER BY at LIMIT %s))
"""
# Whoever removes a webhook removes its log: waiting for him might be waiting for each other.
_DELIVERIES = """
    DELETE FROM webhook_delivery WHERE id = ANY(ARRAY(
        SELECT id FROM webhook_delivery WHERE at < %s AND status <> 'pending'
        ORDER BY at LIMIT %s FOR UPDATE SKIP LOCKED))
"""
_TICKETS = """
    DELETE FROM quick_match WHERE id = ANY(ARRAY(
        SELECT id FROM quick_match WHERE alive_until < %s AND status <> 'waiting' LIMIT %s))
"""


def news_forget() -> int:
    """Remove some of the notices, settled deliveries and settled tickets that are too old.

    How many there were.
    """
    now = timezone.now()
    notices = now - timedelta(days=settings.NOTICE_DAYS)
    deliveries = now - timedelta(days=settings.WEBHOOK_LOG_DAYS)
    with connection.cursor() as cursor:
        cursor.execute(_NOTICES, [notices, BATCH])
        count: int = cursor.rowcount
        cursor.execute(_DELIVERIES, [deliveries, BATCH])
        count += cursor.rowcount
        cursor.execute(_TICKETS, [notices, BATCH])
        count += cursor.rowcount
    return count
