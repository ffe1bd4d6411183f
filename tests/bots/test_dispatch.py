"""Sending turns: a broker that is away or asleep never holds a move up."""

import base64
import contextlib
import socket
import time
from collections.abc import Callable, Iterator
from uuid import UUID

import msgspec
import pytest
import redis
from celery import current_app
from django.conf import settings as django_settings
from django.utils import timezone

from bots import dispatch
from bots.brains.greedy import Greedy
from bots.brains.registry import Pace
from bots.dispatch import turn_send
from bots.models import Incident
from games.models import DueTurn, Game

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 1.0


@pytest.fixture(autouse=True)
def fresh_broker(monkeypatch: pytest.MonkeyPatch) -> Iterator[redis.Redis]:
    """An empty queue, and no memory of earlier failures."""
    monkeypatch.setattr(dispatch._Broker, "silent_until", 0.0)
    with redis.Redis.from_url(django_settings.REDIS_URL) as client:
        client.delete(*django_settings.BOT_QUEUES.values())
        yield client
        client.delete(*django_settings.BOT_QUEUES.values())


@pytest.fixture
def broker_at() -> Iterator[Callable[[str], None]]:
    """Let the application believe that its broker is elsewhere."""
    before = current_app.conf.broker_write_url

    def move(url: str) -> None:
        current_app.conf.broker_write_url = url

    yield move
    current_app.conf.broker_write_url = before


@pytest.fixture
def silent_server() -> Iterator[str]:
    """The URL of a server that accepts connections and then says nothing."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        yield f"redis://127.0.0.1:{server.getsockname()[1]}/0"


@contextlib.contextmanager
def within(seconds: float) -> Iterator[None]:
    began = time.monotonic()
    yield
    assert time.monotonic() - began < seconds


def waiting(client: redis.Redis, pace: Pace = "quick") -> list[list[object]]:
    """The arguments of the tasks that wait in a queue, oldest first."""
    queue = django_settings.BOT_QUEUES[pace]
    messages = [msgspec.json.decode(raw) for raw in client.lrange(queue, 0, -1)[::-1]]
    bodies = [base64.b64decode(message["body"]) for message in messages]
    return [msgspec.json.decode(body)[0] for body in bodies]


def test_a_due_turn_is_sent_after_the_commit(
    bots_game: Callable[..., UUID], fresh_broker: redis.Redis
) -> None:
    game = Game.objects.get(id=bots_game("greedy", "greedy"))
    assert waiting(fresh_broker) == [[str(game.id), game.version, None]]


@pytest.mark.parametrize("pace", ["quick", "deep"])
def test_a_turn_goes_to_the_workers_of_its_brains_kind(
    bots_game: Callable[..., UUID],
    temporary_brain: Callable[..., None],
    fresh_broker: redis.Redis,
    pace: Pace,
) -> None:
    temporary_brain("pondering", Greedy, pace=pace)
    game = Game.objects.get(id=bots_game("pondering", "pondering"))
    sent = {each: waiting(fresh_broker, each) for each in ("quick", "deep")}
    due = [str(game.id), game.version, None]
    assert sent == {"quick": [], "deep": []} | {pace: [due]}


def test_a_brain_that_this_release_lacks_waits_for_no_search(fresh_broker: redis.Redis) -> None:
    assert turn_send(game_id=UUID(int=5), version=9, brain="unheard_of")
    assert waiting(fresh_broker) == [[str(UUID(int=5)), 9, None]]


def test_the_sweepers_mark_travels_with_the_message(fresh_broker: redis.Redis) -> None:
    lease = timezone.now()
    assert turn_send(game_id=UUID(int=5), version=9, brain="greedy", lease=lease)
    assert waiting(fresh_broker) == [[str(UUID(int=5)), 9, lease.isoformat()]]


@pytest.mark.parametrize("url", ["redis://127.0.0.1:1/0", "redis+socket:///nowhere/valkey.sock"])
def test_a_broker_that_is_away_costs_a_game_nothing(
    bots_game: Callable[..., UUID], broker_at: Callable[[str], None], url: str
) -> None:
    broker_at(url)
    with within(PATIENCE):
        game_id = bots_game("greedy", "greedy")
    assert DueTurn.objects.get().game_id == game_id
    assert Incident.objects.get().kind == Incident.Kind.BROKER


def test_a_broker_that_sleeps_is_not_waited_for(
    broker_at: Callable[[str], None], silent_server: str
) -> None:
    broker_at(silent_server)
    with within(PATIENCE):
        assert not turn_send(game_id=UUID(int=1), version=1, brain="greedy")


def test_after_a_failure_the_broker_is_left_alone_for_a_while(
    broker_at: Callable[[str], None], silent_server: str
) -> None:
    broker_at(silent_server)
    turn_send(game_id=UUID(int=1), version=1, brain="greedy")
    with within(0.05):
        assert not any(turn_send(game_id=UUID(int=1), version=2, brain="greedy") for _ in range(20))
    assert Incident.objects.get().count == 1


def test_a_broker_that_is_back_is_used_again(
    broker_at: Callable[[str], None], fresh_broker: redis.Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = current_app.conf.broker_write_url
    broker_at("redis://127.0.0.1:1/0")
    turn_send(game_id=UUID(int=1), version=1, brain="greedy")
    broker_at(home)
    monkeypatch.setattr(dispatch._Broker, "silent_until", time.monotonic() - 1)
    assert turn_send(game_id=UUID(int=1), version=2, brain="greedy")
    assert [arguments[1] for arguments in waiting(fresh_broker)] == [2]
