"""Addresses of the whole project."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path
from django.utils.module_loading import import_string

from durak_api import service_views

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", service_views.healthz),
    path("readyz", service_views.readyz),
    path("metrics", service_views.metrics),
    path("api/v1/", include("bots.api.urls")),
    path("api/v1/", include("games.api.urls")),
]
if settings.ADMIN:
    urlpatterns.append(path("admin/", import_string("durak_api.office.office").urls))
handler400 = "games.api.handlers.bad_request"
handler403 = "games.api.handlers.forbidden"
handler404 = "games.api.handlers.not_found"
handler500 = "games.api.handlers.server_error"
