"""POST /games/{id}/rematch and GET /matches/{id}."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from pytest_django import Settings

from games.api.pagination import encode_cursor
from tests.api.conftest import Api, bad_fields, refusal
from tests.api.tables import (
    NOBODY_KNOWS,
    Person,
    create,
    events_of,
    limit_scopes,
    open_game,
    people,
    sans_clock,
    view_of,
)

pytestmark = pytest.mark.django_db


def duel(*players: Person, **body: Any) -> str:
    """The address of a game that Bob has resigned."""
    path = open_game(*players, **body)
    assert players[1].post(f"{path}/resign").status_code == 200
    return path


def rematch(player: Api, path: str, **body: Any) -> dict[str, Any]:
    """The player's view of the next game."""
    answer = player.post(f"{path}/rematch", body)
    assert answer.status_code == 200, answer.content
    view: dict[str, Any] = answer.json()
    return view


def next_game(path: str, *players: Person) -> str:
    """The address of the next game; all call."""
    [key] = {rematch(player, path)["id"] for player in players}
    return f"/games/{key}"


def match_of(client: Api, path: str) -> dict[str, Any]:
    """The match of a game."""
    answer = client.get(f"/matches/{view_of(client, path)['match']['id']}")
    assert answer.status_code == 200, answer.content
    match: dict[str, Any] = answer.json()
    return match


def at(text: str) -> datetime:
    """A time of the API's."""
    return datetime.fromisoformat(text)


class TestRematch:
    """The next game."""

    def test_the_first_caller_waits_in_his_seat(self) -> None:
        ann, bob = people(2)
        path = duel(ann, bob, series_length=3, client_seed="old")
        before = view_of(ann, path)
        answer = bob.post(f"{path}/rematch", {"client_seed": "bob's"})
        view = answer.json()
        assert (answer.status_code, answer["ETag"]) == (200, '"v2.s1.en"')
        assert (view["status"], view["you"]["seat"]) == ("open", 1)
        assert view["match"] == {
            "id": before["match"]["id"],
            "game_number": 2,
            "series_length": 3,
            "match_target": None,
        }
        waiting, seated = view["seats"]
        assert (waiting["status"], waiting["player"], waiting["reserved_for"]) == (
            *("reserved", None, "ann"),
        )
        assert (seated["status"], seated["player"]) == ("seated", "bob")
        kept = at(view["reserved_until"]) - at(view["created_at"])
        assert kept == timedelta(minutes=10)
        assert view["fairness"] != before["fairness"]
        assert sans_clock(view) == sans_clock(view_of(bob, f"/games/{view['id']}"))

    def test_the_last_caller_starts_it(self) -> None:
        ann, bob = people(2)
        path = duel(ann, bob)
        opened = rematch(bob, path)
        view = rematch(ann, path)
        assert (view["id"], view["status"]) == (opened["id"], "running")
        assert view["dealer"] == 1
        assert view["to_act"] == [0]
        assert "reserved_until" not in view
        assert not any("reserved_for" in seat for seat in view["seats"])

    def test_bots_do_not_keep_anybody_waiting(self) -> None:
        ann = Person("ann")
        path = f"/games/{create(ann, bots=[{'brain': 'greedy'}])['id']}"
        assert ann.post(f"{path}/resign").status_code == 200
        view = rematch(ann, path)
        assert (view["status"], view["seats"][1]["bot"]) == ("running", "greedy")

    def test_what_the_log_says_of_it(self, anybody: Api) -> None:
        ann, bob = people(2)
        path = duel(ann, bob)
        opened = rematch(bob, path)
        for client in (ann, bob, anybody):
            [created, joined] = events_of(client, f"/games/{opened['id']}")
            data = created["data"]
            assert (data["creator"], data["reserved"]) == ("bob", ["ann", "bob"])
            assert at(data["reserved_until"]) == at(opened["reserved_until"])
            dealer = view_of(ann, path)["dealer"]
            assert data["previous"] == {"dealer": dealer, "durak": 1, "winner": 0, "draw": False}
            assert (joined["seat"], joined["data"]["player"]) == (1, "bob")

    def test_strangers_are_not_offered_the_seats(self, anybody: Api) -> None:
        ann, bob, cat = people(3)
        path = f"/games/{rematch(bob, duel(ann, bob))['id']}"
        for query in ("", "?status=open"):
            for client, seen in ((ann, True), (bob, True), (cat, False), (anybody, False)):
                listed = [item["id"] for item in client.get(f"/games{query}").json()["items"]]
                assert (path[7:] in listed) == seen
        refusal(cat.post(f"{path}/join"), 409, "game.full")
        assert view_of(anybody, path)["you"] is None
        assert ann.post(f"{path}/join").json()["status"] == "running"
        listed = anybody.get("/games?status=running").json()["items"]
        assert [item["id"] for item in listed] == [path[7:]]

    def test_of_a_private_game_only_the_table_knows(self, anybody: Api) -> None:
        ann, bob, cat = people(3)
        path = duel(ann, bob, visibility="private")
        opened = f"/games/{rematch(bob, path)['id']}"
        assert view_of(ann, opened)["you"] is None
        assert "invite" not in view_of(ann, opened)
        assert "invite" in view_of(bob, opened)
        assert [item["id"] for item in ann.get("/games?status=open").json()["items"]] == [
            opened[7:]
        ]
        match = f"/matches/{view_of(ann, path)['match']['id']}"
        for client in (cat, anybody):
            refusal(client.get(opened), 404, "game.not_found")
            refusal(client.get(match), 404, "match.not_found")
        assert ann.get(match).json() == bob.get(match).json()
        refusal(cat.post(f"{opened}/join"), 404, "game.not_found")
        refusal(cat.post(f"{path}/rematch"), 404, "game.not_found")

    def test_refusals(self, anybody: Api) -> None:
        ann, bob, cat = people(3)
        path = open_game(ann, bob, series_length=1)
        refusal(anybody.post(f"{path}/rematch"), 401, "auth.missing")
        refusal(ann.post(f"{path}/rematch"), 409, "game.not_finished")
        refusal(cat.post(f"{path}/rematch"), 403, "game.not_joined")
        assert bob.post(f"{path}/resign").status_code == 200
        refusal(ann.post(f"{path}/rematch"), 409, "match.over")
        refusal(cat.post(f"{path}/rematch"), 403, "game.not_joined")
        assert bad_fields(ann.post(f"{path}/rematch", {"client_seed": "я" * 33}))
        assert bad_fields(ann.post(f"{path}/rematch", {"invite": "x"}))
        refusal(ann.post(f"/games/{NOBODY_KNOWS}/rematch"), 404, "game.not_found")
        limit_scopes("games:read")
        refusal(ann.post(f"{path}/rematch"), 403, "auth.scope")

    def test_a_rematch_that_lapsed(self, settings: Settings) -> None:
        settings.REMATCH_SECONDS = 0
        ann, bob = people(2)
        path = duel(ann, bob)
        lapsed = f"/games/{rematch(bob, path)['id']}"
        opened = rematch(ann, path)
        view = view_of(bob, lapsed)
        assert (view["status"], view["result"]["reason"]) == ("finished", "aborted")
        assert (view["result"]["places"], view["result"]["durak"]) == ([], None)
        assert "reserved_until" not in view
        assert events_of(bob, lapsed)[-1]["type"] == "game_voided"
        assert bob.get(f"{lapsed}/events").json()["finished"]
        assert bob.get(f"{lapsed}/replay").status_code == 200
        refusal(bob.post(f"{lapsed}/rematch"), 409, "game.not_started")
        refusal(ann.post(f"{lapsed}/join"), 409, "game.over")
        assert opened["match"]["game_number"] == 2
        assert match_of(ann, path)["rematch"]["id"] == opened["id"]


class TestMatch:
    """How it stands."""

    def test_before_the_end_of_the_first_game(self, anybody: Api) -> None:
        ann, bob = people(2)
        path = open_game(ann, bob, options={"deck_size": 24}, rated=True)
        match = match_of(anybody, path)
        assert (match["ruleset"], match["options"]) == ("throw_in", {"deck_size": 24})
        assert (match["rated"], match["visibility"]) == (True, "public")
        nothing = dict.fromkeys(("games", "wins", "duraks", "draws", "points"), 0)
        assert match["seats"] == [
            {"seat": 0, "player": "ann", "kind": "human", **nothing},
            {"seat": 1, "player": "bob", "kind": "human", **nothing},
        ]
        [game] = match["games"]
        assert (game["id"], game["status"], game["result"]) == (path[7:], "running", None)
        assert (match["next_dealer"], match["rematch"], match["result"]) == (None, None, None)

    def test_an_open_table_is_a_match_already(self, anybody: Api) -> None:
        ann = Person("ann")
        match = match_of(anybody, f"/games/{create(ann)['id']}")
        assert [seat["player"] for seat in match["seats"]] == ["ann", None]
        assert (match["next_dealer"], match["rematch"]) == (None, None)

    def test_after_a_game_it_says_who_deals(self, anybody: Api) -> None:
        ann, bob = people(2)
        path = duel(ann, bob)
        match = match_of(anybody, path)
        assert (match["next_dealer"], match["rematch"], match["result"]) == (1, None, None)
        [game] = match["games"]
        assert game["result"] == view_of(ann, path)["result"]
        assert game["finished_at"] is not None

    def test_a_rematch_waits_in_it(self, anybody: Api) -> None:
        ann, bob = people(2)
        path = duel(ann, bob)
        opened = rematch(bob, path)
        match = match_of(anybody, path)
        assert match["rematch"] == {
            "id": opened["id"],
            "reserved_until": opened["reserved_until"],
            "agreed": [1],
        }
        assert [seat["player"] for seat in match["seats"]] == ["ann", "bob"]
        assert [game["status"] for game in match["games"]] == ["finished", "open"]
        assert match["next_dealer"] == 1
        rematch(ann, path)
        match = match_of(anybody, path)
        assert (match["rematch"], match["next_dealer"]) == (None, None)

    def test_a_series_is_over_when_it_is_decided(self, anybody: Api) -> None:
        ann, bob = people(2)
        first = duel(ann, bob, series_length=3)
        second = next_game(first, ann, bob)
        assert bob.post(f"{second}/resign").status_code == 200
        match = match_of(anybody, second)
        assert match["result"] == {
            "winners": [0],
            "losers": [1],
            "places": [[0], [1]],
            "reason": "series_length",
        }
        assert [seat["wins"] for seat in match["seats"]] == [2, 0]
        assert [seat["duraks"] for seat in match["seats"]] == [0, 2]
        assert [game["game_number"] for game in match["games"]] == [1, 2]
        assert match["next_dealer"] is None
        for client in (ann, bob):
            problem = refusal(client.post(f"{second}/rematch"), 409, "match.over")
            assert "matches" in problem["detail"]

    def test_its_games_come_in_pages(self, anybody: Api) -> None:
        ann, bob = people(2)
        path = first = duel(ann, bob)
        for _ in range(3):
            path = next_game(path, ann, bob)
            assert bob.post(f"{path}/resign").status_code == 200
        whole = match_of(anybody, first)
        assert [game["game_number"] for game in whole["games"]] == [1, 2, 3, 4]
        assert whole["next"] is None
        address = f"/matches/{whole['id']}?limit=2"
        one = anybody.get(address)
        assert one["Link"].startswith(f"</api/v1{address}&cursor=")
        two = anybody.get(f"{address}&cursor={one.json()['next']}")
        assert "Link" not in two
        pages = [one.json(), two.json()]
        assert [page["games"] for page in pages] == [whole["games"][:2], whole["games"][2:]]
        for page in pages:
            assert page | {"games": whole["games"], "next": None} == whole
        assert bad_fields(anybody.get(f"{address}&cursor=x")).keys() == {"cursor"}
        assert bad_fields(anybody.get(f"/matches/{whole['id']}?limit=0")).keys() == {"limit"}

    @pytest.mark.parametrize("key", [[2**31, NOBODY_KNOWS], [-1, NOBODY_KNOWS], [1], [1, "x"]])
    def test_what_no_page_ends_with_is_no_cursor(self, anybody: Api, key: list[Any]) -> None:
        match = match_of(anybody, f"/games/{create(Person('ann'))['id']}")
        address = f"/matches/{match['id']}?cursor={encode_cursor(key)}"
        assert bad_fields(anybody.get(address)).keys() == {"cursor"}

    def test_unknown_ones(self, anybody: Api) -> None:
        for key in (NOBODY_KNOWS, "1", NOBODY_KNOWS.upper() + "x"):
            refusal(anybody.get(f"/matches/{key}"), 404, "match.not_found")
        refusal(anybody.post(f"/matches/{NOBODY_KNOWS}"), 405, "request.method")
        ann = Person("ann")
        limit_scopes("games:play")
        refusal(ann.get(f"/matches/{NOBODY_KNOWS}"), 403, "auth.scope")
