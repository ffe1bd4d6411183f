"""Addresses of the bots below /api/v1/."""

from django.urls import path

from bots.api.analysis import GameAnalysisView
from bots.api.decisions import DecisionsView
from bots.api.views import BotsView

urlpatterns = [
    path("bots", BotsView.as_view()),
    path("games/<str:game_id>/analysis", GameAnalysisView.as_view()),
    path("games/<str:game_id>/decisions", DecisionsView.as_view()),
]
