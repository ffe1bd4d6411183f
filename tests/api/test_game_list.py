"""GET /games."""

import pytest

from tests.api.conftest import Api, bad_fields, refusal
from tests.api.tables import (
    Person,
    create,
    open_game,
    people,
)

pytestmark = pytest.mark.django_db


def ids(client: Api, query: str = "") -> list[str]:
    """The games of a page."""
    return [item["id"] for item in client.get(f"/games{query}").json()["items"]]


def test_newest_first_in_pages(anybody: Api) -> None:
    ann = Person("ann")
    made = [create(ann)["id"] for _ in range(5)]
    pages, query = [], "?limit=2"
    while query:
        answer = anybody.get(f"/games{query}")
        page = answer.json()
        pages.append([item["id"] for item in page["items"]])
        link = answer.headers.get("Link", "")
        assert bool(page["next"]) == bool(link)
        query = link.partition("?")[2].partition(">")[0]
        query = f"?{query}" if query else ""
        assert not link or link.endswith('; rel="next"')
    assert [len(page) for page in pages] == [2, 2, 1]
    assert [key for page in pages for key in page] == made[::-1]


def test_a_game_opened_meanwhile_does_not_move_the_pages(anybody: Api) -> None:
    ann = Person("ann")
    made = [create(ann)["id"] for _ in range(4)]
    first = anybody.get("/games?limit=2").json()
    create(ann)
    assert ids(anybody, f"?limit=2&cursor={first['next']}") == made[1::-1]


def test_what_an_item_says(anybody: Api) -> None:
    ann = Person("ann")
    view = create(ann, seats=3, bots=[{"brain": "greedy"}], options={"hand_size": 5})
    [item] = anybody.get("/games").json()["items"]
    assert (item["id"], item["version"], item["status"]) == (view["id"], 3, "open")
    assert (item["seats"], item["free_seats"]) == (3, 1)
    assert item["players"] == [
        {"seat": 0, "player": "ann", "kind": "human"},
        {"seat": 2, "player": "greedy", "kind": "bot"},
    ]
    assert (item["options"], item["finished_at"]) == ({"hand_size": 5}, None)
    assert "invite" not in item


def test_filters(anybody: Api) -> None:
    ann, bob, cat = people(3)
    running, opened = open_game(ann, bob)[7:], open_game(bob, seats=3, ruleset="simple")[7:]
    finished = open_game(ann, cat)[7:]
    assert cat.post(f"/games/{finished}/resign").status_code == 200
    assert ids(anybody, "?status=running") == [running]
    assert ids(anybody, "?status=open") == [opened]
    assert ids(anybody, "?status=finished") == [finished]
    assert ids(anybody, "?ruleset=simple") == [opened]
    assert ids(anybody, "?ruleset=Простой") == ids(anybody, "?ruleset=simple")
    assert ids(anybody, "?ruleset=poker") == []
    assert ids(anybody, "?player=BOB") == [opened, running]
    assert ids(cat, "?player=me") == [finished]
    assert ids(anybody, "?player=ann&status=finished") == [finished]


def test_private_games_are_listed_to_their_table_alone(anybody: Api) -> None:
    ann, bob, cat = people(3)
    path = open_game(ann, bob, visibility="private")
    for query in ("", "?player=ann", "?status=running"):
        assert ids(anybody, query) == ids(cat, query) == []
        assert ids(ann, query) == ids(bob, query) == [path[7:]]


def test_bad_questions(anybody: Api) -> None:
    for query in ("status=lost", "limit=0", "limit=x", "cursor=!", "cursor=IjEi"):
        assert set(bad_fields(anybody.get(f"/games?{query}"))) == {query.partition("=")[0]}
    refusal(anybody.get("/games?player=nobody"), 404, "player.not_found")
    refusal(anybody.get("/games?player=me"), 401, "auth.missing")
