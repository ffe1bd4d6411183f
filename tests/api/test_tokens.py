"""Tokens over HTTP."""

import time

import pytest
from pytest_django import Settings

from games.models import SCOPES, ApiToken
from games.services.player_register import Registered, player_register
from tests.api.conftest import Api, bad_fields, refusal

pytestmark = pytest.mark.django_db
ANN = {"name": "Ann", "password": "correct horse"}


def test_signing_in_gives_a_token_with_every_scope(anybody: Api, ann: Registered) -> None:
    answer = anybody.post("/tokens", ANN)
    assert (answer.status_code, answer["Cache-Control"]) == (201, "no-store")
    token = answer.json()
    assert token["scopes"] == list(SCOPES)
    assert Api(token["token"]).get("/players/me").json()["id"] == str(ann.player.id)


def test_a_token_may_have_fewer_scopes_a_label_and_an_end(anybody: Api, ann: Registered) -> None:
    wish = {"scopes": ["games:play", "games:read"], "label": "laptop", "expires_in": 60}
    token = anybody.post("/tokens", ANN | wish).json()
    assert token["scopes"] == ["games:read", "games:play"]
    assert token["expires_at"].endswith("Z")
    assert Api(token["token"]).get("/players/me").json()["scopes"] == token["scopes"]


@pytest.mark.parametrize(
    "body",
    [
        {"name": "ann", "password": "wrong horse"},
        {"name": "nobody", "password": "correct horse"},
        {"name": "guest", "password": "correct horse"},
        {"name": "guest", "password": ""},
        {"name": "\u0130\u0307 ", "password": "x"},
    ],
)
def test_wrong_credentials_are_all_the_same(
    anybody: Api, ann: Registered, body: dict[str, str]
) -> None:
    player_register(name="guest")
    problem = refusal(anybody.post("/tokens", body), 401, "auth.invalid")
    assert problem == refusal(
        anybody.post("/tokens", {"name": "else", "password": "else"}), 401, "auth.invalid"
    )


def test_fields_of_a_sign_in(anybody: Api) -> None:
    body = {"name": "ann", "scopes": ["games:all"], "expires_in": 0, "label": "x" * 101}
    faults = bad_fields(anybody.post("/tokens", body))
    assert faults.keys() == {"password", "scopes[0]", "expires_in", "label"}


def test_tokens_are_listed_without_their_texts(anybody: Api, as_ann: Api) -> None:
    other = anybody.post("/tokens", ANN | {"label": "phone"}).json()
    answer = as_ann.get("/tokens")
    first, second = answer.json()["items"]
    assert (first["id"], first["label"], first["current"]) == (other["id"], "phone", False)
    assert second["current"]
    assert "dk_" not in answer.content.decode()


def test_tokens_come_in_pages(anybody: Api, as_ann: Api) -> None:
    ids = [anybody.post("/tokens", ANN).json()["id"] for _ in range(4)]
    seen: list[str] = []
    path = "/tokens?limit=2"
    while path:
        answer = as_ann.get(path)
        page = answer.json()
        seen += [token["id"] for token in page["items"]]
        path = f"/tokens?limit=2&cursor={page['next']}" if page["next"] else ""
        assert ('rel="next"' in answer.get("Link", "")) == bool(path)
    assert seen[:4] == ids[::-1]
    assert len(seen) == 5


def test_a_revoked_token_is_refused_at_once(anybody: Api, as_ann: Api) -> None:
    token = anybody.post("/tokens", ANN).json()
    assert Api(token["token"]).get("/players/me").status_code == 200
    assert as_ann.call("DELETE", f"/tokens/{token['id']}").status_code == 204
    refusal(Api(token["token"]).get("/players/me"), 401, "auth.invalid")
    refusal(as_ann.call("DELETE", f"/tokens/{token['id']}"), 404, "token.not_found")
    assert token["id"] not in str(as_ann.get("/tokens").json())


def test_nobody_revokes_the_token_of_another(as_ann: Api) -> None:
    bob = player_register(name="bob")
    refusal(as_ann.call("DELETE", f"/tokens/{bob.token.id}"), 404, "token.not_found")
    assert Api(bob.token.text).get("/players/me").status_code == 200


@pytest.mark.parametrize(
    "token_id", ["1", "%00", "x" * 36, "{0198b3a4-0000-7000-8000-000000000000}"]
)
def test_an_id_that_is_none(as_ann: Api, token_id: str) -> None:
    refusal(as_ann.call("DELETE", f"/tokens/{token_id}"), 404, "token.not_found")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/tokens"),
        ("DELETE", "/tokens/0198b3a4-0000-7000-8000-000000000000"),
        ("PATCH", "/players/me"),
        ("DELETE", "/players/me"),
    ],
)
def test_the_account_needs_its_scope(anybody: Api, ann: Registered, method: str, path: str) -> None:
    token = anybody.post("/tokens", ANN | {"scopes": ["games:read"]}).json()["token"]
    answer = Api(token).call(method, path)
    assert refusal(answer, 403, "auth.scope")["scope"] == "tokens:manage"
    assert "insufficient_scope" in answer["WWW-Authenticate"]


def test_an_unknown_name_takes_as_long_as_a_wrong_password(
    anybody: Api, ann: Registered, settings: Settings
) -> None:
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.ScryptPasswordHasher"]
    costly = player_register(name="costly", password="correct horse")
    assert costly.player.password.startswith("scrypt$")

    def spent(name: str) -> float:
        start = time.process_time()
        refusal(anybody.post("/tokens", {"name": name, "password": "wrong"}), 401, "auth.invalid")
        return time.process_time() - start

    assert spent("nobody") > spent("costly") / 3


def test_the_database_holds_a_digest_only(ann: Registered) -> None:
    assert len(bytes(ApiToken.objects.get().digest)) == 32
