"""Addresses of the bots below /api/v1/."""

from django.urls import path

from bots.api.views import BotsView

urlpatterns = [path("bots", BotsView.as_view())]
