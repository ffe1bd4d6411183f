"""Pages for those who run the server rather than play on it."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST

from durak_api.health import readiness
from durak_api.metrics import metrics_text


@require_safe
def healthz(_request: HttpRequest) -> HttpResponse:
    """The process answers; nothing else is looked at."""
    return JsonResponse({"status": "ok"})


@require_safe
def readyz(_request: HttpRequest) -> HttpResponse:
    """503 without a database or with migrations missing; the rest is reported only."""
    ready, report = readiness()
    return JsonResponse(report, status=200 if ready else 503)


@require_safe
def metrics(_request: HttpRequest) -> HttpResponse:
    """Figures for Prometheus."""
    return HttpResponse(metrics_text(), content_type=CONTENT_TYPE_LATEST)
