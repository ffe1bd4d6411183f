"""From a move to a message: at least once, signed, seen with its player's eyes, not for ever."""

import random
import re
from collections.abc import Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection, transaction
from django.utils import timezone
from standardwebhooks.webhooks import WebhookVerificationError

from games import webhook_dispatch
from games.models import GameEvent, Notice, Player, Webhook, WebhookDelivery
from games.services import webhook_deliver as module
from games.services.token_issue import token_issue
from games.services.webhook_deliver import MOST_ATTEMPTS, pause_after, webhook_deliver, webhooks_due
from games.services.webhook_manage import (
    webhook_create,
    webhook_rotate,
    webhook_test,
    webhook_update,
)
from games.services.webhook_sign import secret_text
from games.services.webhook_spread import webhooks_spread
from games.tasks import deliver_webhook, spread_news, sweep_webhooks
from tests.api.conftest import Api
from tests.api.tables import sans_clock
from tests.live import free_port
from tests.receiver import Message, Receiver, receiving
from tests.scores import new_players
from tests.tables import head_of, open_table, play_one, play_out

pytestmark = pytest.mark.django_db
STATUS = WebhookDelivery.Status
UNSEEN = re.compile(r'"[2-9TJQKA][SHDC]"')


@pytest.fixture(autouse=True)
def near(settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, list[Any]]]:
    """Receivers on this machine are allowed; what would be queued is noted."""
    settings.WEBHOOK_PRIVATE_ADDRESSES = True
    settings.WEBHOOK_SECONDS = 1.0
    sent: list[tuple[str, list[Any]]] = []
    monkeypatch.setattr(
        webhook_dispatch,
        "task_publish",
        lambda name, arguments, **_: sent.append((name, arguments)),
    )
    monkeypatch.setattr(webhook_dispatch._Broker, "silent_until", 0.0)
    return sent


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    """A receiver on this machine."""
    with receiving() as found:
        yield found


@pytest.fixture
def players() -> list[Player]:
    """Ann and Bob."""
    return new_players(2)


@pytest.fixture
def webhook(players: list[Player], receiver: Receiver) -> Webhook:
    """Ann's webhook."""
    return webhook_create(player_id=players[0].id, url=receiver.url)


def send_all(webhook: Webhook) -> None:
    """Everything that the worker would do by now."""
    webhooks_spread()
    while webhook_deliver(webhook_id=webhook.id):
        pass


def again() -> None:
    """Let the time until the next attempt pass."""
    WebhookDelivery.objects.filter(status=STATUS.PENDING).update(next_at=timezone.now())


def test_a_game_is_told_from_start_to_end_in_order(
    players: list[Player], webhook: Webhook, receiver: Receiver
) -> None:
    game_id = open_table(players)
    play_out(game_id, random.Random(2))
    send_all(webhook)
    told = [message.value for message in receiver.messages]
    expected = Notice.objects.filter(player_id=players[0].id).order_by("version", "kind")
    names = {
        "game_started": "game.started",
        "your_turn": "turn.yours",
        "game_finished": "game.finished",
    }
    assert [(each["type"], each["data"]["version"]) for each in told] == [
        (names[row.get_kind_display()], row.version) for row in expected
    ]
    assert {row.status for row in WebhookDelivery.objects.all()} == {STATUS.DELIVERED}
    result = head_of(game_id).game.result
    assert result is not None
    assert told[-1]["data"]["result"]["reason"] == result.reason
    for message in receiver.messages:
        message.check(secret_text(bytes(webhook.secret)))
    assert len({message.headers["webhook-id"] for message in receiver.messages}) == len(told)


@pytest.mark.parametrize("late", [False, True])
def test_a_turn_shows_the_game_as_its_player_would_be_served_it(
    players: list[Player], webhook: Webhook, receiver: Receiver, late: bool
) -> None:
    """Byte for byte the view of GET /games/{id} then, the time at which it was served apart."""
    client = Api(token_issue(player_id=players[0].id).text)
    game_id = open_table(players)
    served = {}
    for seed in range(12):
        version = play_one(game_id, random.Random(seed)).head.game.version
        served[version] = client.get(f"/games/{game_id}").json()
        if not late:
            send_all(webhook)
    send_all(webhook)
    turns = [each.value for each in receiver.messages if each.value["type"] == "turn.yours"]
    turns = [turn for turn in turns if turn["data"]["version"] in served]
    assert len(turns) > 2
    for turn in turns:
        view = turn["data"]["view"]
        assert view["you"]["seat"] == turn["data"]["seat"] == 0
        assert view["you"]["legal_moves"]
        assert sans_clock(view) == sans_clock(served[view["version"]])


def test_messages_but_turns_show_no_card(
    players: list[Player], webhook: Webhook, receiver: Receiver
) -> None:
    game_id = open_table(players, visibility="public")
    play_out(game_id, random.Random(2))
    send_all(webhook)
    others = [each for each in receiver.messages if each.value["type"] != "turn.yours"]
    assert len(others) == 2
    assert not any(UNSEEN.search(message.body.decode()) for message in others)


def test_nobody_without_a_webhook_is_marked(players: list[Player]) -> None:
    play_out(open_table(players), random.Random(2))
    assert not Notice.objects.filter(hooked=True).exists()


def test_only_what_was_asked_for_is_sent(players: list[Player], receiver: Receiver) -> None:
    webhook = webhook_create(player_id=players[1].id, url=receiver.url, events=["game.finished"])
    play_out(open_table(players), random.Random(2))
    send_all(webhook)
    assert [message.value["type"] for message in receiver.messages] == ["game.finished"]
    assert not Notice.objects.filter(hooked=True).exists()


@pytest.mark.django_db(transaction=True)
def test_the_worker_hears_after_the_commit(
    players: list[Player], webhook: Webhook, receiver: Receiver, near: list[Any]
) -> None:
    with transaction.atomic():
        open_table(players)
        assert near == []
    assert near == [(webhook_dispatch.SPREAD, [[str(players[0].id)]])]
    spread_news(*near.pop()[1])
    assert near == [(webhook_dispatch.DELIVER, [str(webhook.id)])]
    deliver_webhook(*near.pop()[1])
    assert receiver.messages[0].value["type"] == "game.started"


@pytest.mark.django_db(transaction=True)
def test_what_no_broker_took_the_sweeper_finds(
    players: list[Player],
    webhook: Webhook,
    receiver: Receiver,
    near: list[Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(*_args: Any, **_more: Any) -> None:
        raise ConnectionRefusedError

    with monkeypatch.context() as down:
        down.setattr(webhook_dispatch, "task_publish", refuse)
        play_out(open_table(players), random.Random(2))
    assert receiver.messages == near == []
    monkeypatch.setattr(webhook_dispatch._Broker, "silent_until", 0.0)
    assert sweep_webhooks() == 1
    deliver_webhook(*near.pop()[1])
    assert receiver.messages[-1].value["type"] == "game.finished"
    assert sweep_webhooks() == 0


def test_spreading_twice_sends_once(players: list[Player], webhook: Webhook) -> None:
    open_table(players)
    webhooks_spread()
    count = WebhookDelivery.objects.count()
    Notice.objects.filter(player_id=players[0].id).update(hooked=True)
    webhooks_spread()
    assert WebhookDelivery.objects.count() == count > 0


def test_failures_are_tried_again_as_the_same_message(
    players: list[Player], webhook: Webhook, receiver: Receiver
) -> None:
    delivery = webhook_test(player_id=players[0].id, webhook_id=webhook.id)
    receiver.statuses = [500, 302, 404]
    for attempt in range(1, 4):
        assert webhook_deliver(webhook_id=webhook.id) == 0
        delivery.refresh_from_db()
        assert (delivery.status, delivery.attempts) == (STATUS.PENDING, attempt)
        assert webhook_deliver(webhook_id=webhook.id) == 0
        assert len(receiver.messages) == attempt
        again()
    assert webhook_deliver(webhook_id=webhook.id) == 1
    delivery.refresh_from_db()
    webhook.refresh_from_db()
    assert (delivery.status, delivery.response_status) == (STATUS.DELIVERED, 204)
    assert (webhook.status, webhook.failing_since) == (Webhook.Status.ENABLED, None)
    assert {message.headers["webhook-id"] for message in receiver.messages} == {str(delivery.id)}
    assert len({message.body for message in receiver.messages}) == 1


def test_a_day_of_pauses_then_no_more(players: list[Player], webhook: Webhook) -> None:
    pauses = [pause_after(attempts).total_seconds() for attempts in range(1, MOST_ATTEMPTS)]
    assert 4 <= pauses[0] <= 6
    assert 0.8 * 86_400 < sum(pauses) < 1.25 * 86_400
    delivery = webhook_test(player_id=players[0].id, webhook_id=webhook.id)
    Webhook.objects.update(url=f"http://127.0.0.1:{free_port()}/")
    for _ in range(MOST_ATTEMPTS):
        again()
        webhook_deliver(webhook_id=webhook.id)
    delivery.refresh_from_db()
    assert (delivery.status, delivery.error, delivery.next_at) == (
        STATUS.FAILED,
        "connection",
        None,
    )


def test_a_webhook_that_fails_for_days_is_given_up(
    players: list[Player], webhook: Webhook, receiver: Receiver
) -> None:
    receiver.status = 500
    waiting = [webhook_test(player_id=players[0].id, webhook_id=webhook.id) for _ in range(2)]
    webhook_deliver(webhook_id=webhook.id)
    webhook.refresh_from_db()
    assert webhook.failing_since is not None
    assert webhook.status == Webhook.Status.ENABLED
    Webhook.objects.update(failing_since=timezone.now() - timedelta(days=3, minutes=1))
    webhook_deliver(webhook_id=webhook.id)
    webhook.refresh_from_db()
    assert webhook.status == Webhook.Status.FAILING
    assert {WebhookDelivery.objects.get(pk=row.pk).status for row in waiting} == {STATUS.DROPPED}
    open_table(players)
    assert not Notice.objects.filter(hooked=True).exists()
    changes = {"status": "enabled"}
    webhook = webhook_update(player_id=players[0].id, webhook_id=webhook.id, changes=changes)
    assert webhook.failing_since is None


def test_a_receiver_that_is_gone_is_given_up_at_once(
    players: list[Player], webhook: Webhook, receiver: Receiver
) -> None:
    receiver.status = 410
    webhook_test(player_id=players[0].id, webhook_id=webhook.id)
    webhook_deliver(webhook_id=webhook.id)
    webhook.refresh_from_db()
    assert webhook.status == Webhook.Status.FAILING


def test_both_secrets_sign_for_a_day(
    players: list[Player], webhook: Webhook, receiver: Receiver
) -> None:
    former = secret_text(bytes(webhook.secret))
    fresh = webhook_rotate(player_id=players[0].id, webhook_id=webhook.id)
    webhook_test(player_id=players[0].id, webhook_id=webhook.id)
    webhook_deliver(webhook_id=webhook.id)
    Webhook.objects.update(former_until=timezone.now())
    webhook_test(player_id=players[0].id, webhook_id=webhook.id)
    webhook_deliver(webhook_id=webhook.id)
    both, alone = receiver.messages
    both.check(former)
    both.check(secret_text(bytes(fresh.secret)))
    alone.check(secret_text(bytes(fresh.secret)))
    assert not verifies(alone, former)
    tampered = both._replace(body=both.body.replace(b"test", b"toast"))
    assert not verifies(tampered, former)


def verifies(message: Message, secret: str) -> bool:
    """Whether the signature is right."""
    try:
        message.check(secret)
    except WebhookVerificationError:
        return False
    return True


def test_of_one_game_a_later_message_waits_for_the_first_try_of_an_earlier_one(
    players: list[Player], webhook: Webhook, receiver: Receiver
) -> None:
    game_id = open_table(players)
    play_out(game_id, random.Random(2))
    webhooks_spread()
    rows = list(WebhookDelivery.objects.order_by("version", "id"))
    first, second = rows[:2]
    WebhookDelivery.objects.filter(pk=first.id).update(next_at=timezone.now() + timedelta(hours=1))
    assert module._claim(webhook.id) is None
    other = webhook_test(player_id=players[0].id, webhook_id=webhook.id)
    assert claimed(webhook) == other.id
    WebhookDelivery.objects.filter(pk=other.id).delete()
    receiver.statuses = [500]
    WebhookDelivery.objects.filter(pk=first.id).update(next_at=timezone.now())
    assert webhook_deliver(webhook_id=webhook.id) == 0
    assert WebhookDelivery.objects.get(pk=first.id).attempts == 1
    assert claimed(webhook) == second.id


def claimed(webhook: Webhook) -> Any:
    """The delivery that a courier begins with."""
    delivery = module._claim(webhook.id)
    return None if delivery is None else delivery.id


def test_what_a_dead_worker_held_is_due_again(
    players: list[Player], webhook: Webhook, receiver: Receiver
) -> None:
    webhook_test(player_id=players[0].id, webhook_id=webhook.id)
    assert module._claim(webhook.id) is not None
    assert webhooks_due() == []
    WebhookDelivery.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    assert webhooks_due() == [webhook.id]
    assert webhook_deliver(webhook_id=webhook.id) == 1


def test_a_webhook_has_one_courier_at_a_time(players: list[Player], webhook: Webhook) -> None:
    for _ in range(3):
        webhook_test(player_id=players[0].id, webhook_id=webhook.id)
    assert webhooks_due() == [webhook.id]
    assert claimed(webhook) is not None
    assert claimed(webhook) is None
    assert webhooks_due() == []


def test_whoever_has_much_to_be_sent_keeps_nobody_waiting(
    players: list[Player], webhook: Webhook, receiver: Receiver
) -> None:
    pile_up(webhook)
    other = webhook_create(player_id=players[1].id, url=receiver.url)
    webhook_test(player_id=players[1].id, webhook_id=other.id)
    assert webhooks_due() == [webhook.id, other.id]
    assert claimed(webhook) is not None
    assert webhooks_due() == [other.id]


def pile_up(webhook: Webhook, count: int = 600) -> None:
    """More than a sweep takes up, all of it due for an hour."""
    long_ago = timezone.now() - timedelta(hours=1)
    WebhookDelivery.objects.bulk_create(
        WebhookDelivery(webhook=webhook, event="webhook.test", at=long_ago, next_at=long_ago)
        for _ in range(count)
    )


def test_what_is_due_is_found_by_indexes(players: list[Player], settings: Any) -> None:
    settings.WEBHOOKS_PER_PLAYER = 20
    for port in range(8000, 8020):
        url = f"http://127.0.0.1:{port}/"
        pile_up(webhook_create(player_id=players[0].id, url=url), 50)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("ANALYZE webhook_delivery")
        cursor.execute(f"EXPLAIN {module._DUE}")
        plan = "\n".join(line for (line,) in cursor.fetchall())
    assert "webhook_delivery_next" in plan
    assert "webhook_delivery_leased" in plan
    assert "Seq Scan on webhook_delivery" not in plan


def test_a_game_that_cannot_be_read_is_tried_again_later(
    players: list[Player], webhook: Webhook, receiver: Receiver
) -> None:
    """A newer release wrote an event of it; the receiver is not to blame."""
    game_id = open_table(players)
    play_out(game_id, random.Random(2))
    webhooks_spread()
    first, *_ = WebhookDelivery.objects.order_by("version", "id")
    events = GameEvent.objects.filter(game=game_id, seq=2)
    events.update(schema_version=99)
    assert webhook_deliver(webhook_id=webhook.id) == 0
    first.refresh_from_db()
    webhook.refresh_from_db()
    assert (first.status, first.attempts, first.error) == (STATUS.PENDING, 1, "unreadable")
    assert first.next_at is not None
    assert first.next_at > timezone.now()
    assert (first.lease_until, webhook.failing_since) == (None, None)
    assert receiver.messages == []
    events.update(schema_version=1)
    again()
    send_all(webhook)
    first.refresh_from_db()
    assert (first.status, first.error) == (STATUS.DELIVERED, "")


def test_a_game_that_is_missing_is_given_up_after_a_day(
    players: list[Player], webhook: Webhook, receiver: Receiver
) -> None:
    now = timezone.now()
    delivery = WebhookDelivery.objects.create(
        webhook=webhook, event="game.started", game_id=uuid4(), version=1, at=now, next_at=now
    )
    for _ in range(MOST_ATTEMPTS):
        again()
        assert webhook_deliver(webhook_id=webhook.id) == 0
    delivery.refresh_from_db()
    assert (delivery.status, delivery.error) == (STATUS.FAILED, "unreadable")


def test_nothing_is_sent_to_closed_addresses(
    players: list[Player], webhook: Webhook, receiver: Receiver, settings: Any
) -> None:
    """An address that was allowed once, or whose name leads here now."""
    settings.WEBHOOK_PRIVATE_ADDRESSES = False
    delivery = webhook_test(player_id=players[0].id, webhook_id=webhook.id)
    webhook_deliver(webhook_id=webhook.id)
    delivery.refresh_from_db()
    assert delivery.error == "address_refused"
    assert receiver.messages == []
