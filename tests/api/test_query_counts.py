"""How many statements the hot paths take: one more is one more round trip for every request."""

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.services.player_register import player_register
from tests.api.conftest import Api
from tests.api.tables import Person, create, open_game, people, pick, play_some, view_of, who_acts

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def players() -> tuple[Person, ...]:
    """Ann and Bob."""
    return tuple(people(2))


@pytest.fixture
def path(players: tuple[Person, ...]) -> str:
    """A game of theirs that has gone on for a while."""
    path = open_game(*players)
    play_some(6, path, random.Random(1), *players)
    return path


def statements(call: Callable[[], Any], status: int = 200) -> list[str]:
    """The first words of what a call asks the database."""
    with CaptureQueriesContext(connection) as captured:
        answer = call()
    assert answer.status_code == status, answer.content
    return [query["sql"].split()[0] for query in captured.captured_queries]


def test_a_view(players: tuple[Person, ...], path: str) -> None:
    assert statements(lambda: players[0].get(path)) == ["SELECT"] * 2


def test_nothing_new(players: tuple[Person, ...], path: str) -> None:
    etag = players[0].get(path)["ETag"]
    same = lambda: players[0].get(path, if_none_match=etag)  # noqa: E731
    assert statements(same, 304) == ["SELECT"] * 2


def test_the_next_events(players: tuple[Person, ...], path: str) -> None:
    after = view_of(players[0], path)["version"] - 2
    read = statements(lambda: players[0].get(f"{path}/events?after={after}"))
    assert read == ["SELECT"] * 3


def test_an_earlier_view(players: tuple[Person, ...], path: str) -> None:
    assert statements(lambda: players[0].get(f"{path}?at=7")) == ["SELECT"] * 4


@pytest.mark.parametrize("games", [1, 6])
def test_the_list(players: tuple[Person, ...], games: int) -> None:
    for _ in range(games):
        create(players[0], bots=[{"brain": "greedy"}])
    assert statements(lambda: players[1].get("/games")) == ["SELECT"] * 3


@pytest.mark.parametrize("bots", [1, 6])
def test_the_bots_of_third_parties(bots: int) -> None:
    """Their profiles, and how many games each is playing."""
    for number in range(bots):
        token = player_register(name=f"rob{number}", kind="bot").token.text
        profile = {"rulesets": ["throw_in"], "seats": [2], "concurrency": 1}
        assert Api(token).call("PUT", "/players/me/bot-profile", profile).status_code == 200
    assert statements(lambda: Api().get("/bots")) == ["SELECT"] * 2
    assert statements(lambda: Api().get("/bots?kind=brain")) == []


def test_a_rematch(players: tuple[Person, ...], path: str) -> None:
    """The first call opens a game, the second starts it, a third finds it."""
    ann, bob = players
    assert ann.post(f"{path}/resign").status_code == 200
    opens, starts, finds = (
        statements(lambda who=who: who.post(f"{path}/rematch")) for who in (ann, bob, bob)
    )
    assert opens == [
        *("SELECT", "BEGIN", "SELECT", "SELECT", "INSERT", "INSERT", "WITH", "SELECT"),
        # Whose seat is kept; how many games the caller has.
        *("SELECT", "SELECT", "SELECT", "COMMIT"),
    ]
    assert starts == [
        *("SELECT", "BEGIN", "SELECT", "SELECT", "SELECT", "SELECT", "INSERT", "SELECT", "WITH"),
        *("SELECT", "SELECT", "SELECT", "COMMIT"),
    ]
    assert finds == ["SELECT", "BEGIN", "SELECT", "SELECT", "SELECT", "COMMIT"]


@pytest.mark.parametrize("games", [1, 4])
def test_a_match(players: tuple[Person, ...], path: str, games: int) -> None:
    ann, bob = players
    match = f"/matches/{view_of(ann, path)['match']['id']}"
    for _ in range(games):
        assert ann.post(f"{path}/resign").status_code == 200
        [path] = {f"/games/{who.post(f'{path}/rematch').json()['id']}" for who in (ann, bob)}
    for query in ("", "?limit=1"):
        assert statements(lambda query=query: ann.get(match + query)) == ["SELECT"] * 5


def test_a_move(players: tuple[Person, ...], path: str) -> None:
    mover, view = who_acts(players, path)
    body = pick(view, random.Random(2))
    asked = statements(lambda: mover.post(f"{path}/moves", body), 201)
    assert asked == ["SELECT", "BEGIN", "SELECT", "WITH", "COMMIT"]


def test_a_move_against_the_clock(players: tuple[Person, ...]) -> None:
    path = open_game(*players, turn_seconds=30, bank_seconds=60)
    mover, view = who_acts(players, path)
    asked = statements(lambda: mover.post(f"{path}/moves", pick(view, random.Random(2))), 201)
    assert asked == ["SELECT", "BEGIN", "SELECT", "WITH", "COMMIT"]


def test_a_move_with_a_key(players: tuple[Person, ...], path: str) -> None:
    mover, view = who_acts(players, path)
    body = pick(view, random.Random(2))

    def play() -> Any:
        return mover.post(f"{path}/moves", body, idempotency_key="k")

    asked = statements(play, 201)
    assert asked == ["SELECT", "SELECT", "BEGIN", "SELECT", "WITH", "INSERT", "COMMIT"]
    assert statements(play, 201) == ["SELECT"] * 2


def test_a_replay(players: tuple[Person, ...], path: str) -> None:
    """Head and log; the server's seed is asked for the JSON alone. To judge them takes nothing."""
    assert players[0].post(f"{path}/resign").status_code == 200
    assert statements(lambda: Api().get(f"{path}/replay")) == ["SELECT"] * 3
    as_text = {"accept": "text/plain"}
    assert statements(lambda: Api().get(f"{path}/replay", **as_text)) == ["SELECT"] * 2
    export = Api().get(f"{path}/replay").json()
    text = Api().get(f"{path}/replay", **as_text).content
    assert statements(lambda: Api().post("/replays", export)) == []
    judged = statements(lambda: Api().post("/replays", text, content_type="text/plain"))
    assert judged == []
