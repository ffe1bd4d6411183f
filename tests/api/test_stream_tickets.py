"""A minute's right to read streams, and to do nothing else."""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import pytest
from django.core.signing import TimestampSigner
from django.urls import URLPattern
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from games.api import tickets
from games.api.operations import Operation, operation_of
from games.api.urls import urlpatterns
from games.models import ApiToken
from tests.api.conftest import Api, refusal
from tests.api.tables import BODIES, Person, limit_scopes, open_game

pytestmark = pytest.mark.django_db
MINE = "/players/me/events"


def ticket_of(who: Api) -> str:
    """A fresh ticket, as it stands in an address."""
    answer = who.post("/stream-tickets")
    assert answer.status_code == 201, answer.content
    return quote(answer.json()["ticket"])


@pytest.fixture
def ann() -> Person:
    """A player."""
    return Person("ann")


def test_a_ticket_lasts_a_minute(ann: Person) -> None:
    answer = ann.post("/stream-tickets", {})
    ends = parse_datetime(answer.json()["expires_at"])
    assert ends is not None
    assert 55 < (ends - timezone.now()).total_seconds() <= 60
    assert answer["Cache-Control"] == "no-store"


def test_a_ticket_opens_what_its_player_may_read_as_often_as_needed(ann: Person) -> None:
    path = open_game(ann, Person("bob"), visibility="private")
    ticket = ticket_of(ann)
    nobody = Api()
    for _ in range(2):
        own = nobody.get(f"{MINE}?ticket={ticket}").json()["events"]
        assert own == ann.get(MINE).json()["events"] != []
        events = nobody.get(f"{path}/events?ticket={ticket}")
        assert events.content == ann.get(f"{path}/events").content
    eve = ticket_of(Person("eve"))
    refusal(nobody.get(f"{path}/events?ticket={eve}"), 404, "game.not_found")


def operations() -> Iterator[tuple[str, str, Operation]]:
    """Method, path and declaration of everything that is published."""
    for pattern in urlpatterns:
        view = (
            getattr(pattern.callback, "view_class", None)
            if isinstance(pattern, URLPattern)
            else None
        )
        for method in ("get", "post", "put", "patch", "delete"):
            promise = operation_of(getattr(view, method, None))
            if promise is not None:
                yield method.upper(), "/" + str(pattern.pattern), promise


def test_a_ticket_is_good_for_two_addresses() -> None:
    taking = {(method, path) for method, path, promise in operations() if promise.ticket}
    assert taking == {("GET", f"{MINE}"), ("GET", "/games/<str:game_id>/events")}


def test_nothing_else_takes_a_ticket(ann: Person) -> None:
    game = open_game(ann, Person("bob")).removeprefix("/games/")
    ticket = ticket_of(ann)
    demanding = [each for each in operations() if each[2].access == "required"]
    assert len(demanding) > 20
    for method, path, promise in demanding:
        if promise.ticket:
            continue
        place = re.sub("<[^>]+>", game, path)
        body = BODIES.get(place.rpartition("/")[2]) if method == "POST" else None
        answer = Api().call(method, f"{place}?ticket={ticket}", body)
        refusal(answer, 401, "auth.missing")


def test_a_private_game_stays_hidden_from_a_ticket_in_the_wrong_place(ann: Person) -> None:
    path = open_game(ann, Person("bob"), visibility="private")
    refusal(Api().get(f"{path}?ticket={ticket_of(ann)}"), 404, "game.not_found")


def test_a_ticket_is_no_token(ann: Person) -> None:
    ticket = ann.post("/stream-tickets").json()["ticket"]
    refusal(Api(ticket).get(MINE), 401, "auth.invalid")


def test_a_token_in_the_query_is_not_looked_at(ann: Person) -> None:
    refusal(Api().get(f"{MINE}?ticket={ann.token}"), 401, "auth.invalid")


@pytest.mark.parametrize("change", ["", "x", "st_", lambda text: text[:-2] + "AA", str.upper])
def test_what_was_not_signed_here_is_refused(ann: Person, change: Any) -> None:
    text = ann.post("/stream-tickets").json()["ticket"]
    false = change(text) if callable(change) else change
    refusal(Api().get(f"{MINE}?ticket={quote(false)}"), 401, "auth.invalid")


def test_what_was_signed_for_something_else_is_refused(ann: Person) -> None:
    token = ApiToken.objects.get(player=ann.id)
    other = TimestampSigner(salt="something-else").sign(token.id.hex)
    refusal(Api().get(f"{MINE}?ticket=st_{quote(other)}"), 401, "auth.invalid")


def test_a_ticket_ends(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    ticket = ticket_of(ann)
    monkeypatch.setattr(tickets, "TICKET_SECONDS", -1)
    refusal(Api().get(f"{MINE}?ticket={ticket}"), 401, "auth.expired")


def test_a_ticket_ends_with_its_token(ann: Person) -> None:
    ticket = ticket_of(ann)
    token = ApiToken.objects.get(player=ann.id)
    assert ann.call("DELETE", f"/tokens/{token.id}").status_code == 204
    refusal(Api().get(f"{MINE}?ticket={ticket}"), 401, "auth.invalid")


def test_a_ticket_wants_the_right_to_read(ann: Person) -> None:
    ticket = ticket_of(ann)
    limit_scopes("games:play")
    refusal(ann.post("/stream-tickets"), 403, "auth.scope")
    refusal(Api().get(f"{MINE}?ticket={ticket}"), 403, "auth.scope")
    refusal(Api().post("/stream-tickets"), 401, "auth.missing")
