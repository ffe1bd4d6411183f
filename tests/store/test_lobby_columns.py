"""Games of earlier releases get the lobby's columns from their logs."""

import random
from importlib import import_module

import pytest
from django.db import connection

from games.models import Game, GameSeat
from games.services.game_seats import game_leave, game_resign
from tests.scores import new_players
from tests.store.test_audit import fault, verify
from tests.tables import open_table, play_one

pytestmark = pytest.mark.django_db


def test_the_columns_of_old_games_are_what_their_logs_say() -> None:
    ann, bob = new_players(2)
    opened = open_table([ann, bob], seats=4, turn_seconds=60)
    game_leave(game_id=opened, player_id=bob.id)
    running, finished = open_table([ann, bob]), open_table([ann, bob], turn_seconds=86_400)
    play_one(running, random.Random(1))
    game_resign(game_id=finished, player_id=ann.id)
    before = list(Game.objects.order_by("id").values_list())
    seats = list(GameSeat.objects.order_by("id").values_list())
    Game.objects.update(turn_seconds=None, free_seats=0, waiting_since=None)
    GameSeat.objects.update(is_over=False)
    assert "row has another" in fault()
    migration = import_module("games.migrations.0007_lobby")
    with connection.cursor() as cursor:
        for statement in (migration.OPEN_GAMES, migration.CLOCKS, migration.SEATS):
            cursor.execute(statement)
    assert list(Game.objects.order_by("id").values_list()) == before
    assert list(GameSeat.objects.order_by("id").values_list()) == seats
    assert verify().startswith("3 games, ")
