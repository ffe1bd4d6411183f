"""Every refusal has one form."""

from typing import Any

import msgspec
import pytest
from django.db import DataError, InterfaceError, OperationalError
from django.http import Http404
from django.test import Client, RequestFactory
from pytest_django import Settings

from games.api.handlers import answer_exception, bad_request, forbidden, not_found, server_error
from games.api.messages import problem_codes, problem_text
from games.api.problems import Problem
from games.api.refusals import refused
from games.rules.errors import (
    InvalidOptions,
    InvalidPosition,
    MalformedMove,
    Refusal,
    UnknownRuleset,
)
from games.rules.rulesets.registry import ruleset
from games.services.errors import MoveRefused, ServiceError
from tests.api.conftest import Api, refusal


def parsed(answer: Any) -> Any:
    """The same response with the `json` method of a test client's."""
    answer.json = lambda: msgspec.json.decode(answer.content)
    return answer


REQUEST = RequestFactory().get("/api/v1/games/ы?token=secret")


@pytest.mark.parametrize("code", problem_codes())
@pytest.mark.parametrize("language", ["en", "ru"])
def test_every_code_has_its_form(code: str, language: str) -> None:
    request = RequestFactory().get("/api/v1/x", headers={"accept-language": language})
    answer = answer_exception(Problem(code, hint="so"), request)
    problem = refusal(parsed(answer), problem_text(code, language).status, code)
    assert problem["title"] == problem_text(code, language).title
    assert problem["hint"] == "so"
    assert answer["Content-Language"] == language
    assert answer["Vary"] == "Authorization, Accept, Accept-Language"
    assert ("WWW-Authenticate" in answer) == code.startswith("auth.")
    assert ("Retry-After" in answer) == (answer.status_code == 503)


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (ServiceError("game.full"), 409, "game.full"),
        (Refusal("move.cannot_beat"), 422, "move.cannot_beat"),
        (Refusal("game.over"), 409, "game.over"),
        (MalformedMove({"cards": "required"}), 400, "request.invalid"),
        (InvalidPosition({"trump": "required"}), 400, "request.invalid"),
        (InvalidOptions({"deck_size": "no"}), 400, "rules.invalid_options"),
        (UnknownRuleset("poker"), 400, "rules.unknown"),
        (Http404(), 404, "not_found"),
        (OperationalError("canceling statement due to lock timeout"), 503, "server.unavailable"),
        (InterfaceError("connection already closed"), 503, "server.unavailable"),
        (DataError("out of range"), 400, "request.invalid"),
        (RuntimeError("password=hunter2"), 500, "server.error"),
    ],
)
def test_whatever_is_raised(error: Exception, status: int, code: str) -> None:
    problem = refusal(parsed(answer_exception(error, REQUEST)), status, code)
    assert "hunter2" not in str(problem)
    assert problem["instance"] == "/api/v1/games/%D1%8B"


@pytest.mark.parametrize(("caught", "rule"), [(True, "D-11"), (False, "C1-16")])
def test_a_refused_move_quotes_why_its_seat_may_not_throw_in(caught: bool, rule: str) -> None:
    error = MoveRefused(
        "move.not_allowed_to_throw",
        version=7,
        family="bout",
        rules=ruleset("throw_in_article", {"enforcement": "catchable"}).rules,
        move="throw_in",
        caught=caught,
    )
    problem = refusal(parsed(answer_exception(refused(error, "en"), REQUEST)), 422, error.code)
    assert (problem["rule"]["id"], problem["version"]) == (rule, 7)
    assert problem["hint"] == "Wait for the next bout."


def test_members_of_a_service_error_are_shown() -> None:
    answer = answer_exception(ServiceError("move.stale_version", version=37), REQUEST)
    assert refusal(parsed(answer), 412, "move.stale_version")["version"] == 37


def test_bad_options_and_positions_are_named_by_their_place() -> None:
    answer = answer_exception(InvalidOptions({"deck_size": "no"}), REQUEST)
    problem = parsed(answer).json()
    assert problem["errors"] == [{"field": "options.deck_size", "reason": "no"}]
    assert problem["options"] == ["deck_size"]
    answer = answer_exception(InvalidPosition({"trump": "required"}), REQUEST)
    assert parsed(answer).json()["errors"][0]["field"] == "position.trump"


@pytest.mark.parametrize(
    ("handler", "code"),
    [(forbidden, "auth.scope"), (not_found, "not_found"), (server_error, "server.error")],
)
def test_djangos_own_handlers(handler: Any, code: str) -> None:
    arguments = () if handler is server_error else (Exception(),)
    answer = handler(REQUEST, *arguments)
    assert parsed(answer).json()["code"] == code
    assert parsed(bad_request(REQUEST, Http404())).json()["code"] == "not_found"


@pytest.mark.parametrize(
    "path", ["/", "/api/v1/", "/api/v1/nothing", "/api/v1/players/", "/%00/%ff"]
)
@pytest.mark.parametrize("debug", [True, False])
def test_unknown_addresses(settings: Settings, path: str, debug: bool) -> None:
    settings.DEBUG = debug
    if debug and not path.startswith("/api/v1/"):
        path = f"/api/v1{path}"
    refusal(Client().get(path), 404, "not_found")


@pytest.mark.parametrize("method", ["GET", "PUT", "PATCH", "DELETE", "TRACE", "BREW"])
def test_a_method_that_the_address_lacks(anybody: Api, method: str) -> None:
    answer = anybody.call(method, "/players")
    refusal(answer, 405, "request.method")
    assert answer["Allow"] == "POST, OPTIONS"


def test_options_and_head(anybody: Api) -> None:
    options = anybody.call("OPTIONS", "/players/me")
    assert (options.status_code, options.content) == (204, b"")
    assert options["Allow"] == "GET, PATCH, DELETE, HEAD, OPTIONS"
    head = anybody.call("HEAD", "/limits")
    assert (head.status_code, head.content) == (200, b"")
    assert head["Content-Type"] == "application/json"


@pytest.mark.parametrize("accept", ["text/html", "nonsense", "application/json;q=0", "*/*;q=0"])
def test_a_form_that_is_not_on_offer(anybody: Api, accept: str) -> None:
    problem = refusal(anybody.get("/limits", accept=accept), 406, "request.not_acceptable")
    assert problem["produces"] == ["application/json"]


@pytest.mark.parametrize(
    "accept", ["", "*/*", "application/*", "text/html, application/json;q=0.1", "APPLICATION/JSON"]
)
def test_a_form_that_is(anybody: Api, accept: str) -> None:
    assert anybody.get("/limits", accept=accept).status_code == 200
