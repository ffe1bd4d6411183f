"""The sweeper."""

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

import pytest
import redis
from celery import current_app
from django.conf import settings as django_settings
from django.db import connection
from django.utils import timezone

from bots import tasks
from bots.models import Incident
from bots.tasks import forget_missed_sweeps, play_turn, sweep_due_turns
from games.models import DueTurn, Game, GameEvent

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def overdue(unsent: None, bots_game: Callable[..., UUID]) -> Game:
    """A game whose first turn was lost."""
    game = Game.objects.get(id=bots_game("greedy", "greedy"))
    DueTurn.objects.update(due_at=timezone.now() - timedelta(seconds=5))
    return game


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, str, str]]:
    """What the sweeper sends goes into this list and the broker is left out."""
    messages: list[tuple[str, int, str, str]] = []

    def take(*, game_id: UUID, version: int, brain: str, lease: datetime) -> bool:
        messages.append((str(game_id), version, brain, lease.isoformat()))
        return True

    monkeypatch.setattr(tasks, "turn_send", take)
    return messages


def test_a_lost_turn_is_sent_again_and_played(
    overdue: Game, sent: list[tuple[str, int, str, str]]
) -> None:
    sweep_due_turns()
    sweep_due_turns()
    ((game_id, version, brain, lease),) = sent
    assert (game_id, version, brain) == (str(overdue.id), overdue.version, "greedy")
    play_turn(game_id, version, lease)
    overdue.refresh_from_db()
    assert overdue.version > version
    assert Incident.objects.get().kind == Incident.Kind.SWEPT


def test_a_turn_tried_often_is_made_on_the_spot(
    overdue: Game, sent: list[tuple[str, int, str, str]]
) -> None:
    DueTurn.objects.update(attempts=2)
    version = overdue.version
    sweep_due_turns()
    overdue.refresh_from_db()
    assert sent == []
    assert overdue.version > version
    assert {row.kind for row in Incident.objects.all()} == {"swept", "lost"}


def test_without_a_broker_the_sweeper_plays_itself(overdue: Game) -> None:
    version = overdue.version
    sweep_due_turns()
    overdue.refresh_from_db()
    assert overdue.version > version
    assert {row.kind for row in Incident.objects.all()} == {"swept"}


def test_a_game_that_cannot_be_read_keeps_no_other_waiting(
    overdue: Game, bots_game: Callable[..., UUID]
) -> None:
    strange = bots_game("greedy", "greedy")
    Game.objects.filter(id=strange).update(snapshot=None)
    GameEvent.objects.filter(game=strange, seq=2).update(type="of_tomorrow")
    DueTurn.objects.filter(game=strange).update(due_at=timezone.now() - timedelta(seconds=9))
    version = overdue.version
    sweep_due_turns()
    overdue.refresh_from_db()
    assert overdue.version > version


def test_a_lost_connection_to_the_database_costs_one_sweep(overdue: Game) -> None:
    connection.connection.close()
    assert sweep_due_turns.apply().failed()
    version = overdue.version
    assert sweep_due_turns.apply().successful()
    overdue.refresh_from_db()
    assert overdue.version > version


def test_a_worker_that_starts_forgets_the_sweeps_that_it_missed() -> None:
    queue = django_settings.BOT_SWEEP_QUEUE
    with redis.Redis.from_url(django_settings.REDIS_URL) as client:
        for _ in range(3):
            current_app.send_task("bots.tasks.sweep_due_turns", queue=queue, expires=60)
        assert client.llen(queue) == 3
        forget_missed_sweeps()
        assert client.llen(queue) == 0


def test_beat_sweeps_every_second_and_missed_sweeps_expire() -> None:
    plan = django_settings.CELERY_BEAT_SCHEDULE["sweep-due-turns"]
    assert plan["task"] == sweep_due_turns.name
    assert plan["schedule"] == 1.0
    assert plan["options"] == {"queue": "sweep", "expires": 2}
