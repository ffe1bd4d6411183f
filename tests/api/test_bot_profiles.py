"""Bots of third parties: what they accept, where they are listed, how they are seated."""

from typing import Any

import pytest

from bots.brains import brain_list
from games.models import BotProfile, GameSeat
from tests.api.conftest import Api, bad_fields, refusal
from tests.api.tables import Person, create, limit_scopes, view_of

pytestmark = pytest.mark.django_db
PATH = "/players/me/bot-profile"
PROFILE = {"rulesets": ["throw_in", "transfer"], "seats": [2, 3], "concurrency": 2}


class Bot(Person):
    """A third party's program."""

    def __init__(self, name: str, **profile: Any) -> None:
        token = Api().post("/players", {"name": name, "kind": "bot"}).json()["token"]
        Api.__init__(self, token)
        self.name, self.token = name, token
        if profile:
            self.accept(**profile)

    def accept(self, **profile: Any) -> dict[str, Any]:
        """Set the profile."""
        answer = self.call("PUT", PATH, PROFILE | profile)
        assert answer.status_code == 200, answer.content
        stored: dict[str, Any] = answer.json()
        return stored


@pytest.fixture
def ann() -> Person:
    """Who opens tables."""
    return Person("ann")


def invite(ann: Person, path: str, name: str) -> Any:
    """Ask a bot to the table."""
    return ann.post(f"{path}/bots", {"player": name})


def table(ann: Person, **body: Any) -> str:
    """A table with a free seat."""
    return f"/games/{create(ann, **body)['id']}"


def listed(query: str = "") -> list[dict[str, Any]]:
    """The items of GET /bots."""
    items: list[dict[str, Any]] = Api().get(f"/bots{query}").json()["items"]
    return items


class TestProfile:
    """PUT and GET of one's own."""

    def test_nothing_is_accepted_until_it_is_said(self) -> None:
        assert Bot("rob").get(PATH).json() == {
            "rulesets": [], "seats": [], "concurrency": 0, "options": False,
        }  # fmt: skip

    def test_what_was_set_is_there_until_it_is_replaced(self) -> None:
        rob = Bot("rob")
        stored = rob.accept(seats=[3, 2, 3], rulesets=["transfer", "podkidnoy", "throw_in"])
        assert stored == PROFILE | {"options": False} == rob.get(PATH).json()
        assert rob.accept(concurrency=0, options=True)["concurrency"] == 0
        assert rob.get(PATH).json()["options"]

    @pytest.mark.parametrize(
        ("change", "field"),
        [
            ({"seats": [1]}, "seats[0]"),
            ({"seats": [7]}, "seats[0]"),
            ({"seats": "2"}, "seats"),
            ({"rulesets": None}, "rulesets"),
            ({"concurrency": -1}, "concurrency"),
            ({"concurrency": 1001}, "concurrency"),
            ({"options": 1}, "options"),
            ({"ruleset": "x"}, "ruleset"),
        ],
    )
    def test_what_cannot_be_is_named(self, change: dict[str, Any], field: str) -> None:
        rob = Bot("rob")
        answer = rob.call("PUT", PATH, PROFILE | change)
        assert [*bad_fields(answer)] in ([field], [field.replace("[0]", "[...]")])
        assert not BotProfile.objects.exists()

    def test_an_unknown_ruleset_is_refused(self) -> None:
        rob = Bot("rob")
        refusal(rob.call("PUT", PATH, PROFILE | {"rulesets": ["chess"]}), 400, "rules.unknown")

    def test_people_have_none(self, ann: Person) -> None:
        refusal(ann.get(PATH), 403, "player.not_bot")
        refusal(ann.call("PUT", PATH, PROFILE), 403, "player.not_bot")

    def test_it_takes_a_token_that_may(self) -> None:
        refusal(Api().get(PATH), 401, "auth.missing")
        rob = Bot("rob")
        limit_scopes("games:play")
        refusal(rob.call("PUT", PATH, PROFILE), 403, "auth.scope")

    def test_it_goes_with_the_account(self) -> None:
        rob = Bot("rob", concurrency=1)
        assert rob.call("DELETE", "/players/me").status_code == 204
        assert not BotProfile.objects.exists()
        assert listed("?kind=player") == []


class TestList:
    """GET /bots."""

    def test_brains_come_first_and_then_who_accepts(self) -> None:
        Bot("zoe", concurrency=3)
        Bot("Rob", concurrency=1, options=True)
        for name, change in (
            ("idle", {"concurrency": 0}),
            ("none", {"rulesets": []}),
            ("nowhere", {"seats": []}),
        ):
            Bot(name, **change)
        Bot("silent")
        brains = [entry.name for entry in brain_list()]
        assert [item["id"] for item in listed()] == [*brains, "Rob", "zoe"]
        assert [item["id"] for item in listed("?kind=player")] == ["Rob", "zoe"]
        assert [item["id"] for item in listed("?kind=brain")] == brains
        rob = listed("?kind=player")[0]
        assert rob == {
            "id": "Rob", "kind": "player", "title": "Rob", "families": ["bout"], "playing": 0,
            "strength": None, "strengths": {}, "version": None,
            "accepts": PROFILE | {"concurrency": 1, "options": True},
        }  # fmt: skip

    @pytest.mark.parametrize(
        ("query", "names"),
        [
            ("&ruleset=mau_mau", ["shed"]),
            ("&ruleset=throw_in", ["pair", "team"]),
            ("&ruleset=podkidnoy&seats=4", ["team"]),
            ("&seats=2", ["pair", "shed"]),
            ("&ruleset=chess", []),
        ],
    )
    def test_it_is_filtered(self, query: str, names: list[str]) -> None:
        Bot("pair", seats=[2])
        Bot("team", seats=[4])
        Bot("shed", rulesets=["mau_mau"], seats=[2])
        assert [item["id"] for item in listed(f"?kind=player{query}")] == names

    def test_it_comes_in_pages(self) -> None:
        for name in ("rob", "sam", "tim"):
            Bot(name, concurrency=1)
        seen, query = [], "?limit=2"
        while query:
            page = Api().get(f"/bots{query}").json()
            assert len(page["items"]) <= 2
            seen += [item["id"] for item in page["items"]]
            query = page["next"] and f"?limit=2&cursor={page['next']}"
        assert seen == [*(entry.name for entry in brain_list()), "rob", "sam", "tim"]

    def test_a_cursor_of_another_list_is_refused(self) -> None:
        assert [*bad_fields(Api().get("/bots?cursor=MQ"))] == ["cursor"]


class TestSeat:
    """POST /games/{id}/bots with a player."""

    def test_it_takes_the_seat_and_hears_of_the_game(self, ann: Person) -> None:
        rob = Bot("rob", concurrency=1)
        path = table(ann)
        answer = invite(ann, path, "ROB")
        assert answer.status_code == 200, answer.content
        seat = answer.json()["seats"][1]
        assert (seat["player"], seat["kind"], seat["bot"]) == ("rob", "bot", None)
        assert answer.json()["status"] == "running"
        assert view_of(rob, path)["you"]["seat"] == 1
        news = rob.get("/players/me/events").json()["events"]
        assert news[0]["type"] == "game_started"
        assert news[0]["url"] == f"/api/v1{path}"
        assert listed("?kind=player")[0]["playing"] == 1

    def test_an_open_game_counts_as_well(self, ann: Person) -> None:
        Bot("rob", concurrency=1)
        assert invite(ann, table(ann, seats=3), "rob").status_code == 200
        problem = refusal(invite(ann, table(ann), "rob"), 409, "bot.declined")
        assert problem["reason"] == "busy"

    def test_a_game_that_is_over_makes_room(self, ann: Person) -> None:
        rob = Bot("rob", concurrency=1)
        first, second = table(ann), table(ann)
        assert invite(ann, first, "rob").status_code == 200
        assert refusal(invite(ann, second, "rob"), 409, "bot.declined")["reason"] == "busy"
        assert rob.post(f"{first}/resign").status_code == 200
        assert invite(ann, second, "rob").status_code == 200

    @pytest.mark.parametrize(
        ("body", "profile", "reason"),
        [
            ({"ruleset": "mau_mau"}, {}, "ruleset"),
            ({"seats": 4}, {}, "seats"),
            ({"options": {"deck_size": 24}}, {}, "options"),
            ({}, {"concurrency": 0}, "not_accepting"),
        ],
    )
    def test_what_it_does_not_accept_is_declined(
        self, ann: Person, body: dict[str, Any], profile: dict[str, Any], reason: str
    ) -> None:
        Bot("rob", **{"concurrency": 1, **profile})
        path = table(ann, **body)
        problem = refusal(invite(ann, path, "rob"), 409, "bot.declined")
        assert problem["reason"] == reason
        assert view_of(ann, path)["seats"][1]["player"] is None
        assert GameSeat.objects.count() == 1

    def test_options_are_accepted_by_who_says_so(self, ann: Person) -> None:
        Bot("rob", options=True)
        path = table(ann, options={"deck_size": 24})
        assert invite(ann, path, "rob").status_code == 200

    def test_only_bots_that_said_so_are_seated(self, ann: Person) -> None:
        Bot("silent")
        Person("bob")
        path = table(ann)
        for name in ("silent", "bob", "greedy"):
            problem = refusal(invite(ann, path, name), 409, "bot.declined")
            assert problem["reason"] == "not_accepting"
        refusal(invite(ann, path, "nobody"), 404, "player.not_found")

    def test_it_sits_once_and_only_where_there_is_room(self, ann: Person) -> None:
        Bot("rob", concurrency=9)
        Bot("sam", concurrency=9)
        path = table(ann, seats=3)
        assert invite(ann, path, "rob").status_code == 200
        refusal(invite(ann, path, "rob"), 409, "game.already_joined")
        assert invite(ann, path, "sam").status_code == 200
        full = table(ann, bots=[{"brain": "greedy"}])
        refusal(invite(ann, full, "rob"), 409, "game.full")

    def test_only_the_creator_asks(self, ann: Person) -> None:
        rob = Bot("rob", concurrency=1)
        refusal(invite(rob, table(ann), "rob"), 403, "game.not_creator")
        hidden = table(ann, visibility="private")
        refusal(invite(rob, hidden, "rob"), 404, "game.not_found")
        assert invite(ann, hidden, "rob").status_code == 200
        assert view_of(rob, hidden)["you"]["seat"] == 1

    @pytest.mark.parametrize("body", [{}, {"brain": "greedy", "player": "rob"}])
    def test_a_brain_or_a_player(self, ann: Person, body: dict[str, str]) -> None:
        assert [*bad_fields(ann.post(f"{table(ann)}/bots", body))] == ["brain"]

    def test_asked_twice_with_one_key_it_comes_once(self, ann: Person) -> None:
        Bot("rob", concurrency=1)
        path = table(ann, seats=3)
        body = {"player": "rob"}
        first = ann.post(f"{path}/bots", body, idempotency_key="k")
        again = ann.post(f"{path}/bots", body, idempotency_key="k")
        assert first.content == again.content
        assert again["Idempotency-Replayed"] == "true"
