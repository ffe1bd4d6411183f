"""Webhooks over HTTP: made, changed, tried, looked at; nobody's but their owner's."""

import re
from typing import Any

import pytest
from django.conf import settings

from games.models import Webhook, WebhookDelivery
from games.services.player_delete import player_delete
from tests.api.conftest import Api, bad_fields, refusal
from tests.api.tables import NOBODY_KNOWS, Person, limit_scopes, people

pytestmark = pytest.mark.django_db
URL = "https://example.com/hook"


def make(who: Api, **body: Any) -> dict[str, Any]:
    """A new webhook, as its maker is shown it."""
    answer = who.post("/webhooks", {"url": URL, **body})
    assert answer.status_code == 201, answer.content
    made: dict[str, Any] = answer.json()
    assert answer["Location"] == f"/api/v1/webhooks/{made['id']}"
    assert answer["Cache-Control"] == "no-store"
    return made


@pytest.fixture
def ann() -> Person:
    """A player."""
    return Person("ann")


def test_the_secret_is_shown_once(ann: Person) -> None:
    made = make(ann, label="my server")
    assert re.fullmatch(r"whsec_[A-Za-z0-9+/]{43}=", made.pop("secret"))
    assert made["events"] == ["turn.yours", "game.started", "game.finished"]
    assert (made["status"], made["failing_since"], made["label"]) == ("enabled", None, "my server")
    path = f"/webhooks/{made['id']}"
    assert ann.get(path).json() == made
    assert ann.get("/webhooks").json() == {"items": [made], "next": None}
    assert ann.call("PATCH", path, {"label": ""}).json() == made | {"label": ""}


def test_it_can_be_changed_and_removed(ann: Person) -> None:
    path = f"/webhooks/{make(ann)['id']}"
    change = {"url": f"{URL}/2", "events": ["game.finished", "turn.yours"], "status": "paused"}
    changed = ann.call("PATCH", path, change).json()
    assert changed.items() >= {**change, "events": ["turn.yours", "game.finished"]}.items()
    assert ann.call("PATCH", path, {"status": "enabled"}).json()["status"] == "enabled"
    assert ann.call("DELETE", path).status_code == 204
    refusal(ann.get(path), 404, "webhook.not_found")


def test_a_new_secret_is_shown_once_too(ann: Person) -> None:
    made = make(ann)
    answer = ann.post(f"/webhooks/{made['id']}/secret")
    assert answer["Cache-Control"] == "no-store"
    assert answer.json().pop("secret") != made["secret"]
    assert "secret" not in ann.get(f"/webhooks/{made['id']}").json()


def test_nobody_elses_webhooks_are_there(ann: Person) -> None:
    eve, paths = Person("eve"), [f"/webhooks/{make(ann)['id']}", f"/webhooks/{NOBODY_KNOWS}"]
    for path in [*paths, "/webhooks/x"]:
        for method, place in (
            ("GET", path),
            ("PATCH", path),
            ("DELETE", path),
            ("POST", f"{path}/secret"),
            ("POST", f"{path}/test"),
            ("GET", f"{path}/deliveries"),
        ):
            body = {} if method in ("PATCH", "POST") else None
            refusal(eve.call(method, place, body), 404, "webhook.not_found")
    assert eve.get("/webhooks").json()["items"] == []


def test_a_scope_of_its_own_is_needed(ann: Person) -> None:
    path = f"/webhooks/{make(ann)['id']}"
    limit_scopes("games:read", "games:play", "games:create", "tokens:manage")
    for method, place in (("GET", "/webhooks"), ("POST", "/webhooks"), ("DELETE", path)):
        refusal(ann.call(method, place), 403, "auth.scope")
    refusal(Api().get("/webhooks"), 401, "auth.missing")


def test_a_player_has_a_few(ann: Person) -> None:
    most = settings.WEBHOOKS_PER_PLAYER
    made = [make(ann)["id"] for _ in range(most)]
    problem = refusal(ann.post("/webhooks", {"url": URL}), 409, "webhook.too_many")
    assert problem["limit"] == most
    ann.call("DELETE", f"/webhooks/{made[0]}")
    assert make(ann)


@pytest.mark.parametrize(
    "url",
    [
        "",
        "example.com",
        "ftp://example.com/",
        "file:///etc/passwd",
        "https://",
        "https://user:password@example.com/",
        "https://example.com/#part",
        "https://exämple.com/",
        "https://example.com/a b",
        "https://example.com:99999/",
        "http://127.0.0.1/",
        "http://10.1.2.3/",
        "http://169.254.169.254/latest/meta-data/",
        "http://[::1]/",
        "http://[::ffff:192.168.0.1]/",
        "http://[fe80::1]/",
        "http://0.0.0.0:8000/",
        "http://224.0.0.1/",
        "https://example.com:22/",
        "https://example.com/\r\nX-Evil: 1",
    ],
)
def test_an_address_that_will_not_do_is_refused(ann: Person, url: str) -> None:
    assert "url" in bad_fields(ann.post("/webhooks", {"url": url}))
    path = f"/webhooks/{make(ann)['id']}"
    assert "url" in bad_fields(ann.call("PATCH", path, {"url": url}))


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"url": URL, "events": []}, "events"),
        ({"url": URL, "events": ["cards.all"]}, "events[0]"),
        ({"url": URL, "secret": "mine"}, "secret"),
        ({"url": f"{URL}/{'x' * 500}"}, "url"),
        ({}, "url"),
    ],
)
def test_a_body_that_will_not_do_is_refused(ann: Person, body: dict[str, Any], field: str) -> None:
    assert field in bad_fields(ann.post("/webhooks", body))


def test_a_test_is_in_the_log_of_deliveries(ann: Person) -> None:
    path = f"/webhooks/{make(ann)['id']}"
    sent = [ann.post(f"{path}/test").json() for _ in range(3)]
    assert (
        sent[0].items() >= {"event": "webhook.test", "status": "pending", "game_id": None}.items()
    )
    first = ann.get(f"{path}/deliveries?limit=2").json()
    rest = ann.get(f"{path}/deliveries?limit=2&cursor={first['next']}").json()
    assert [*first["items"], *rest["items"]] == sent[::-1]
    assert rest["next"] is None


def test_a_paused_one_drops_what_waits_and_is_not_tried(ann: Person) -> None:
    path = f"/webhooks/{make(ann)['id']}"
    ann.post(f"{path}/test")
    ann.call("PATCH", path, {"status": "paused"})
    [item] = ann.get(f"{path}/deliveries").json()["items"]
    assert (item["status"], item["next_attempt_at"]) == ("dropped", None)
    refusal(ann.post(f"{path}/test"), 409, "webhook.disabled")


def test_tests_are_limited(ann: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(settings.API_LIMITS, "webhook_test", 2)
    path = f"/webhooks/{make(ann)['id']}/test"
    answers = [ann.post(path).status_code for _ in range(4)]
    assert answers[-1] == 429
    assert "webhook_test" in {each["bucket"] for each in ann.get("/limits").json()["items"]}


def test_refusals_are_told_in_russian(ann: Person) -> None:
    russian = Api(ann.token, "ru")
    problem = refusal(russian.get(f"/webhooks/{NOBODY_KNOWS}"), 404, "webhook.not_found")
    assert problem["title"] == "Такого вебхука нет"


def test_they_go_with_the_account() -> None:
    ann, bob = people(2)
    for who in (ann, bob):
        ann_or_bob = make(who)["id"]
        who.post(f"/webhooks/{ann_or_bob}/test")
    player_delete(player_id=ann.id)
    assert [row.player_id for row in Webhook.objects.all()] == [bob.id]
    assert WebhookDelivery.objects.count() == 1
