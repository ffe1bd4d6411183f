"""`manage.py verify_log` finds whatever was changed behind the application's back."""

import io
import random
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from pytest_django import Settings

from games.models import Game, GameEvent
from games.services.game_rematch import game_rematch, rematches_lapse
from games.services.game_seats import game_leave, game_resign, game_return
from tests.scores import new_players
from tests.tables import head_of, open_table, play_one, play_out, player_at

pytestmark = pytest.mark.django_db
REFERENCES = """
    SELECT conrelid::regclass, conname FROM pg_constraint
    WHERE confrelid = 'games_game'::regclass AND contype = 'f'
"""


@pytest.fixture
def game_id() -> UUID:
    """A game of some moves that runs."""
    found = open_table(new_players(2), client_seed="счастье")
    rng = random.Random(3)
    for _ in range(8):
        play_one(found, rng)
    return found


def verify(*arguments: str) -> str:
    """What the command prints."""
    output = io.StringIO()
    call_command("verify_log", *arguments, stdout=output, stderr=io.StringIO())
    return output.getvalue()


def fault(*arguments: str) -> str:
    """What the command prints of a fault; it must find one."""
    output = io.StringIO()
    with pytest.raises(CommandError, match=r"\b[1-9]\d* at fault"):
        call_command("verify_log", *arguments, stdout=output, stderr=io.StringIO())
    return output.getvalue()


def as_owner(statement: str, *parameters: Any) -> None:
    """Change what must not be changed, as who owns the table."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        assert cursor.rowcount > 0


def test_what_was_written_is_found_in_order(game_id: UUID) -> None:
    finished = open_table(new_players(3), ruleset="transfer.face_out")
    play_out(finished, random.Random(1))
    assert verify().endswith(" 0 at fault\n")
    assert verify("--chain-only", "--game", str(finished)).startswith("1 games, ")


def test_seats_that_change_hands_are_in_order() -> None:
    table = open_table(new_players(3))
    rng = random.Random(4)
    leaver, quitter = player_at(table, 0), player_at(table, 1)
    play_one(table, rng)
    game_leave(game_id=table, player_id=leaver)
    play_one(table, rng)
    game_return(game_id=table, player_id=leaver)
    game_resign(game_id=table, player_id=quitter)
    play_out(table, rng)
    assert "0 at fault" in verify()


def test_a_changed_fact_is_named(game_id: UUID) -> None:
    as_owner(
        "UPDATE games_gameevent SET data = data || '{\"dealer\": 9}'"
        " WHERE game_id = %s AND type = 'game_started'",
        game_id,
    )
    seq = GameEvent.objects.get(game=game_id, type="game_started").seq
    assert f"game {game_id}, event {seq}: its hash" in fault()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("DELETE FROM games_gameevent WHERE game_id = %s AND seq = 7", "event 7: missing"),
        (
            "UPDATE games_gameevent SET seq = seq + 1000 WHERE game_id = %s AND seq > 6",
            "event 7: missing",
        ),
        (
            """DELETE FROM games_gameevent e USING games_game g
            WHERE g.id = %s AND e.game_id = g.id AND e.seq = g.version""",
            "events of",
        ),
        ("UPDATE games_gameevent SET at = at + '1 us' WHERE game_id = %s AND seq = 5", "event 5"),
        (
            "UPDATE games_gameevent SET type = 'player_left' WHERE game_id = %s AND seq = 3",
            "event 3: its hash",
        ),
        ("UPDATE games_game SET head_hash = sha256('x') WHERE id = %s", "head has another"),
        ("UPDATE games_game SET version = version - 1 WHERE id = %s", "events of"),
        (
            "UPDATE games_game SET server_seed = sha256('x') WHERE id = %s",
            "seed is not the one committed",
        ),
        ("UPDATE games_game SET status = 'open' WHERE id = %s", "row has another status"),
        ("UPDATE games_game SET rated = NOT rated WHERE id = %s", "row has another rated"),
        (
            "UPDATE games_gameseat SET is_over = seat = 0 WHERE game_id = %s",
            "row has another seats_over",
        ),
        ("UPDATE games_game SET chain_secret = sha256('x') WHERE id = %s", "event 1"),
    ],
)
def test_any_other_change_is_named(game_id: UUID, statement: str, said: str) -> None:
    as_owner(statement, game_id)
    assert said in fault()
    assert said in fault("--game", str(game_id))


def test_a_snapshot_that_says_something_else_is_named(game_id: UUID) -> None:
    other = open_table(new_players(2))
    Game.objects.filter(id=game_id).update(snapshot=Game.objects.get(id=other).snapshot)
    assert f"game {game_id}, event" in fault()


def test_a_dropped_snapshot_is_no_fault(game_id: UUID) -> None:
    Game.objects.filter(id=game_id).update(snapshot=None)
    assert "0 at fault" in verify()


def test_events_of_no_game_are_named(game_id: UUID) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute(REFERENCES)
        for table, constraint in cursor.fetchall():
            cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT {constraint}")
    as_owner("DELETE FROM games_game WHERE id = %s", game_id)
    assert f"game {game_id}, event 1: events of no game" in fault()


@pytest.fixture
def rematch(settings: Settings) -> UUID:
    """The second game of a match, after a first try that lapsed; it runs."""
    players = new_players(2)
    first = open_table(players)
    play_out(first, random.Random(2))
    settings.REMATCH_SECONDS = 0
    game_rematch(game_id=first, player_id=players[0].id, kind="human")
    assert rematches_lapse() == 1
    settings.REMATCH_SECONDS = 600
    calls = [game_rematch(game_id=first, player_id=one.id, kind="human") for one in players]
    return calls[-1].head.id


def test_a_match_is_in_order(rematch: UUID) -> None:
    play_one(rematch, random.Random(5))
    assert verify().startswith("3 games, ")


def test_a_game_that_does_not_follow_from_the_one_before_it_is_named(rematch: UUID) -> None:
    otherwise = f"game {rematch}, event 1: the game before it ended otherwise"
    Game.objects.filter(game_number=1).update(match_id=uuid4())
    assert f"game {rematch}, event 1: the game before it is missing" in fault()
    impostor = open_table(new_players(2))
    previous = head_of(rematch).game.previous
    assert previous is not None
    game_resign(game_id=impostor, player_id=player_at(impostor, 1 - (previous.durak or 0)))
    match_id = Game.objects.get(id=rematch).match_id
    Game.objects.filter(id=impostor).update(match_id=match_id)
    assert otherwise in fault("--game", str(rematch))
    as_owner("UPDATE games_gameevent SET type = 'x' WHERE game_id = %s AND seq = 2", impostor)
    assert "the game before it cannot be read" in fault("--game", str(rematch))


def test_a_game_that_never_was_is_named() -> None:
    assert "there is no such game" in fault("--game", "01890000-0000-7000-8000-000000000000")
    assert "there is no such game" in fault("--game", str(UUID(int=0)))
