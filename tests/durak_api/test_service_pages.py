"""Pages for those who run the server."""

import pytest
from django.db import ProgrammingError, connection, transaction
from django.test import Client

from durak_api import health


def test_healthz_looks_at_nothing(client: Client) -> None:
    assert client.get("/healthz").json() == {"status": "ok"}


@pytest.mark.django_db
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
        "beat": "down",
        "oldest_bot_turn_seconds": 0.0,
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
def test_metrics_are_figures_of_the_shared_servers(client: Client) -> None:
    lines = client.get("/metrics").content.decode().splitlines()
    figures = dict(line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    assert figures["durak_database_up"] == figures["durak_broker_up"] == "1.0"
    for queue in ("quick", "deep"):
        assert figures[f'durak_bot_turns_waiting{{queue="{queue}"}}'] == "0.0"
        assert figures[f'durak_bot_turn_oldest_seconds{{queue="{queue}"}}'] == "0.0"
    assert float(figures["durak_database_connections"]) >= 1


def test_service_pages_only_read(client: Client) -> None:
    for page in ("/healthz", "/readyz", "/metrics"):
        answer = client.post(page)
        assert (answer.status_code, answer["Allow"]) == (405, "GET, HEAD")
        assert answer["Content-Type"] == "application/problem+json"
        assert answer.json()["code"] == "request.method"
