"""Old news is found by its time, not by reading all there is."""

from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from games.models import WebhookDelivery
from games.services import news_forget as module
from games.services.news_forget import news_forget
from games.services.webhook_manage import webhook_create
from tests.scores import new_players

pytestmark = pytest.mark.django_db
STATUS = WebhookDelivery.Status


@pytest.mark.parametrize(
    ("statement", "index"),
    [(module._NOTICES, "notice_at"), (module._DELIVERIES, "webhook_delivery_settled")],
    ids=["notices", "deliveries"],
)
def test_what_is_old_is_found_by_an_index(statement: str, index: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_bitmapscan = off")
        cursor.execute(f"EXPLAIN {statement}", [timezone.now(), module.BATCH])
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert f"Index Scan using {index}" in plan
    assert "Index Cond: (at <" in plan
    assert "Seq Scan" not in plan


def test_only_settled_deliveries_are_forgotten() -> None:
    (ann,) = new_players(1)
    webhook = webhook_create(player_id=ann.id, url="https://example.org/")
    old, new = timezone.now() - timedelta(days=8), timezone.now()
    for at in (old, new):
        for status in STATUS.values:
            WebhookDelivery.objects.create(
                webhook=webhook, event="webhook.test", at=at, status=status
            )
    assert (news_forget(), news_forget()) == (len(STATUS) - 1, 0)
    assert WebhookDelivery.objects.get(at=old).status == STATUS.PENDING
    assert WebhookDelivery.objects.filter(at=new).count() == len(STATUS)
