"""Accounts over HTTP."""

import re

import pytest

from games.models import ApiToken, Player
from games.services.player_register import Registered
from tests.api.conftest import Api, bad_fields, refusal

pytestmark = pytest.mark.django_db
PEOPLE = Player.objects.filter(kind="human")


def test_a_guest_gets_a_token_that_works(anybody: Api) -> None:
    answer = anybody.post("/players", {"name": "ann"})
    assert answer.status_code == 201
    player = answer.json()
    assert (player["name"], player["kind"]) == ("ann", "human")
    assert re.fullmatch(r"dk_[A-Za-z0-9_-]{43}", player["token"])
    me = Api(player["token"]).get("/players/me").json()
    assert (me["id"], me["has_password"]) == (player["id"], False)


def test_a_token_is_shown_once_and_kept_by_nobody(anybody: Api) -> None:
    answer = anybody.post("/players", {"name": "ann"})
    assert answer["Cache-Control"] == "no-store"
    text = answer.json()["token"]
    row = str(ApiToken.objects.values().get())
    assert text not in row
    assert text.removeprefix("dk_") not in row


def test_a_program_registers_as_a_bot(anybody: Api) -> None:
    assert anybody.post("/players", {"name": "r2", "kind": "bot"}).json()["kind"] == "bot"


def test_the_location_of_a_russian_name_can_be_followed(anybody: Api) -> None:
    answer = anybody.post("/players", {"name": "Аня"})
    location = answer["Location"].removeprefix("/api/v1")
    assert anybody.get(location).json()["name"] == "Аня"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "a",
        "a" * 31,
        "me",
        "ME",
        "a b",
        "a.b",
        "a\u200bb",
        "a\u3164",
        "ｍｅ",
        "a\u0301\u0301",
        "é!",
    ],
)
def test_what_is_no_name(anybody: Api, name: str) -> None:
    assert "name" in bad_fields(anybody.post("/players", {"name": name}))
    assert not PEOPLE.all().exists()


@pytest.mark.parametrize("name", ["ab", "a" * 30, "Ёж_1", "--", "e\u0301e\u0301", "李小龙"])
def test_what_is_a_name(anybody: Api, name: str) -> None:
    assert anybody.post("/players", {"name": name}).status_code == 201
    assert anybody.get(f"/players/{name}").status_code == 200


@pytest.mark.parametrize(("first", "second"), [("ann", "ANN"), ("Ёжик", "ёЖИК"), ("Weiß", "weiss")])
def test_names_differ_by_more_than_case(anybody: Api, first: str, second: str) -> None:
    anybody.post("/players", {"name": first})
    refusal(anybody.post("/players", {"name": second}), 409, "player.name_taken")
    assert PEOPLE.all().count() == 1


def test_a_public_page_is_found_in_any_case(anybody: Api, ann: Registered) -> None:
    page = anybody.get("/players/ANN").json()
    assert page.keys() == {"id", "name", "kind", "created_at"}
    assert page["id"] == str(ann.player.id)


@pytest.mark.parametrize("name", ["nobody", "%00", "a%20b", "%ff%fe", "ME", "x" * 3000])
def test_a_page_that_is_not(anybody: Api, name: str) -> None:
    refusal(anybody.get(f"/players/{name}"), 404, "player.not_found")


def test_my_account_needs_a_token(anybody: Api) -> None:
    refusal(anybody.get("/players/me"), 401, "auth.missing")


def test_a_change_changes_what_it_names(as_ann: Api, ann: Registered) -> None:
    changed = as_ann.call("PATCH", "/players/me", {"name": "Anna", "language": "ru"}).json()
    assert (changed["name"], changed["language"], changed["has_password"]) == ("Anna", "ru", True)
    assert as_ann.call("PATCH", "/players/me", {}).json() == changed
    assert as_ann.call("PATCH", "/players/me", {"name": "ANNA"}).status_code == 200


def test_a_change_to_a_taken_name(anybody: Api, as_ann: Api) -> None:
    anybody.post("/players", {"name": "bob"})
    taken = as_ann.call("PATCH", "/players/me", {"name": "BOB"})
    refusal(taken, 409, "player.name_taken")
    assert as_ann.get("/players/me").json()["name"] == "ann"


def test_a_guest_who_sets_a_password_can_sign_in(anybody: Api) -> None:
    token = anybody.post("/players", {"name": "gast"}).json()["token"]
    sign_in = {"name": "gast", "password": "s3cret-word"}
    refusal(anybody.post("/tokens", sign_in), 401, "auth.invalid")
    Api(token).call("PATCH", "/players/me", {"password": "s3cret-word"})
    assert anybody.post("/tokens", sign_in).status_code == 201


def test_a_deleted_account_leaves_an_id_and_nothing_else(anybody: Api, as_ann: Api) -> None:
    gone = as_ann.call("DELETE", "/players/me")
    assert (gone.status_code, gone.content) == (204, b"")
    refusal(as_ann.get("/players/me"), 401, "auth.invalid")
    refusal(anybody.get("/players/ann"), 404, "player.not_found")
    row = PEOPLE.all().get()
    assert (row.password, ApiToken.objects.count()) == ("", 0)
    refusal(anybody.get(f"/players/{row.name}"), 404, "player.not_found")
    credentials = {"name": "ann", "password": "correct horse"}
    refusal(anybody.post("/tokens", credentials), 401, "auth.invalid")
    assert anybody.post("/players", {"name": "ann"}).status_code == 201


def test_nobody_can_stand_in_the_way_of_a_deletion(
    anybody: Api, as_ann: Api, ann: Registered
) -> None:
    # Ids are public: whoever knows one must not know the name that its owner will have at last.
    for digits in range(1, 23):
        anybody.post("/players", {"name": f"deleted-{ann.player.id.hex[-digits:]}"})
    assert as_ann.call("DELETE", "/players/me").status_code == 204


def test_every_bad_field_is_named(anybody: Api) -> None:
    body = {"name": 7, "password": "short", "kind": "cat", "language": "de", "admin": True}
    faults = bad_fields(anybody.post("/players", body))
    assert faults.keys() == {"name", "password", "kind", "language", "admin"}
    assert bad_fields(anybody.post("/players", {})) == {"name": "required"}


def test_a_refusal_does_not_repeat_a_password(anybody: Api) -> None:
    answer = anybody.post("/players", {"name": "ann", "password": "p:2z"})
    assert "password" in bad_fields(answer)
    assert "p:2z" not in answer.content.decode()


def test_the_list_of_bad_fields_has_an_end(anybody: Api) -> None:
    body = {f"field{number}": 1 for number in range(5000)}
    assert len(bad_fields(anybody.post("/players", body))) == 100


def test_the_language_of_the_account_is_used_where_a_request_asks_for_none(anybody: Api) -> None:
    token = anybody.post("/players", {"name": "ваня"}, accept_language="ru").json()["token"]
    refused = Api(token).call("PATCH", "/players/me", {"language": "xx"})
    assert refused["Content-Language"] == "ru"
    assert refused.json()["title"] == "В запросе неверные поля"
    english = Api(token, language="en").call("PATCH", "/players/me", {"language": "xx"})
    assert english["Content-Language"] == "en"
