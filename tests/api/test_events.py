"""GET /games/{id}/events."""

import random
from typing import Any

import pytest

from games.api.game_events import LARGEST_EVENTS_PAGE
from tests.api.conftest import Api, bad_fields
from tests.api.tables import (
    Person,
    events_of,
    moves,
    open_game,
    people,
    play_some,
    view_of,
)

pytestmark = pytest.mark.django_db


def page(client: Api, path: str, query: str = "") -> dict[str, Any]:
    """A page of the log."""
    answer = client.get(f"{path}/events{query}")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture
def players() -> list[Person]:
    """Ann and Bob."""
    return people(2)


@pytest.fixture
def path(players: list[Person]) -> str:
    """A game of theirs after some moves."""
    path = open_game(*players)
    play_some(8, path, random.Random(1), *players)
    return path


def test_every_viewer_is_told_every_event(players: list[Person], path: str, anybody: Api) -> None:
    version = view_of(anybody, path)["version"]
    seen = [events_of(client, path) for client in (*players, anybody)]
    for events in seen:
        assert [event["seq"] for event in events] == list(range(1, version + 1))
    for same in zip(*seen, strict=True):
        assert len({(event["type"], event["at"], event["hash"]) for event in same}) == 1
        assert len({event["seat"] for event in same}) == 1


def test_pages_follow_one_another(players: list[Person], path: str) -> None:
    whole = events_of(players[0], path)
    for size in (1, 3, 7):
        found: list[Any] = []
        after = 0
        while len(found) < len(whole):
            part = page(players[0], path, f"?after={after}&limit={size}")
            assert len(part["events"]) == min(size, len(whole) - len(found))
            assert part["next_after"] == part["events"][-1]["seq"]
            found += part["events"]
            after = part["next_after"]
        assert found == whole


def test_at_the_end_there_is_nothing(players: list[Person], path: str, anybody: Api) -> None:
    version = view_of(anybody, path)["version"]
    for client in (players[0], anybody):
        empty = {"events": [], "next_after": version, "finished": False}
        assert page(client, path, f"?after={version}") == empty


def test_it_says_when_the_game_is_finished(players: list[Person], path: str) -> None:
    assert players[1].post(f"{path}/resign").status_code == 200
    version = view_of(players[0], path)["version"]
    assert page(players[0], path, f"?after={version}")["finished"] is True
    assert page(players[0], path, f"?after={version - 1}")["finished"] is True
    assert page(players[0], path, f"?after={version - 2}&limit=1")["finished"] is False


def test_a_large_limit_is_clipped(players: list[Person], path: str) -> None:
    assert LARGEST_EVENTS_PAGE == 1000
    whole = events_of(players[0], path)
    assert page(players[0], path, "?limit=1000000")["events"] == whole
    assert page(players[0], path)["events"] == whole[:100]


@pytest.mark.parametrize(
    "query", ["after=-1", "after=x", "after=99999", "limit=0", "limit=-1", "limit=x"]
)
def test_bad_questions(players: list[Person], path: str, query: str) -> None:
    assert set(bad_fields(players[0].get(f"{path}/events?{query}"))) == {query.partition("=")[0]}


def test_cards_are_told_to_whom_they_came(players: list[Person], path: str, anybody: Api) -> None:
    seen = [events_of(client, path) for client in (*players, anybody)]
    dealt = [next(e["data"] for e in events if e["type"] == "cards_dealt") for events in seen]
    hidden = ["??"] * 6
    own = [view_of(player, path, "?at=7")["you"]["hand"] for player in players]
    assert [sorted(dealt[seat]["hands"][seat]) for seat in (0, 1)] == [sorted(hand) for hand in own]
    assert [dealt[0]["hands"][1], dealt[1]["hands"][0]] == [hidden, hidden]
    assert dealt[2]["hands"] == [hidden, hidden]
    assert all(data["talon_count"] == 24 and "talon" not in data for data in dealt)


def test_the_last_event_of_a_move_says_what_follows(players: list[Person]) -> None:
    path = open_game(*players)
    ends = {view_of(players[0], path)["version"]}
    ends |= {answer.json()["version"] for answer in moves(path, random.Random(3), *players)}
    events = events_of(players[0], path)
    assert {event["seq"] for event in events if "next" in event} == ends
    assert events[-1]["next"]["to_act"] == []
    assert events[-1]["next"]["legal_moves"] == []


def test_people_are_named(players: list[Person], path: str, anybody: Api) -> None:
    events = events_of(anybody, path)
    assert events[0]["data"]["creator"] == "ann"
    assert [event["data"]["player"] for event in events[1:3]] == ["ann", "bob"]
    assert players[0].call("DELETE", "/players/me").status_code == 204
    assert events_of(anybody, path)[0]["data"]["creator"].startswith("deleted-")
