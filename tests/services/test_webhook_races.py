"""Couriers, moves and owners at the same webhook at once: nobody fails, nothing is left over."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from games import webhook_dispatch
from games.models import Notice, Player, Webhook, WebhookDelivery
from games.services import webhook_deliver as module
from games.services.player_delete import player_delete
from games.services.webhook_manage import webhook_create, webhook_delete, webhook_test
from games.services.webhook_post import Answer
from games.services.webhook_spread import webhooks_spread
from tests.scores import new_players
from tests.tables import open_table
from tests.threads import Beside, at_once

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def unsent(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """No queue takes anything."""
    settings.WEBHOOK_PRIVATE_ADDRESSES = True
    monkeypatch.setattr(webhook_dispatch._Broker, "silent_until", float("inf"))


@pytest.fixture
def players() -> list[Player]:
    """Ann and Bob."""
    return new_players(2)


@pytest.fixture
def webhook(players: list[Player]) -> Webhook:
    """Ann's webhook."""
    return webhook_create(player_id=players[0].id, url="http://127.0.0.1:9/")


@pytest.fixture(params=["webhook", "account"])
def remove(request: pytest.FixtureRequest, webhook: Webhook) -> Callable[[], None]:
    """Remove the webhook alone, or with its owner's account."""
    owner = webhook.player_id
    if request.param == "webhook":
        return lambda: webhook_delete(player_id=owner, webhook_id=webhook.id)
    return lambda: player_delete(player_id=owner)


def left() -> tuple[int, int]:
    """How many webhooks and deliveries there are."""
    return Webhook.objects.count(), WebhookDelivery.objects.count()


def test_of_many_couriers_at_once_one_is_given_a_message(
    players: list[Player], webhook: Webhook
) -> None:
    for _ in range(6):
        webhook_test(player_id=players[0].id, webhook_id=webhook.id)
    for _ in range(8):
        found = at_once([lambda: module._claim(webhook.id)] * 6)
        assert sum(delivery is not None for delivery in found) == 1
        WebhookDelivery.objects.update(lease_until=None)


def test_a_courier_waits_for_no_other(webhook: Webhook) -> None:
    webhook_test(player_id=webhook.player_id, webhook_id=webhook.id)
    with transaction.atomic():
        Webhook.objects.select_for_update(no_key=True).get(pk=webhook.id)
        assert at_once([lambda: module._claim(webhook.id)]) == [None]
    assert module._claim(webhook.id) is not None


def test_a_webhook_goes_while_a_delivery_is_settled(
    webhook: Webhook, remove: Callable[[], None]
) -> None:
    """The courier has the webhook and goes for the delivery; the owner waits with neither."""
    webhook_test(player_id=webhook.player_id, webhook_id=webhook.id)
    delivery = module._claim(webhook.id)
    assert delivery is not None
    with transaction.atomic():
        Webhook.objects.select_for_update(no_key=True).get(pk=webhook.id)
        other = Beside(remove)
        other.wait_for_lock()
        module._settle(delivery, Answer(204, ""), "")
    other.end()
    assert left() == (0, 0)


def test_a_webhook_goes_while_deliveries_are_written(
    players: list[Player], webhook: Webhook, remove: Callable[[], None]
) -> None:
    open_table(players)
    Notice.objects.filter(player_id=players[0].id).update(hooked=True)
    with transaction.atomic():
        assert webhooks_spread() == {webhook.id}
        other = Beside(remove)
        other.wait_for_lock()
    other.end()
    assert left() == (0, 0)


def test_deliveries_are_not_written_for_a_webhook_that_goes(
    players: list[Player], webhook: Webhook
) -> None:
    open_table(players)
    Notice.objects.filter(player_id=players[0].id).update(hooked=True)
    with transaction.atomic():
        webhook_delete(player_id=players[0].id, webhook_id=webhook.id)
        other = Beside(webhooks_spread)
        other.wait_for_lock()
    other.end()
    assert left() == (0, 0)
    assert not Notice.objects.filter(hooked=True).exists()


def test_a_settled_courier_finds_nothing_of_a_webhook_that_went(
    webhook: Webhook, remove: Callable[[], None]
) -> None:
    webhook_test(player_id=webhook.player_id, webhook_id=webhook.id)
    delivery = module._claim(webhook.id)
    assert delivery is not None
    with transaction.atomic():
        remove()
        other = Beside(lambda: module._settle(delivery, None, "timeout"))
        other.wait_for_lock()
    other.end()
    assert left() == (0, 0)
