"""Leases: one worker at a turn, and no turn without one for long."""

from collections.abc import Callable
from datetime import datetime, timedelta
from uuid import UUID

import psycopg
import pytest
from django.db import connection, transaction
from django.utils import timezone

from bots.leases import overdue_lease, turn_claim
from games.models import DueTurn, Game

pytestmark = [pytest.mark.usefixtures("unsent"), pytest.mark.django_db(transaction=True)]


@pytest.fixture
def game(bots_game: Callable[..., UUID]) -> Game:
    """A game whose first turn is due."""
    return Game.objects.get(id=bots_game("greedy", "greedy"))


def made_due(seconds_ago: float, lease_until: datetime | None = None) -> None:
    due_at = timezone.now() - timedelta(seconds=seconds_ago)
    DueTurn.objects.update(due_at=due_at, lease_until=lease_until)


def test_two_cannot_have_one_turn(game: Game) -> None:
    first = turn_claim(game_id=game.id, version=game.version, lease=None)
    assert first is not None
    assert (first.attempts, first.bot_secret) == (1, bytes(game.bot_secret))
    assert turn_claim(game_id=game.id, version=game.version, lease=None) is None


def test_a_lease_that_has_run_out_is_free_again(game: Game) -> None:
    turn_claim(game_id=game.id, version=game.version, lease=None)
    made_due(5, lease_until=timezone.now() - timedelta(milliseconds=1))
    again = turn_claim(game_id=game.id, version=game.version, lease=None)
    assert again is not None
    assert again.attempts == 2


def test_a_turn_of_another_version_is_nobodys(game: Game) -> None:
    assert turn_claim(game_id=game.id, version=game.version - 1, lease=None) is None
    assert turn_claim(game_id=game.id, version=game.version + 1, lease=None) is None


def test_a_fresh_turn_is_left_to_the_message_that_was_sent(game: Game) -> None:
    made_due(0)
    assert overdue_lease() == []


def test_an_overdue_turn_is_found_once_and_only_its_message_may_play_it(game: Game) -> None:
    made_due(5)
    (found,) = overdue_lease()
    expected = (game.id, game.version, "greedy", 0)
    assert (found.game_id, found.version, found.brain, found.attempts) == expected
    assert overdue_lease() == []
    assert turn_claim(game_id=game.id, version=game.version, lease=None) is None
    assert turn_claim(game_id=game.id, version=game.version, lease=found.lease) is not None
    assert turn_claim(game_id=game.id, version=game.version, lease=found.lease) is None


def test_a_turn_that_somebody_is_busy_with_is_not_overdue(game: Game) -> None:
    made_due(5, lease_until=timezone.now() + timedelta(seconds=2))
    assert overdue_lease() == []


def test_rows_that_another_sweeper_holds_are_passed_over(game: Game) -> None:
    made_due(5)
    with psycopg.connect(connection.connection.info.dsn) as other:
        other.execute("SELECT * FROM due_turn FOR UPDATE")
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("SET LOCAL lock_timeout = '200ms'")
            assert overdue_lease() == []
    assert len(overdue_lease()) == 1
