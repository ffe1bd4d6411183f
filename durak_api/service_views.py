"""Pages for those who run the server rather than play on it."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, JsonResponse
from prometheus_client import CONTENT_TYPE_LATEST

from durak_api.health import readiness
from durak_api.kept import Kept
from durak_api.metrics import metrics_text
from games.api.problems import Problem, problem_response

# Nobody is charged for these pages, so asking often must cost little.
SECONDS = 1.0
readiness_kept = Kept(readiness, SECONDS)
metrics_kept = Kept(metrics_text, SECONDS)
View = Callable[[HttpRequest], HttpResponse]


def only_read(view: View) -> View:
    """Refuse every method but GET and HEAD, in the form of all refusals."""

    @wraps(view)
    def checked(request: HttpRequest) -> HttpResponse:
        if request.method in {"GET", "HEAD"}:
            return view(request)
        return problem_response(Problem("request.method", headers={"Allow": "GET, HEAD"}), request)

    return checked


@only_read
def healthz(_request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is looked at."""
    return JsonResponse({"status": "ok"})


@only_read
def readyz(_request: HttpRequest) -> HttpResponse:
    """503 without a database or with migrations missing; the rest is reported only."""
    ready, report = readiness_kept()
    return JsonResponse(report, status=200 if ready else 503)


@only_read
def metrics(_request: HttpRequest) -> HttpResponse:
    """Figures for Prometheus."""
    return HttpResponse(metrics_kept(), content_type=CONTENT_TYPE_LATEST)
