"""Pages for those who run the server."""

import re
from datetime import timedelta
from typing import Any

import pytest
import redis
from django.conf import settings
from django.db import ProgrammingError, connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from durak_api import health
from durak_api.celery import COURIER_KEY, WORKER_KEY, sign
from games.models import Game, WebhookDelivery
from games.services.webhook_manage import webhook_create
from games.tally import DELIVERIES, STREAMS_ENDED, TIMEOUTS, Board
from tests.scores import new_players
from tests.tables import open_table

pytestmark = pytest.mark.usefixtures("fresh_pages")


@pytest.fixture
def board() -> Board:
    """The broker's figures, all of them at nothing."""
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        client.flushdb()
    return Board(settings.REDIS_URL)


def figures_of(client: Client) -> dict[str, float]:
    """What /metrics says."""
    lines = client.get("/metrics").content.decode().splitlines()
    told = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in told}


def test_healthz_looks_at_nothing(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}


@pytest.mark.django_db
@pytest.mark.usefixtures("board")
def test_readyz_reports_each_part(client: Client) -> None:
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ready",
        "database": "ok",
        "migrations_missing": [],
        "broker": "ok",
        "workers": 0,
        "thinkers": 0,
        "couriers": 0,
        "beat": "down",
        "streams": 0,
        "oldest_bot_turn_seconds": 0.0,
        "oldest_clock_seconds": 0.0,
        "oldest_delivery_seconds": 0.0,
        "bot_turns": {
            "quick": {"waiting": 0, "oldest_seconds": 0.0},
            "deep": {"waiting": 0, "oldest_seconds": 0.0},
        },
        "log_can_be_changed": True,
    }


@pytest.mark.django_db
def test_readyz_fails_on_a_missing_migration(client: Client) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM django_migrations WHERE name = '0002_append_only'")
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json()["migrations_missing"] == ["games.0002_append_only"]


@pytest.mark.django_db
def test_readyz_does_not_fail_on_the_broker(
    client: Client, settings: pytest.FixtureRequest
) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    answer = client.get("/readyz")
    assert answer.status_code == 200
    assert (answer.json()["broker"], answer.json()["workers"]) == ("down", None)


@pytest.mark.usefixtures("app_role")
def test_application_role_cannot_change_the_log() -> None:
    assert health.log_can_be_changed() is False
    for statement in ("UPDATE {} SET seq = 1", "DELETE FROM {}", "TRUNCATE {} CASCADE"):
        with pytest.raises(ProgrammingError, match="permission denied"), transaction.atomic():
            health.query(statement.format(health.LOG_TABLE))


@pytest.mark.django_db
@pytest.mark.usefixtures("board")
def test_metrics_are_figures_of_the_shared_servers(client: Client) -> None:
    figures = figures_of(client)
    assert figures["durak_database_up"] == figures["durak_broker_up"] == 1
    assert figures["durak_streams_open"] == 0
    for queue in ("quick", "deep"):
        assert figures[f'durak_bot_turns_waiting{{queue="{queue}"}}'] == 0
        assert figures[f'durak_bot_turn_oldest_seconds{{queue="{queue}"}}'] == 0
    assert figures["durak_analyses_waiting"] == 0
    assert figures["durak_clock_oldest_seconds"] == figures["durak_clocks_running"] == 0
    assert figures["durak_deliveries_waiting"] == figures["durak_delivery_oldest_seconds"] == 0
    assert figures["durak_database_connections"] >= 1


@pytest.mark.django_db
@pytest.mark.usefixtures("board")
def test_workers_and_couriers_are_told_apart(client: Client) -> None:
    for key, name in ((WORKER_KEY, "a@x"), (WORKER_KEY, "b@x"), (COURIER_KEY, "courier@x")):
        sign(key.format(name))
    report = client.get("/readyz").json()
    assert (report["workers"], report["couriers"], report["beat"]) == (2, 1, "down")


@pytest.mark.django_db
def test_metrics_without_a_broker(client: Client, settings: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    figures = figures_of(client)
    assert (figures["durak_broker_up"], figures["durak_database_up"]) == (0, 1)
    assert not any(name.startswith("durak_streams_ended") for name in figures)


@pytest.mark.django_db
def test_what_processes_count_together_is_told_by_kind(client: Client, board: Board) -> None:
    board.streams_sign("here:1", 3)
    board.streams_sign("here:2", 4)
    board.add(STREAMS_ENDED, {"client_left": 5, "too_long": 1})
    board.add(DELIVERIES, {"retried": 2})
    board.add(TIMEOUTS, {"acted": 7})
    figures = figures_of(client)
    assert (figures["durak_streams_open"], figures["durak_streams_processes"]) == (7, 2)
    assert figures['durak_streams_ended_total{reason="client_left"}'] == 5
    assert figures['durak_streams_ended_total{reason="too_long"}'] == 1
    assert figures['durak_deliveries_total{outcome="retried"}'] == 2
    assert figures["durak_timeouts_total"] == 7


@pytest.mark.django_db
def test_deadlines_and_messages_that_are_late_are_told(client: Client) -> None:
    ago = timezone.now() - timedelta(seconds=25)
    ann, bob = new_players(2)
    game_id = open_table([ann, bob], turn_seconds=60)
    Game.objects.filter(pk=game_id).update(due_at=ago)
    webhook = webhook_create(player_id=ann.id, url="https://example.org/hook?key=hidden")
    WebhookDelivery.objects.create(webhook=webhook, event="turn.yours", at=ago, next_at=ago)
    report, figures = client.get("/readyz").json(), figures_of(client)
    assert 20 <= report["oldest_clock_seconds"] < 60
    assert 20 <= report["oldest_delivery_seconds"] < 60
    assert 20 <= figures["durak_clock_oldest_seconds"] < 60
    assert 20 <= figures["durak_delivery_oldest_seconds"] < 60
    assert (figures["durak_clocks_running"], figures["durak_deliveries_waiting"]) == (1, 1)
    assert figures['durak_webhooks{status="enabled"}'] == 1


@pytest.mark.django_db
def test_pages_name_no_player_no_game_and_no_address(client: Client) -> None:
    players = new_players(2)
    game_id = open_table(players, turn_seconds=60)
    webhook_create(player_id=players[0].id, url="https://example.org/hook?key=hidden")
    for page in ("/readyz", "/metrics"):
        text = client.get(page).content.decode()
        hidden = [str(game_id), "example.org", *(player.name for player in players)]
        assert not [each for each in hidden if each in text]
        assert not re.search(r"[0-9a-f]{8}-[0-9a-f]{4}", text)


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["/readyz", "/metrics"])
def test_who_asks_again_at_once_costs_nothing(client: Client, page: str) -> None:
    first = client.get(page)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(page).content == first.content
    assert len(queries) == 0


def test_service_pages_only_read(client: Client) -> None:
    for page in ("/healthz", "/readyz", "/metrics"):
        answer = client.post(page)
        assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["code"] == "request.method"
