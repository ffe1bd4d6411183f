"""/quick-matches"""

from datetime import datetime
from functools import partial
from typing import Any

import pytest
from pytest_django import Settings

from games.models import QuickMatch
from tests.api.conftest import Api, bad_fields, refusal
from tests.api.tables import NOBODY_KNOWS, Person, limit_scopes, open_game, people, view_of
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)
PLACE = "/quick-matches"
WISH = {"rulesets": ["throw_in"], "seats": [2]}


def ask(player: Person, **more: Any) -> dict[str, Any]:
    """A ticket."""
    answer = player.post(PLACE, {**WISH, **more})
    assert answer.status_code == 201, answer.content
    assert answer["Location"] == f"/api/v1{PLACE}/{answer.json()['id']}"
    found: dict[str, Any] = answer.json()
    return found


def look(player: Api, ticket: dict[str, Any]) -> dict[str, Any]:
    """The ticket as it is now."""
    answer = player.get(f"{PLACE}/{ticket['id']}")
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def test_two_who_want_the_same_play() -> None:
    ann, bob = people(2)
    first = ask(ann, rulesets=["подкидной", "simple"], seats=[3, 2], bots=20, turn_seconds=30)
    assert first["status"] == "waiting"
    assert (first["rulesets"], first["seats"], first["bots"]) == (
        ["throw_in", "simple"],
        [3, 2],
        20,
    )
    assert (first["rated"], first["turn_seconds"], first["game"]) == (False, 30, None)
    second = ask(bob, turn_seconds=30)
    assert (second["status"], second["bots"], second["expires_at"]) == ("matched", "never", None)
    game = second["game"]
    assert (game["seat"], game["url"]) == (1, f"/api/v1/games/{game['id']}")
    assert look(ann, first)["game"] == game | {"seat": 0}
    view = view_of(ann, f"/games/{game['id']}")
    assert (view["status"], view["you"]["seat"]) == ("running", 0)
    assert [seat["player"] for seat in view["seats"]] == ["ann", "bob"]
    for player, seat in ((ann, 0), (bob, 1)):
        told = player.get("/players/me/events").json()["events"]
        started = next(event for event in told if event["type"] == "game_started")
        assert (started["game_id"], started["seat"]) == (game["id"], seat)


def test_bots_at_once() -> None:
    ann = Person("ann")
    ticket = ask(ann, bots=0, seats=[4])
    view = view_of(ann, f"/games/{ticket['game']['id']}")
    assert [seat["bot"] for seat in view["seats"]] == [None, "greedy", "greedy", "greedy"]


def test_to_ask_for_a_ticket_keeps_it(settings: Settings) -> None:
    ann = Person("ann")
    ticket = ask(ann)
    later = look(ann, ticket)
    assert at(later["expires_at"]) > at(ticket["expires_at"])
    settings.QUICK_MATCH_SECONDS = -5
    QuickMatch.objects.update(alive_until=at(ticket["created_at"]))
    assert look(ann, ticket)["status"] == "lapsed"
    refusal(ann.post(f"{PLACE}/{ticket['id']}"), 405, "request.method")


def at(text: str) -> datetime:
    """A time of the API's."""
    return datetime.fromisoformat(text)


def test_giving_up() -> None:
    ann, bob, cat = people(3)
    ticket = ask(ann)
    problem = refusal(ann.post(PLACE, WISH), 409, "quick_match.waiting")
    assert problem["id"] == ticket["id"]
    for _ in range(2):
        assert ann.call("DELETE", f"{PLACE}/{ticket['id']}").status_code == 204
    assert look(ann, ticket)["status"] == "cancelled"
    other = ask(bob)
    game = ask(cat)["game"]["id"]
    problem = refusal(bob.call("DELETE", f"{PLACE}/{other['id']}"), 409, "quick_match.matched")
    assert problem["game"] == game


def test_a_repeated_request_is_one_ticket() -> None:
    ann, bob = people(2)
    first = ann.post(PLACE, WISH, idempotency_key="k")
    again = ann.post(PLACE, WISH, idempotency_key="k")
    assert (again.status_code, again.content) == (201, first.content)
    assert again["Idempotency-Replayed"] == "true"
    other = {**WISH, "seats": [3]}
    refusal(ann.post(PLACE, other, idempotency_key="k"), 422, "idempotency.key_reused")
    refusal(ann.post(PLACE, other, idempotency_key="l"), 409, "quick_match.waiting")
    ask(bob)
    assert ann.post(PLACE, WISH, idempotency_key="k").content == first.content
    assert look(ann, first.json())["status"] == "matched"


def test_repeated_at_once_it_is_one_ticket_too() -> None:
    ann, bob = people(2)
    waiting = ask(bob)
    answers = at_once([partial(ann.post, PLACE, WISH, idempotency_key="k")] * 6)
    assert {(answer.status_code, answer.content) for answer in answers} == {
        (201, answers[0].content)
    }
    assert QuickMatch.objects.count() == 2
    assert answers[0].json()["game"]["id"] == look(bob, waiting)["game"]["id"]


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        ({"rulesets": []}, "rulesets"),
        ({"seats": []}, "seats"),
        ({"seats": ["2"]}, "seats[0]"),
        ({"seats": [0]}, "seats[0]"),
        ({"bots": "always"}, "bots"),
        ({"bots": -1}, "bots"),
        ({"bots": 3601}, "bots"),
        ({"bots": True}, "bots"),
        ({"turn_seconds": 1}, "turn_seconds"),
        ({"client_seed": "ы" * 33}, "client_seed"),
        ({"ruleset": "simple"}, "ruleset"),
    ],
)
def test_bad_wishes(wrong: dict[str, Any], field: str) -> None:
    assert set(bad_fields(Person("ann").post(PLACE, {**WISH, **wrong}))) == {field}


def test_wishes_that_nobody_can_grant() -> None:
    ann = Person("ann")
    refusal(ann.post(PLACE, {**WISH, "rulesets": ["poker"]}), 400, "rules.unknown")
    for seats in ([9], [2, 9]):
        problem = refusal(ann.post(PLACE, {**WISH, "seats": seats}), 400, "rules.invalid_options")
        assert problem["options"] == ["players"]
    assert QuickMatch.objects.count() == 0


def test_who_may(anybody: Api, settings: Settings) -> None:
    ann, bob = people(2)
    ticket = ask(ann)
    path = f"{PLACE}/{ticket['id']}"
    for call in (partial(anybody.post, PLACE, WISH), partial(anybody.get, path)):
        refusal(call(), 401, "auth.missing")
    for address in (path, f"{PLACE}/{NOBODY_KNOWS}", f"{PLACE}/x"):
        refusal(bob.get(address), 404, "quick_match.not_found")
        refusal(bob.call("DELETE", address), 404, "quick_match.not_found")
    limit_scopes("games:read")
    assert ann.get(path).status_code == 200
    refusal(ann.call("DELETE", path), 403, "auth.scope")
    refusal(bob.post(PLACE, WISH), 403, "auth.scope")


def test_a_ticket_counts_as_a_game(settings: Settings) -> None:
    ann, bob = people(2)
    settings.GAMES_PER_PLAYER = 1
    open_game(ann, bob)
    problem = refusal(ann.post(PLACE, WISH), 409, "game.too_many")
    assert (problem["counted"], problem["limit"]) == ("unfinished", 1)
