"""From whatever was raised to the problem that the client is told."""

import logging
from collections.abc import Callable, Mapping
from itertools import islice
from typing import Any, Final

from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.db import DataError, InterfaceError, OperationalError
from django.http import Http404, HttpRequest, UnreadablePostError
from rest_framework.exceptions import MethodNotAllowed
from rest_framework.response import Response

from games.api.language import Language
from games.api.problems import MOST_FAULTS, Problem, problem_response
from games.rules import errors as rules
from games.services.errors import ServiceError
from games.store.codec import UnknownEvent
from games.store.log import VersionConflict

_log = logging.getLogger("games.api")


def listed(errors: Mapping[str, str], prefix: str = "") -> list[dict[str, str]]:
    """Field to reason as the `errors` member of a problem."""
    some = islice(errors.items(), MOST_FAULTS)
    return [{"field": f"{prefix}{field}", "reason": why} for field, why in some]


def _options(error: rules.InvalidOptions) -> Problem:
    faults = listed(error.errors, "options.")
    names = list(islice(error.errors, MOST_FAULTS))
    return Problem("rules.invalid_options", errors=faults, options=names)


_MAKERS: Final[tuple[tuple[tuple[type[Exception], ...], Callable[[Any], Problem]], ...]] = (
    ((Problem,), lambda problem: problem),
    ((ServiceError,), lambda error: Problem(error.code, **error.members)),
    ((rules.Refusal,), lambda error: Problem(error.code)),
    ((rules.MalformedMove,), lambda error: Problem("request.invalid", errors=listed(error.errors))),
    (
        (rules.InvalidPosition,),
        lambda error: Problem("request.invalid", errors=listed(error.errors, "position.")),
    ),
    ((rules.InvalidOptions,), _options),
    ((rules.UnknownRuleset,), lambda _: Problem("rules.unknown")),
    ((Http404,), lambda _: Problem("not_found")),
    ((MethodNotAllowed,), lambda _: Problem("request.method")),
    ((RequestDataTooBig,), lambda _: Problem("request.too_large")),
    (
        (SuspiciousOperation, BadRequest, UnreadablePostError),
        lambda _: Problem("request.malformed"),
    ),
    # A newer release writes already what this one cannot read, or a writer did not lock.
    ((UnknownEvent, VersionConflict), lambda _: Problem("server.unavailable")),
    ((OperationalError, InterfaceError), lambda _: Problem("server.unavailable")),
    ((DataError,), lambda _: Problem("request.invalid", errors=[])),
)


def as_problem(error: Exception) -> Problem | None:
    """The problem for an exception; None for one that nobody foresaw."""
    for kinds, make in _MAKERS:
        if isinstance(error, kinds):
            return make(error)
    return None


def answer_exception(
    error: Exception, request: HttpRequest, language: Language | None = None
) -> Response:
    """The answer to a request whose view raised `error`; the unforeseen is logged."""
    problem = as_problem(error)
    if problem is None:
        got_request_exception.send(sender=None, request=request)
        _log.error("%s %s failed", request.method, request.path, exc_info=error)
        problem = Problem("server.error")
    elif problem.code == "server.unavailable":
        _log.warning("%s %s: %s", request.method, request.path, error)
    return problem_response(problem, request, language)


def bad_request(request: HttpRequest, exception: Exception) -> Response:
    """Django's handler400."""
    return answer_exception(exception, request)


def forbidden(request: HttpRequest, exception: Exception) -> Response:
    """Django's handler403: nothing of this project raises PermissionDenied."""
    return problem_response(Problem("auth.scope"), request)


def not_found(request: HttpRequest, exception: Exception | None = None) -> Response:
    """Django's handler404, and the view of every address that nothing else claims."""
    return problem_response(Problem("not_found"), request)


def server_error(request: HttpRequest) -> Response:
    """Django's handler500: the exception is logged already."""
    return problem_response(Problem("server.error"), request)
