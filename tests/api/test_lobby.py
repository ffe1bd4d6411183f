"""GET /games?status=open with the filters of a lobby; GET /players/me/games."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from games.models import Game
from tests.api.conftest import Api, bad_fields, refusal
from tests.api.tables import Person, create, limit_scopes, open_game, people, view_of, who_acts

pytestmark = pytest.mark.django_db
MINE = "/players/me/games"


def ids(client: Api, query: str = "", path: str = "/games") -> list[str]:
    """The games of a page."""
    answer = client.get(f"{path}?{query}")
    assert answer.status_code == 200, answer.content
    return [item["id"] for item in answer.json()["items"]]


def opened(client: Api, query: str) -> list[str]:
    """The open games of a page."""
    return ids(client, f"status=open&{query}")


class TestFilters:
    """Each of them alone, and together."""

    def test_free_seats(self, anybody: Api) -> None:
        ann, bob = people(2)
        one = create(ann)["id"]
        three = create(ann, seats=4)["id"]
        full = open_game(ann, bob, auto_start=False)[7:]
        assert opened(anybody, "") == [full, three, one]
        assert opened(anybody, "seats_free=1") == [three, one]
        assert opened(anybody, "seats_free=2") == opened(anybody, "seats_free=3") == [three]
        assert bob.post(f"/games/{three}/join").status_code == 200
        assert opened(anybody, "seats_free=3") == []
        assert bob.post(f"/games/{three}/leave").status_code == 200
        assert opened(anybody, "seats_free=3") == [three]
        assert ann.post(f"/games/{three}/bots", {"brain": "greedy"}).status_code == 200
        assert opened(anybody, "seats_free=2") == [three]
        [item] = anybody.get("/games?status=open&seats_free=2").json()["items"]
        assert item["free_seats"] == 2

    def test_seats_and_rated(self, anybody: Api) -> None:
        ann = Person("ann")
        two, four = create(ann)["id"], create(ann, seats=4, rated=True)["id"]
        assert opened(anybody, "seats=2") == opened(anybody, "rated=false") == [two]
        assert opened(anybody, "seats=4") == opened(anybody, "rated=true") == [four]
        assert opened(anybody, "seats=3") == opened(anybody, "seats=4&rated=false") == []

    def test_speed_goes_by_the_clock(self, anybody: Api, settings: Settings) -> None:
        ann = Person("ann")
        clocks = (None, 5, 3_599, 3_600, 86_400)
        none, *timed = (create(ann, turn_seconds=seconds)["id"] for seconds in clocks)
        assert opened(anybody, "speed=none") == [none]
        assert opened(anybody, "speed=live") == timed[1::-1]
        assert opened(anybody, "speed=correspondence") == timed[:1:-1]
        shown = {item["id"]: item for item in anybody.get("/games?status=open").json()["items"]}
        told = [(shown[key]["turn_seconds"], shown[key]["speed"]) for key in (none, *timed)]
        speeds = ["none", "live", "live", "correspondence", "correspondence"]
        assert told == list(zip(clocks, speeds, strict=True))
        settings.CORRESPONDENCE_TURN_SECONDS = 5
        assert opened(anybody, "speed=live") == []

    def test_bots_of_the_house_and_of_others(self, anybody: Api) -> None:
        ann = Person("ann")
        people_only = create(ann, seats=3)["id"]
        with_bot = create(ann, seats=3, bots=[{"brain": "greedy"}])["id"]
        program = Api(
            anybody.post("/players", {"name": "deep-durak", "kind": "bot"}).json()["token"]
        )
        programs = create(program, seats=3)["id"]
        assert opened(anybody, "bots=true") == [programs, with_bot]
        assert opened(anybody, "bots=false") == [people_only]

    def test_together_and_in_pages(self, anybody: Api) -> None:
        ann = Person("ann")
        wanted = [create(ann, seats=3, ruleset="simple", turn_seconds=30)["id"] for _ in range(3)]
        create(ann, seats=3, ruleset="simple", turn_seconds=30, bots=[{"brain": "greedy"}])
        create(ann, seats=3, ruleset="transfer", turn_seconds=30)
        query = "ruleset=simple&seats=3&seats_free=2&speed=live&bots=false&rated=false"
        first = anybody.get(f"/games?status=open&limit=2&{query}")
        assert [item["id"] for item in first.json()["items"]] == wanted[:0:-1]
        following = first.headers["Link"].partition("?")[2].partition(">")[0]
        assert ids(anybody, following) == wanted[:1]

    def test_seats_that_are_kept_are_offered_to_nobody_else(self, anybody: Api) -> None:
        ann, bob = people(2)
        path = open_game(ann, bob)
        assert bob.post(f"{path}/resign").status_code == 200
        key = ann.post(f"{path}/rematch").json()["id"]
        assert opened(anybody, "seats_free=1") == []
        assert opened(bob, "seats_free=1") == [key]


def test_bad_questions(anybody: Api) -> None:
    bad = (
        *("seats_free=0", "seats_free=x", "seats=0", "rated=maybe", "speed=bullet", "bots=some"),
        *("page=2", "Status=open", "seat_free=1"),
    )
    for query in bad:
        answer = anybody.get(f"/games?status=open&{query}")
        assert set(bad_fields(answer)) == {query.partition("=")[0]}
    for query in ("seats_free=1", "seats=2", "rated=true", "speed=live", "bots=true"):
        field = query.partition("=")[0]
        for status in ("", "&status=running", "&status=finished"):
            reasons = bad_fields(anybody.get(f"/games?{query}{status}"))
            assert reasons == {field: "goes with status=open"}
    two = anybody.get("/games?speed=live&bots=true&foo=1")
    assert set(bad_fields(two)) == {"foo"}


def test_when_a_table_is_called_off(anybody: Api) -> None:
    ann, bob = people(2)
    quick, slow = create(ann), create(ann, turn_seconds=86_400)
    items = {item["id"]: item for item in anybody.get("/games?status=open").json()["items"]}
    for view, hours in ((quick, 1), (slow, 7 * 24)):
        expires = datetime.fromisoformat(items[view["id"]]["expires_at"])
        opened_at = datetime.fromisoformat(view["created_at"])
        assert expires - opened_at == timedelta(hours=hours)
    path = open_game(ann, bob)
    [running] = anybody.get("/games?status=running").json()["items"]
    assert running["expires_at"] is None
    assert bob.post(f"{path}/resign").status_code == 200
    kept = ann.post(f"{path}/rematch").json()
    item = next(one for one in bob.get("/games").json()["items"] if one["id"] == kept["id"])
    assert item["expires_at"] == kept["reserved_until"]


@pytest.mark.parametrize("games", [1, 7])
@pytest.mark.parametrize("who", ["ann", None])
def test_two_statements_however_many_games(games: int, who: str | None) -> None:
    ann = Person("ann")
    for _ in range(games):
        create(ann, seats=3, turn_seconds=30, bots=[{"brain": "greedy"}])
    query = "status=open&seats_free=1&seats=3&rated=false&speed=live&bots=true&ruleset=throw_in"
    client = ann if who else Api()
    with CaptureQueriesContext(connection) as asked:
        assert len(ids(client, query)) == games
    assert len(asked) == 2 + (who is not None)


def test_the_lobby_does_not_read_what_is_over() -> None:
    """Among thousands of finished games the open ones are found by an index."""
    ann = Person("ann")
    create(ann, seats=3)
    row = Game.objects.get()
    rows = [
        Game(
            creator_id=row.creator_id,
            ruleset="throw_in",
            visibility="public",
            rated=False,
            match_id=row.match_id,
            seats=3,
            status="finished",
            created_at=row.created_at,
            head_hash=b"",
            server_seed=b"",
            chain_secret=b"",
            bot_secret=b"",
        )
        for _ in range(3000)
    ]
    Game.objects.bulk_create(rows, batch_size=500)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE games_game")
    with CaptureQueriesContext(connection) as asked:
        assert len(opened(Api(), "seats_free=1&speed=none&bots=false")) == 1
    plan = explained(asked[0]["sql"])
    assert "Seq Scan on games_game " not in plan
    assert "game_status" in plan or "game_lobby" in plan


def explained(statement: str) -> str:
    """How the database goes about it."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {statement}")
        return "\n".join(line for (line,) in cursor.fetchall())


class TestOwnGames:
    """GET /players/me/games."""

    def test_those_in_which_one_sits_newest_first(self, anybody: Api) -> None:
        ann, bob = people(2)
        running = open_game(bob, ann)[7:]
        private = create(ann, visibility="private", seats=3)["id"]
        ended = open_game(ann, bob)[7:]
        assert bob.post(f"/games/{ended}/resign").status_code == 200
        create(bob)
        create(ann, bots=[{"brain": "greedy"}, {"brain": "random"}])
        left = create(ann, seats=3)["id"]
        assert ann.post(f"/games/{left}/leave").status_code == 200
        assert ids(ann, "", MINE) == [ended, private, running]
        assert ids(ann, "status=finished", MINE) == [ended]
        assert ids(ann, "status=open", MINE) == [private]
        assert ids(ann, "status=running", MINE) == [running]
        page = ann.get(f"{MINE}?limit=2").json()
        assert [item["id"] for item in page["items"]] == [ended, private]
        assert ids(ann, f"limit=2&cursor={page['next']}", MINE) == [running]
        seats = {item["id"]: item["seat"] for item in ann.get(MINE).json()["items"]}
        assert seats == {ended: 0, private: 0, running: 1}

    def test_whose_turn_it_is(self) -> None:
        ann, bob = people(2)
        games = {open_game(ann, bob, turn_seconds=60)[7:] for _ in range(4)}
        create(ann)
        acts = {key for key in games if who_acts((ann, bob), f"/games/{key}")[0] is ann}
        assert set(ids(ann, "my_turn=true", MINE)) == acts
        assert set(ids(bob, "my_turn=true", MINE)) == games - acts
        assert len(ids(ann, "my_turn=false", MINE)) == 5 - len(acts)
        assert set(ids(bob, "my_turn=false&status=running", MINE)) == acts
        assert ids(ann, "my_turn=true&status=open", MINE) == []
        for item in ann.get(f"{MINE}?status=running").json()["items"]:
            view = view_of(ann, f"/games/{item['id']}")
            assert item["my_turn"] == (item["id"] in acts) == (view["to_act"] == [0])
            assert (item["deadline"], item["version"]) == (view["deadline"], view["version"])

    def test_a_turn_that_a_bot_makes_is_nobodys(self) -> None:
        ann, bob = people(2)
        path = open_game(ann, bob)
        mover, _ = who_acts((ann, bob), path)
        assert ids(mover, "my_turn=true", MINE) == [path[7:]]
        assert mover.post(f"{path}/leave").status_code == 200
        assert ids(mover, "my_turn=true", MINE) == []
        assert mover.post(f"{path}/return").status_code == 200
        assert ids(mover, "my_turn=true", MINE) == [path[7:]]

    def test_turns_are_found_in_pages(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("games.selectors.own_game_list.BATCH", 2)
        ann, bob = people(2)
        games = [open_game(ann, bob)[7:] for _ in range(6)]
        acts = [key for key in games[::-1] if who_acts((ann, bob), f"/games/{key}")[0] is ann]
        found, query = [], "my_turn=true&limit=1"
        while query:
            page = ann.get(f"{MINE}?{query}").json()
            found += [item["id"] for item in page["items"]]
            query = page["next"] and f"my_turn=true&limit=1&cursor={page['next']}"
        assert found == acts

    @pytest.mark.parametrize("games", [1, 5])
    def test_three_statements_however_many_games(self, games: int) -> None:
        ann, bob = people(2)
        for _ in range(games):
            open_game(ann, bob)
        for query in ("", "status=running", "my_turn=true"):
            with CaptureQueriesContext(connection) as asked:
                ids(ann, query, MINE)
            assert len(asked) == 4, query

    def test_refusals(self, anybody: Api) -> None:
        ann = Person("ann")
        refusal(anybody.get(MINE), 401, "auth.missing")
        for query in ("status=lost", "my_turn=maybe", "cursor=!", "player=ann"):
            assert set(bad_fields(ann.get(f"{MINE}?{query}"))) == {query.partition("=")[0]}
        limit_scopes("games:play")
        refusal(ann.get(MINE), 403, "auth.scope")


def test_limits_say_how_many(anybody: Api, settings: Settings) -> None:
    settings.OPEN_GAMES_PER_PLAYER = 1
    limits = anybody.get("/limits").json()
    assert (limits["max_open_games"], limits["max_unfinished_games"]) == (1, 3000)
    assert (limits["open_game_seconds"], limits["quick_match_seconds"]) == (3600, 30)
    ann, bob = people(2)
    create(ann)
    problem = refusal(ann.post("/games", {"ruleset": "simple", "seats": 2}), 409, "game.too_many")
    assert (problem["counted"], problem["limit"]) == ("open", 1)
    path = f"/games/{create(bob, seats=3)['id']}"
    refusal(ann.post(f"{path}/join"), 409, "game.too_many")
    assert view_of(anybody, path)["version"] == 2


def test_a_refused_table_leaves_its_key_free(settings: Settings) -> None:
    settings.OPEN_GAMES_PER_PLAYER = 0
    ann = Person("ann")
    body: dict[str, Any] = {"ruleset": "simple", "seats": 2}
    refusal(ann.post("/games", body, idempotency_key="k"), 409, "game.too_many")
    settings.OPEN_GAMES_PER_PLAYER = 1
    assert ann.post("/games", body, idempotency_key="k").status_code == 201
