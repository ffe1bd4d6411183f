"""What is done for the clocks and for webhooks is counted for those who run the server."""

import time
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from django.conf import settings as configured

from games.services.game_clocks import clocks_sweep
from games.services.webhook_deliver import webhook_deliver
from games.services.webhook_manage import webhook_create, webhook_test
from games.tally import DELIVERIES, TIMEOUTS, tallies_read
from tests.receiver import receiving
from tests.scores import new_players
from tests.tables import open_table

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def broker() -> Iterator[redis.Redis]:
    """The broker, in which nothing has been counted yet."""
    with redis.Redis.from_url(configured.REDIS_URL) as client:
        client.flushdb()
        yield client


def test_each_turn_whose_time_is_up_counts_once(broker: redis.Redis, settings: Any) -> None:
    settings.TURN_SECONDS_MIN = 1
    settings.OUTAGE_SECONDS = 60
    for _ in range(2):
        open_table(new_players(2), turn_seconds=1)
    time.sleep(1.1)
    assert (clocks_sweep(), clocks_sweep()) == (2, 0)
    assert tallies_read(broker)[TIMEOUTS] == {"acted": 2}


def test_attempts_to_deliver_count_by_outcome(broker: redis.Redis, settings: Any) -> None:
    settings.WEBHOOK_PRIVATE_ADDRESSES = True
    ann, _ = new_players(2)
    with receiving() as receiver:
        webhook = webhook_create(player_id=ann.id, url=receiver.url)
        for status in (204, 500):
            receiver.status = status
            webhook_test(player_id=ann.id, webhook_id=webhook.id)
            webhook_deliver(webhook_id=webhook.id)
    assert tallies_read(broker)[DELIVERIES] == {"delivered": 1, "retried": 1}
