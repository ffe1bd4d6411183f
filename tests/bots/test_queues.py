"""Turns that wait, by the kind of brain that owes them."""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

import pytest
from django.test import Client
from django.utils import timezone

from bots.brains.greedy import Greedy
from bots.brains.registry import forget
from bots.queues import Waiting, queue_of, turns_waiting
from games.models import DueTurn

pytestmark = [pytest.mark.usefixtures("unsent"), pytest.mark.django_db(transaction=True)]
Open = Callable[..., UUID]


@pytest.fixture
def waiting_games(bots_game: Open, temporary_brain: Callable[..., None]) -> None:
    """Two turns of a quick brain and one of a deep one, due for 20, 10 and 30 seconds."""
    temporary_brain("pondering", Greedy, pace="deep")
    for brain, seconds in (("greedy", 20), ("greedy", 10), ("pondering", 30)):
        due_at = timezone.now() - timedelta(seconds=seconds)
        DueTurn.objects.filter(game=bots_game(brain, brain)).update(due_at=due_at)


def test_nothing_waits_where_nothing_is_due() -> None:
    assert turns_waiting() == {"quick": Waiting(0, 0.0), "deep": Waiting(0, 0.0)}


def test_turns_and_the_age_of_the_oldest_are_told_by_pace(waiting_games: None) -> None:
    waiting = turns_waiting()
    assert {pace: one.turns for pace, one in waiting.items()} == {"quick": 2, "deep": 1}
    assert waiting["quick"].oldest == pytest.approx(20, abs=5)
    assert waiting["deep"].oldest == pytest.approx(30, abs=5)


def test_the_pages_of_the_service_show_them(waiting_games: None, client: Client) -> None:
    report = client.get("/readyz").json()
    assert report["bot_turns"]["quick"]["waiting"] == 2
    assert report["bot_turns"]["deep"]["oldest_seconds"] == report["oldest_bot_turn_seconds"] >= 30
    lines = client.get("/metrics").content.decode().splitlines()
    assert 'durak_bot_turns_waiting{queue="quick"} 2.0' in lines
    assert 'durak_bot_turns_waiting{queue="deep"} 1.0' in lines


def test_a_brain_that_is_gone_counts_as_quick(waiting_games: None) -> None:
    forget("pondering")
    assert turns_waiting()["quick"].turns == 3
    assert queue_of("pondering") == queue_of("greedy")


def test_a_turn_names_the_brain_that_owes_it(bots_game: Open) -> None:
    game_id = bots_game("random", "random")
    assert DueTurn.objects.get(game=game_id).brain == "random"
