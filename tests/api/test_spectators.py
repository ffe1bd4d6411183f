"""Who only watches: never more than the players see, and at some tables some moves later."""

import random
from collections.abc import Iterator
from itertools import pairwise
from typing import Any
from uuid import UUID

import pytest
from pytest_django import Settings

from games.store import log
from tests.api.conftest import Api, bad_fields, refusal
from tests.api.streaming import LINES, SSE, StreamsProcess
from tests.api.tables import (
    Person,
    create,
    events_of,
    moves,
    open_game,
    people,
    sans_clock,
    view_of,
    who_acts,
)
from tests.api.test_streams import running
from tests.rules.client import fold

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.xdist_group("streams")]
FAMILIES = pytest.mark.parametrize("ruleset", ["throw_in", "mau_mau"])
DELAY = 3


@pytest.fixture(scope="module")
def streams(tmp_path_factory: pytest.TempPathFactory, django_db_setup: None) -> Iterator[Any]:
    """The process of streams and long polls."""
    yield from running(StreamsProcess(tmp_path_factory.mktemp("v")))


def hidden(view: dict[str, Any]) -> list[Any]:
    """What a view shows of hands."""
    return [seat["hand"] for seat in view["seats"] if "hand" in seat]


# So few moves that no hand can be empty by then, whoever is skipped.
@pytest.mark.parametrize(
    ("ruleset", "most"), [("throw_in", 8), ("mau_mau", 4), ("simple.face_out", 8)]
)
def test_nobody_sees_more_of_his_own_game_as_a_stranger(
    anybody: Api, ruleset: str, most: int
) -> None:
    players = people(2)
    ann, bob = players
    path = open_game(*players, ruleset=ruleset)
    for _, _answer in zip(range(most), moves(path, random.Random(3), *players), strict=False):
        stranger, own = view_of(anybody, path), view_of(ann, path)
        assert stranger["you"] is None
        assert hidden(stranger) == []
        same = stranger.keys() - {"you", "seats", "server_time"}
        assert {name: stranger[name] for name in same} == {name: own[name] for name in same}
        for seen, known in zip(stranger["seats"], own["seats"], strict=True):
            assert seen.items() <= known.items()
    ours, theirs = events_of(ann, path), events_of(anybody, path)
    assert [event["hash"] for event in ours] == [event["hash"] for event in theirs]
    for event in theirs:
        if event["type"] == "cards_dealt":
            assert {card for hand in event["data"]["hands"] for card in hand} == {"??"}
        assert event.get("next", {"legal_moves": []})["legal_moves"] == []
    for query in ("?seat=0", "?seat=1", "?seat=0&at=12"):
        refusal(anybody.get(path + query), 409, "game.not_finished")
    refusal(bob.get(f"{path}?seat=0"), 409, "game.not_finished")


def ends(path: str) -> list[int]:
    """The versions at which the deal and the moves so far ended."""
    return [item.seq for item in log.events(UUID(path[7:])) if item.event.next is not None]


def watched(path: str) -> int:
    """The version that who watches may see by now: so many moves ago, or the deal."""
    return ends(path)[-DELAY - 1 :][0]


@FAMILIES
def test_every_answer_is_the_one_of_some_moves_ago(anybody: Api, ruleset: str) -> None:
    players = people(3)
    ann, *_, cat = players
    path = open_game(*players, ruleset=ruleset, spectator_delay=DELAY)
    eve, seen = Person("eve"), []
    for count, _ in zip(range(9), moves(path, random.Random(3), *players), strict=False):
        shown, version = watched(path), view_of(ann, path)["version"]
        assert version - shown >= min(count + 1, DELAY)
        for client in (anybody, eve):
            answer = client.get(path)
            view = answer.json()
            assert (view["version"], view["spectator_delay"]) == (shown, DELAY)
            assert answer["ETag"] == f'"v{shown}.x.en"'
            assert client.get(path, if_none_match=answer["ETag"]).status_code == 304
            real = f'"v{version}.x.en"'
            assert client.get(path, if_none_match=real).status_code == 200
            page = client.get(f"{path}/events?limit=1000").json()
            assert (page["next_after"], page["finished"]) == (shown, False)
            assert [event["seq"] for event in page["events"]] == list(range(1, shown + 1))
            [item] = client.get("/games?status=running").json()["items"]
            assert item["version"] == shown
            assert client.get(f"{path}/fairness").json()["version"] == shown
            for query in (f"?at={shown + 1}", f"/events?after={shown + 1}"):
                assert bad_fields(client.get(path + query)) == {
                    "at" if "at=" in query else "after": f"the log ends at {shown}"
                }
        own = cat.get("/games?status=running").json()["items"][0]
        assert own["version"] == version
        assert cat.get(path)["ETag"] == f'"v{version}.s2.en"'
        seen.append(sans_clock(view_of(anybody, path)))
    for view in seen:
        assert view == sans_clock(view_of(anybody, f"{path}?at={view['version']}"))
    for before, after in pairwise(seen):
        news = events_of(anybody, path, before["version"])
        some = [event for event in news if event["seq"] <= after["version"]]
        assert sans_clock(folded(before, some)) == after


def folded(view: dict[str, Any], events: list[dict[str, Any]]) -> dict[str, Any]:
    """The view that a client makes of an older one and what came since."""
    for event in events:
        view = fold(view, event)
    return view


@FAMILIES
def test_the_end_shows_it_all(anybody: Api, ruleset: str) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob, ruleset=ruleset, spectator_delay=20)
    dealt = view_of(anybody, path)["version"]
    mover, view = who_acts((ann, bob), path)
    list(zip(range(4), moves(path, random.Random(5), ann, bob), strict=False))
    assert view_of(anybody, path)["version"] == dealt
    refusal(anybody.get(f"{path}/replay"), 409, "game.not_finished")
    assert mover.post(f"{path}/resign").status_code == 200
    final = view_of(anybody, path)
    assert final["version"] == view_of(ann, path)["version"] > dealt
    assert final["result"]["reason"] == "resigned"
    assert events_of(anybody, path)[-1]["type"] == "game_finished"
    assert anybody.get(f"{path}/replay").status_code == 200
    assert anybody.get("/games").json()["items"][0]["version"] == final["version"]
    following = bob.post(f"{path}/rematch").json()
    assert following["spectator_delay"] == 20
    assert view["version"] == dealt


def test_before_the_deal_and_at_other_tables_nobody_is_behind(anybody: Api) -> None:
    ann, bob = people(2)
    path = open_game(ann, seats=2, spectator_delay=2)
    assert view_of(anybody, path)["version"] == 2
    assert bob.post(f"{path}/join").status_code == 200
    started = view_of(anybody, path)
    assert started["version"] == view_of(bob, path)["version"]
    assert (started["status"], len(started["to_act"])) == ("running", 1)
    assert "spectator_delay" not in create(ann)


def test_how_far_behind_is_bounded(settings: Settings) -> None:
    ann = Person("ann")
    for wrong in (-1, 21, "2"):
        body = {"ruleset": "throw_in", "seats": 2, "spectator_delay": wrong}
        assert set(bad_fields(ann.post("/games", body))) == {"spectator_delay"}
    settings.SPECTATOR_DELAY_MAX = 0
    body = {"ruleset": "throw_in", "seats": 2, "spectator_delay": 1}
    assert set(bad_fields(ann.post("/games", body))) == {"spectator_delay"}


@pytest.mark.parametrize("media", [SSE, LINES])
def test_streams_are_as_far_behind(streams: StreamsProcess, media: str) -> None:
    players = people(2)
    ann, bob = players
    path = open_game(*players, spectator_delay=2)
    eve = Person("eve")
    playing = moves(path, random.Random(11), *players)
    for _ in range(3):
        next(playing)
    start = view_of(eve, path)["version"]
    with (
        streams.ask(f"{path}/events?after={start}", eve.token, accept=media) as theirs,
        streams.ask(f"{path}/events?after={start}", accept=media) as nobodys,
        streams.ask(f"{path}/events?after={start}", ann.token, accept=media) as own,
    ):
        for _ in range(2):
            next(playing)
        real, shown = view_of(ann, path)["version"], view_of(eve, path)["version"]
        assert [item.value["seq"] for item in own.take(real - start)][-1] == real
        for stream in (theirs, nobodys):
            got = [item.value for item in stream.take(shown - start)]
            assert got == events_of(eve, path, start)
            assert got[-1]["seq"] == shown < real
        assert bob.post(f"{path}/resign").status_code == 200
        final = view_of(ann, path)["version"]
        for stream in (theirs, nobodys):
            *rest, last = stream.take(final - shown + 1)
            assert [item.value["seq"] for item in rest] == list(range(shown + 1, final + 1))
            assert last.value["reason"] == "game_finished"


def test_a_long_poll_does_not_answer_before_its_time(streams: StreamsProcess) -> None:
    players = people(2)
    path = open_game(*players, spectator_delay=2)
    shown = view_of(Api(), path)["version"]
    playing = moves(path, random.Random(11), *players)
    next(playing)
    with streams.ask(f"{path}/events?after={shown}&wait=1") as answer:
        page = answer.json()
        assert (page["events"], page["next_after"]) == ([], shown)
    with streams.ask(f"{path}/events?after={shown}&wait=1&snapshot=true") as answer:
        assert answer.json()["view"]["version"] == shown
    for _ in range(2):
        next(playing)
    with streams.ask(f"{path}/events?after={shown}&wait=5") as answer:
        events = answer.json()["events"]
        assert events
        assert events == events_of(Api(), path, shown)
