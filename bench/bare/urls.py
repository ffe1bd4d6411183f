"""Its addresses."""

from django.urls import path

from bench.bare.views import healthz, replay

urlpatterns = [
    path("healthz", healthz),
    path("<int:number>/<uuid:game>", replay),
]
