"""A private game is not there for those who are not at its table."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from games.models import Player
from games.selectors import result_list, versus_get
from tests.api.conftest import Api, refusal
from tests.api.tables import (
    NOBODY_KNOWS,
    READS,
    WRITES,
    Person,
    open_game,
    people,
    play_out,
    view_of,
    write,
)
from tests.scores import play

pytestmark = pytest.mark.django_db
SCORES = (
    *("/players/ann/results?limit=2", "/players/ann/results?limit=2&ladder=throw_in"),
    *("/players/ann/ratings", "/players/ann/totals", "/players/ann/versus/bob"),
    *("/players/ann/rating-history", "/players/ann/rating-history?by=day"),
    *("/players/bob/versus/ann", "/leaderboards/overall", "/leaderboards"),
)


def strangers_find_nothing(stranger: Api, path: str) -> None:
    """Every address answers as for an id that nobody knows, byte for byte."""
    nowhere = f"/games/{NOBODY_KNOWS}"
    for query in (*READS, "?seat=0", "?at=99", "/events?after=99"):
        for headers in ({}, {"if_none_match": "*"}):
            found = stranger.get(path + query, **headers)
            refusal(found, 404, "game.not_found")
            nothing = stranger.get(nowhere + query, **headers)
            assert found.content.replace(path.encode(), nowhere.encode()) == nothing.content
            assert sans_limits(found) == sans_limits(nothing)


def test_to_nobody_else(anybody: Api) -> None:
    ann, bob, cat = people(3)
    path = open_game(ann, bob, visibility="private")
    for stranger in (anybody, cat):
        strangers_find_nothing(stranger, path)
    play_out(path, random.Random(1), ann, bob)
    for stranger in (anybody, cat):
        strangers_find_nothing(stranger, path)
    for player in (ann, bob):
        assert all(player.get(path + query).status_code == 200 for query in READS)


@pytest.mark.parametrize("what", WRITES)
def test_nobody_else_acts(what: str) -> None:
    ann, bob, cat = people(3)
    for path in (
        open_game(ann, bob, seats=3, visibility="private"),
        open_game(ann, bob, visibility="private"),
    ):
        found = write(cat, path, what)
        nothing = write(cat, f"/games/{NOBODY_KNOWS}", what)
        refusal(found, 404, "game.not_found")
        assert found.content.replace(path[7:].encode(), NOBODY_KNOWS.encode()) == nothing.content


def test_the_invite_opens_it() -> None:
    ann, bob, cat = people(3)
    path = open_game(ann, seats=3, visibility="private")
    invite = view_of(ann, path)["invite"]
    for wrong in ("", invite[:-1], invite.lower() + "x", "ы"):
        refusal(bob.post(f"{path}/join", {"invite": wrong}), 404, "game.not_found")
    assert bob.post(f"{path}/join", {"invite": invite}).json()["invite"] == invite
    assert cat.get(path).status_code == 404


def test_who_leaves_sees_it_no_more() -> None:
    ann, bob = people(2)
    path = open_game(ann, bob, seats=3, visibility="private")
    answer = bob.post(f"{path}/leave")
    assert answer.status_code == 200
    assert "invite" not in answer.json()
    refusal(bob.get(path), 404, "game.not_found")


def sans_limits(answer: Any) -> dict[str, str]:
    """The headers, without how many requests are left."""
    return {name: value for name, value in answer.headers.items() if name != "RateLimit"}


def pages(reader: Api, address: str) -> list[bytes]:
    """A list to its end, page by page."""
    found: list[bytes] = []
    while address:
        answer = reader.get(address)
        found.append(answer.content)
        address = answer.headers.get("Link", "").removeprefix("</api/v1").partition(">")[0]
    return found


def test_scores_tell_strangers_nothing_of_casual_ones(
    monkeypatch: pytest.MonkeyPatch, anybody: Api
) -> None:
    """However many there are: no page is shorter, no list less complete, no cursor another."""
    monkeypatch.setattr(result_list, "MOST_WALKED", 3)
    monkeypatch.setattr(versus_get, "MOST_RESULTS", 4)
    cat, stranger = people(3)[2], Person("fay")
    ann, bob, third = (Player.objects.get(name=name) for name in ("ann", "bob", "cat"))
    began = timezone.now() - timedelta(minutes=30)
    for minute in (1, 4, 9):
        play([ann, bob], finished_at=began + timedelta(minutes=minute))
    play([ann, bob, third], private=True, finished_at=began + timedelta(minutes=5))
    readers = [anybody, stranger, cat]
    before = [pages(reader, address) for reader in readers for address in SCORES]
    for minute in range(12):
        play([ann, bob], private=True, rated=False, finished_at=began + timedelta(minutes=minute))
    assert [pages(reader, address) for reader in readers for address in SCORES] == before
