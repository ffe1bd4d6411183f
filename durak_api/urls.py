"""Addresses of the whole project."""

from django.urls import URLPattern, URLResolver, path

from durak_api import service_views

urlpatterns: list[URLPattern | URLResolver] = [
    path("healthz", service_views.healthz),
    path("readyz", service_views.readyz),
    path("metrics", service_views.metrics),
]
