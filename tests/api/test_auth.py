"""Who is asking."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import ApiToken
from games.services.player_register import Registered
from tests.api.conftest import Api, refusal

pytestmark = pytest.mark.django_db
UNKNOWN = "dk_" + "x" * 43


def test_without_a_token(anybody: Api) -> None:
    answer = anybody.get("/players/me")
    refusal(answer, 401, "auth.missing")
    assert answer["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "header",
    ["", "Bearer", f"Basic {UNKNOWN}", f"Bearer {UNKNOWN}", f"Bearer {UNKNOWN}x", "Bearer dk_ключ"],
)
def test_what_is_no_token(anybody: Api, header: str) -> None:
    answer = anybody.get("/players/me", authorization=header)
    refusal(answer, 401, "auth.invalid")
    assert "x" * 9 not in answer.content.decode()


def test_the_scheme_is_read_in_any_case(anybody: Api, ann: Registered) -> None:
    answer = anybody.get("/players/me", authorization=f"bearer  {ann.token.text}")
    assert answer.status_code == 200


def test_an_expired_token(as_ann: Api) -> None:
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    refusal(as_ann.get("/players/me"), 401, "auth.expired")


def test_refusals_have_one_shape_and_no_secret(as_ann: Api, ann: Registered) -> None:
    unknown = Api(UNKNOWN).get("/tokens")
    ApiToken.objects.update(scopes=["games:read"])
    narrow = as_ann.get("/tokens")
    ApiToken.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    expired = as_ann.get("/tokens")
    members = set(unknown.json())
    assert set(expired.json()) == members
    assert set(narrow.json()) - {"scope"} == members
    for answer in (unknown, narrow, expired):
        assert "dk_" not in str(answer.serialize_headers())
        assert ann.token.text not in answer.content.decode()
        assert ann.token.text.removeprefix("dk_") not in answer.content.decode()


def test_a_token_costs_one_query(as_ann: Api) -> None:
    with CaptureQueriesContext(
        connection,
    ) as queries:
        refusal(as_ann.get("/tokens?limit=no"), 400, "request.invalid")
    assert len(queries) == 1


def test_where_no_token_is_needed_none_is_looked_at() -> None:
    stale = Api(UNKNOWN)
    with CaptureQueriesContext(connection) as queries:
        assert stale.get("/limits").status_code == 200
    assert len(queries) == 0
    assert stale.post("/players", {"name": "ann"}).status_code == 201
