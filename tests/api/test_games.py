"""Tables: opened, looked at, and played to the end."""

import random
from typing import Any

import pytest

from tests.api.conftest import Api, bad_fields, refusal
from tests.api.tables import (
    NOBODY_KNOWS,
    READS,
    Person,
    create,
    limit_scopes,
    moves,
    open_game,
    people,
    sans_clock,
    view_of,
)

pytestmark = pytest.mark.django_db


class TestOpening:
    """POST /games"""

    def test_the_creators_view_comes_back(self) -> None:
        ann = Person("ann")
        answer = ann.post("/games", {"ruleset": "transfer", "seats": 3, "client_seed": "x"})
        view = answer.json()
        assert answer.status_code == 201
        assert answer["Location"] == f"/api/v1/games/{view['id']}"
        assert answer["ETag"] == '"v2.s0.en"'
        assert (view["version"], view["status"], view["ruleset"]) == (2, "open", "transfer")
        assert (view["rated"], view["visibility"], view["options"]) == (False, "public", {})
        assert view["you"] == {"seat": 0, "hand": [], "legal_moves": []}
        assert [seat["player"] for seat in view["seats"]] == ["ann", None, None]
        assert [seat["status"] for seat in view["seats"]] == ["seated", "open", "open"]
        assert (view["to_act"], view["phase"], view["result"]) == ([], None, None)
        assert view["match"].pop("id")
        assert view["match"] == {"game_number": 1, "series_length": None, "match_target": None}
        assert len(view["fairness"]["commitment"]) == 64
        assert "invite" not in view

    def test_location_leads_to_the_same_view(self) -> None:
        ann = Person("ann")
        answer = ann.post(
            "/games", {"ruleset": "simple", "seats": 2, "bots": [{"brain": "greedy"}]}
        )
        again = ann.get(answer["Location"].removeprefix("/api/v1"))
        assert again["ETag"] == answer["ETag"]
        assert sans_clock(again.json()) == sans_clock(answer.json())

    def test_a_full_table_has_started(self) -> None:
        view = create(Person("ann"), bots=[{"brain": "greedy"}])
        assert (view["status"], len(view["you"]["hand"])) == ("running", 6)
        assert [seat["bot"] for seat in view["seats"]] == [None, "greedy"]
        assert view["seats"][1]["kind"] == "bot"

    def test_a_table_of_bots_is_watched(self) -> None:
        view = create(Person("ann"), bots=[{"brain": "greedy"}, {"brain": "random"}])
        assert (view["status"], view["you"]) == ("running", None)

    def test_everything_may_be_said(self) -> None:
        body = {
            "options": {"deck_size": 52},
            "rated": True,
            "visibility": "private",
            "turn_seconds": 30,
            "bank_seconds": 60,
            "on_timeout": "bot",
            "auto_start": False,
            "bots": [],
        }
        view = create(Person("ann"), **body)
        assert (view["options"], view["rated"]) == ({"deck_size": 52}, True)
        assert len(view["invite"]) == 16
        assert view["clock"] == {"turn_seconds": 30, "bank_seconds": 60, "on_timeout": "bot"}

    def test_there_may_be_no_clock(self) -> None:
        view = create(Person("ann"), turn_seconds=None, bots=[{"brain": "greedy"}])
        assert (view["clock"], view["deadline"]) == (None, None)

    @pytest.mark.parametrize(
        ("body", "field"),
        [
            ({"ruleset": "throw_in"}, "seats"),
            ({"seats": 2}, "ruleset"),
            ({"ruleset": 5, "seats": 2}, "ruleset"),
            ({"ruleset": "throw_in", "seats": "2"}, "seats"),
            ({"ruleset": "throw_in", "seats": 2.5}, "seats"),
            ({"ruleset": "throw_in", "seats": True}, "seats"),
            ({"ruleset": "throw_in", "seats": -1}, "seats"),
            ({"ruleset": "throw_in", "seats": 2, "options": []}, "options"),
            ({"ruleset": "throw_in", "seats": 2, "bots": ["greedy"]}, "bots[0]"),
            ({"ruleset": "throw_in", "seats": 2, "bots": [{"brain": "x"}]}, "bots[0].brain"),
            ({"ruleset": "throw_in", "seats": 2, "bots": [{"brian": "x"}]}, "bots[0]"),
            ({"ruleset": "throw_in", "seats": 2, "bots": [{"brain": "greedy"}] * 3}, "bots"),
            ({"ruleset": "throw_in", "seats": 2, "rated": "yes"}, "rated"),
            ({"ruleset": "throw_in", "seats": 2, "visibility": "secret"}, "visibility"),
            ({"ruleset": "throw_in", "seats": 2, "turn_seconds": 4}, "turn_seconds"),
            ({"ruleset": "throw_in", "seats": 2, "turn_seconds": 1_209_601}, "turn_seconds"),
            ({"ruleset": "throw_in", "seats": 2, "turn_seconds": True}, "turn_seconds"),
            ({"ruleset": "throw_in", "seats": 2, "bank_seconds": 5}, "bank_seconds"),
            (
                {"ruleset": "throw_in", "seats": 2, "turn_seconds": 5, "bank_seconds": 10**9},
                "bank_seconds",
            ),
            ({"ruleset": "throw_in", "seats": 2, "on_timeout": "cry"}, "on_timeout"),
            ({"ruleset": "throw_in", "seats": 2, "client_seed": "я" * 33}, "client_seed"),
            ({"ruleset": "throw_in", "seats": 2, "auto_start": None}, "auto_start"),
            ({"ruleset": "throw_in", "seats": 2, "series_length": 0}, "series_length"),
            ({"ruleset": "throw_in", "seats": 2, "series_length": 4}, "series_length"),
            ({"ruleset": "throw_in", "seats": 2, "series_length": 101}, "series_length"),
            ({"ruleset": "throw_in", "seats": 2, "match_target": 0}, "match_target"),
            ({"ruleset": "throw_in", "seats": 2, "match_target": 101}, "match_target"),
            ({"ruleset": "throw_in", "seats": 2, "mood": "sour"}, "mood"),
        ],
    )
    def test_a_bad_field_is_named(self, body: dict[str, Any], field: str) -> None:
        assert field in bad_fields(Person("ann").post("/games", body))

    def test_the_rules_have_their_say(self) -> None:
        ann = Person("ann")
        body = {"ruleset": "throw_in", "seats": 2}
        refusal(ann.post("/games", body | {"ruleset": "poker"}), 400, "rules.unknown")
        for seats in (0, 1, 7, 10**6):
            problem = refusal(
                ann.post("/games", body | {"seats": seats}), 400, "rules.invalid_options"
            )
            assert problem["options"] == ["players"]
        wrong = {"options": {"deck_size": 40, "moon": 1, "transfer_multi": False}}
        problem = refusal(ann.post("/games", body | wrong), 400, "rules.invalid_options")
        assert set(problem["options"]) == {"deck_size", "moon"}

    def test_who_may(self, anybody: Api) -> None:
        refusal(anybody.post("/games", {"ruleset": "throw_in", "seats": 2}), 401, "auth.missing")
        ann = Person("ann")
        limit_scopes("games:read", "games:play")
        body = {"ruleset": "throw_in", "seats": 2}
        problem = refusal(ann.post("/games", body), 403, "auth.scope")
        assert problem["scope"] == "games:create"


class TestLooking:
    """GET /games/{id}"""

    def test_each_sees_his_own(self, anybody: Api) -> None:
        ann, bob = people(2)
        path = open_game(ann, bob)
        seen = [view_of(client, path) for client in (ann, bob, anybody)]
        assert [view["you"] and view["you"]["seat"] for view in seen] == [0, 1, None]
        hands = [set(view["you"]["hand"]) for view in seen[:2]]
        assert [len(hand) for hand in hands] == [6, 6]
        assert not hands[0] & hands[1]
        public = [sans_clock(view) | {"you": None} for view in seen]
        assert public[0] == public[1] == public[2]

    def test_only_who_is_to_act_has_legal_moves(self) -> None:
        players = people(2)
        path = open_game(*players)
        [seat] = view_of(players[0], path)["to_act"]
        legal = [view_of(player, path)["you"]["legal_moves"] for player in players]
        assert [bool(moves) for moves in legal] == [seat == 0, seat == 1]

    def test_headers_say_for_whom(self, anybody: Api) -> None:
        ann, bob = people(2)
        path = open_game(ann, bob)
        version = view_of(ann, path)["version"]
        for client, viewer in ((ann, "s0"), (bob, "s1"), (anybody, "x")):
            answer = client.get(path)
            assert answer["ETag"] == f'"v{version}.{viewer}.en"'
            assert answer["Vary"] == "Authorization, Accept, Accept-Language"
            assert answer["Cache-Control"] == "private, no-cache"
        assert ann.get(path, accept_language="ru")["ETag"] == f'"v{version}.s0.ru"'

    def test_who_holds_the_current_view_is_sent_nothing(self) -> None:
        ann, bob = people(2)
        path = open_game(ann, bob)
        etag = ann.get(path)["ETag"]
        held = [etag, f"W/{etag}", f'"other", {etag}', f'"v1.s0.en" , W/{etag}', "*"]
        for tags in held:
            answer = ann.get(path, if_none_match=tags)
            assert (answer.status_code, answer.content, answer["ETag"]) == (304, b"", etag)
            assert answer["Vary"] == "Authorization, Accept, Accept-Language"
            assert answer["Cache-Control"] == "private, no-cache"
            assert "Content-Type" not in answer
        others = ['"v1.s0.en"', etag.replace("s0", "s1"), etag.replace("en", "ru"), etag[1:-1], ""]
        for tags in others:
            assert ann.get(path, if_none_match=tags).status_code == 200
        assert bob.get(path, if_none_match=etag).status_code == 200
        assert ann.get(path, if_none_match=etag, accept_language="ru").status_code == 200

    def test_a_move_makes_the_view_new(self) -> None:
        ann, bob = people(2)
        path = open_game(ann, bob)
        etag = ann.get(path)["ETag"]
        next(moves(path, random.Random(1), ann, bob))
        answer = ann.get(path, if_none_match=etag)
        assert answer.status_code == 200
        assert answer["ETag"] != etag

    @pytest.mark.parametrize("query", READS)
    def test_what_is_not_there(self, anybody: Api, query: str) -> None:
        ids = [NOBODY_KNOWS, "1", "x" * 300, NOBODY_KNOWS.replace("-", ""), "%00", "ы"]
        for key in ids:
            refusal(anybody.get(f"/games/{key}{query}"), 404, "game.not_found")
            refusal(anybody.get(f"/games/{key}{query}", if_none_match="*"), 404, "game.not_found")

    @pytest.mark.parametrize("query", ["?at=0", "?at=-1", "?at=x", "?at=99", "?at=1e3", "?at="])
    def test_a_version_that_never_was(self, query: str) -> None:
        ann, bob = people(2)
        assert set(bad_fields(ann.get(open_game(ann, bob) + query))) == {"at"}

    @pytest.mark.parametrize("query", ["?seat=2", "?seat=6", "?seat=-1", "?seat=x"])
    def test_a_seat_that_is_not_there(self, query: str) -> None:
        ann, bob = people(2)
        assert set(bad_fields(ann.get(open_game(ann, bob) + query))) == {"seat"}

    def test_nobody_looks_from_anothers_seat_before_the_end(self, anybody: Api) -> None:
        ann, bob = people(2)
        path = open_game(ann, bob)
        for client, query in ((ann, "?seat=1"), (bob, "?at=3&seat=0"), (anybody, "?seat=0")):
            refusal(client.get(path + query), 409, "game.not_finished")
        own = view_of(bob, path, "?seat=1")
        assert sans_clock(own) == sans_clock(view_of(bob, path))

    def test_a_token_reads_only_if_it_may(self) -> None:
        ann, bob = people(2)
        path = open_game(ann, bob)
        limit_scopes("games:play")
        for query in READS:
            refusal(ann.get(path + query), 403, "auth.scope")
        refusal(ann.get("/games"), 403, "auth.scope")


@pytest.mark.django_db(transaction=True)
def test_a_whole_game(anybody: Api) -> None:
    ann, bob = people(2)
    path = open_game(ann, bob, rated=True)
    version = view_of(anybody, path)["version"]
    for answer in moves(path, random.Random(2), ann, bob):
        told = answer.json()
        assert told["version"] == version + len(told["events"]) == told["view"]["version"]
        assert [event["seq"] for event in told["events"]] == list(
            range(version + 1, told["version"] + 1)
        )
        version = told["version"]
    ends = [view_of(client, path) for client in (ann, bob, anybody)]
    result = ends[0]["result"]
    assert all(view["status"] == "finished" and view["result"] == result for view in ends)
    assert (result["reason"], result["points"]) == ("played_out", None)
    assert {seat for group in result["places"] for seat in group} == {0, 1}
    assert (result["durak"] is None) == result["draw"]
    assert all(view["to_act"] == [] and view["phase"] == "finished" for view in ends)
    scored = anybody.get("/players/ann/results").json()["items"][0]
    assert (scored["game"], scored["place"]) == (path[7:], ends[0]["seats"][0]["place"])
    board = anybody.get("/leaderboards/throw_in").json()["items"]
    assert {row["player"] for row in board} == {"ann", "bob"}
