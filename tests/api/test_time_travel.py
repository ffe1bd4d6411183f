"""GET /games/{id}?at=…: what was served then, to the byte."""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.api.conftest import Api, refusal
from tests.api.tables import Person, moves, open_game, people, play_some, view_of

pytestmark = pytest.mark.django_db
_CLOCK = re.compile(rb'"server_time":"[^"]*"')
Served = dict[int, dict[Api, tuple[bytes, str]]]


def served(client: Api, path: str, query: str = "") -> tuple[bytes, str]:
    """The body of a view, its clock stopped, and its tag."""
    answer = client.get(path + query)
    assert answer.status_code == 200, answer.content
    return _CLOCK.sub(b"", answer.content), answer["ETag"]


class Album:
    """Every view that was served at the end of each write, by version and viewer."""

    def __init__(self, path: str, *viewers: Api) -> None:
        self.path, self.viewers = path, viewers
        self.pages: Served = {}
        self.take()

    def take(self) -> None:
        """Look at the game as it is now."""
        version = view_of(self.viewers[-1], self.path)["version"]
        self.pages[version] = {viewer: served(viewer, self.path) for viewer in self.viewers}

    def check(self) -> None:
        """Every page is served again."""
        for version, page in self.pages.items():
            for viewer, kept in page.items():
                assert served(viewer, self.path, f"?at={version}") == kept, version


def test_the_end_of_every_move_is_served_as_it_was(anybody: Api) -> None:
    players = people(2)
    path = open_game(*players, ruleset="transfer", options={"deck_size": 24})
    album = Album(path, *players, anybody)
    for _ in moves(path, random.Random(1), *players):
        album.take()
    album.check()
    for version, page in album.pages.items():
        for seat, player in enumerate(players):
            assert served(anybody, path, f"?at={version}&seat={seat}") == page[player]


def test_of_more_players_too(anybody: Api) -> None:
    players = people(4)
    path = open_game(*players, ruleset="throw_in_article")
    album = Album(path, *players, anybody)
    for _ in range(15):
        play_some(1, path, random.Random(2), *players)
        album.take()
    album.check()


def test_before_the_start_others_sat_there(anybody: Api) -> None:
    ann, bob, cat = people(3)
    path = open_game(ann, seats=2, auto_start=False)
    album = Album(path, ann, bob, cat, anybody)
    for client, what in (
        (bob, "join"),
        (bob, "leave"),
        (cat, "join"),
        (ann, "leave"),
        (bob, "join"),
        (ann, "start"),
    ):
        assert client.post(f"{path}/{what}").status_code == 200
        album.take()
    assert [view_of(ann, path, f"?at={at}")["seats"][1]["player"] for at in (1, 3, 4, 5)] == [
        None,
        "bob",
        None,
        "cat",
    ]
    play_some(5, path, random.Random(2), bob, cat)
    album.check()


def test_bots_that_sat_in_are_seen_where_they_sat(anybody: Api) -> None:
    ann, bob, cat = people(3)
    path = open_game(ann, bob, cat)
    album = Album(path, ann, bob, cat, anybody)
    for client, what in ((ann, "leave"), (ann, "return"), (bob, "resign"), (cat, "leave")):
        assert client.post(f"{path}/{what}").status_code == 200
        album.take()
    album.check()
    never = set(range(min(album.pages), max(album.pages))) - album.pages.keys()
    assert [view_of(anybody, path, f"?at={version}")["to_act"] for version in never] == [[]]


def test_between_resigning_and_the_end_nobody_may_act() -> None:
    ann, bob = people(2)
    path = open_game(ann, bob)
    version = view_of(ann, path)["version"]
    assert ann.post(f"{path}/resign").status_code == 200
    views = [view_of(bob, path, f"?at={version + step}") for step in range(3)]
    assert [view["status"] for view in views] == ["running", "running", "finished"]
    assert [bool(view["to_act"]) for view in views] == [True, False, False]


def inner_versions(path: str, *players: Person) -> Iterator[int]:
    """Versions that were never served: inside a move, or before the deal was done."""
    ends = {view_of(players[0], path)["version"]}
    ends |= {answer.json()["version"] for answer in moves(path, random.Random(3), *players)}
    yield from set(range(5, max(ends))) - ends


def test_inside_a_move_nobody_may_act(anybody: Api) -> None:
    players = people(2)
    path = open_game(*players, options={"deck_size": 24})
    inner = list(inner_versions(path, *players))
    assert inner
    for version in inner:
        for viewer in (*players, anybody):
            view = view_of(viewer, path, f"?at={version}")
            assert (view["version"], view["to_act"], view["deadline"]) == (version, [], None)
            assert (view["you"] or {}).get("legal_moves", []) == []
            assert cards_counted(view) == 24


def cards_counted(view: dict[str, Any]) -> int:
    """Every card is somewhere, if only as a number."""
    table = sum(1 + (pair["beat"] is not None) for pair in view["table"])
    hands = sum(seat["hand_count"] for seat in view["seats"])
    return int(view["talon_count"] + view["discard_count"] + table + hands)


def test_the_past_of_a_running_game_shows_no_more(anybody: Api) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob)
    play_some(4, path, random.Random(4), ann, bob)
    for version in range(1, view_of(ann, path)["version"] + 1):
        assert view_of(anybody, path, f"?at={version}")["you"] is None
        refusal(ann.get(f"{path}?at={version}&seat=1"), 409, "game.not_finished")
        assert served(ann, path, f"?at={version}&seat=0")


def test_the_past_of_a_private_game_is_its_tables(anybody: Api) -> None:
    ann, bob, cat = people(3)
    path = open_game(ann, bob, visibility="private")
    play_some(4, path, random.Random(5), ann, bob)
    kept = served(bob, path)
    version = view_of(bob, path)["version"]
    assert ann.post(f"{path}/resign").status_code == 200
    assert served(bob, path, f"?at={version}") == kept
    assert served(ann, path, f"?at={version}&seat=1")[0] == kept[0]
    for stranger in (cat, anybody):
        for query in (f"?at={version}", f"?at={version}&seat=1"):
            refusal(stranger.get(path + query), 404, "game.not_found")
