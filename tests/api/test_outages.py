"""The database fails a request, and the next one is served."""

import pytest
from django.db import connection

from games.models import Game, GameEvent, Player
from games.services.player_register import player_register
from tests.api.conftest import Api, refusal
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_lost_connection_is_503_once() -> None:
    client = Api(player_register(name="ann").token.text)

    def cut() -> tuple[int, int]:
        assert client.get("/players/me").status_code == 200
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            cut_off(cursor.fetchone()[0])
        answer = client.get("/players/me")
        refusal(answer, 503, "server.unavailable")
        assert int(answer["Retry-After"]) > 0
        connection.close_if_unusable_or_obsolete()
        return answer.status_code, client.get("/players/me").status_code

    assert at_once([cut]) == [(503, 200)]


def cut_off(process: int) -> None:
    """Terminate a PostgreSQL process from another connection."""
    other = connection.copy()
    with other.cursor() as cursor:
        cursor.execute("SELECT pg_terminate_backend(%s)", [process])
    other.close()


def test_a_row_that_stays_locked_is_503() -> None:
    client = Api(player_register(name="ann").token.text)
    other = connection.copy()
    other.set_autocommit(False)
    with other.cursor() as cursor:
        cursor.execute("SELECT id FROM games_player WHERE name_key = 'ann' FOR UPDATE")
    [answer] = at_once([lambda: client.call("PATCH", "/players/me", {"name": "anna"})])
    other.rollback()
    other.close()
    refusal(answer, 503, "server.unavailable")
    assert Player.objects.filter(name="ann").exists()


def test_a_log_of_a_newer_release_is_503() -> None:
    """While processes are exchanged some games are ahead of the older ones."""
    client = Api(player_register(name="ann").token.text)
    path = "/games/" + client.post("/games", {"ruleset": "throw_in", "seats": 2}).json()["id"]
    GameEvent.objects.filter(seq=2).update(schema_version=99)
    Game.objects.update(snapshot=None)
    for query in ("", "/events", "?at=2"):
        refusal(client.get(path + query), 503, "server.unavailable")
    refusal(client.post(f"{path}/leave"), 503, "server.unavailable")
