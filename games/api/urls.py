"""Addresses below /api/v1/."""

from django.urls import path, re_path

from games.api import players, referee, rulesets, service, tokens
from games.api.handlers import not_found

urlpatterns = [
    path("players", players.PlayersView.as_view()),
    path("players/me", players.MeView.as_view()),
    path("players/<str:name>", players.PlayerView.as_view()),
    path("tokens", tokens.TokensView.as_view()),
    path("tokens/<str:token_id>", tokens.TokenView.as_view()),
    path("rulesets", rulesets.RulesetsView.as_view()),
    path("rulesets/<str:ruleset_id>", rulesets.RulesetView.as_view()),
    path("referee", referee.RefereeView.as_view()),
    path("limits", service.LimitsView.as_view()),
    path("problems", service.ProblemsView.as_view()),
    path("problems/<str:code>", service.ProblemView.as_view()),
    path("schema", service.SchemaView.as_view()),
    path("docs", service.DocsView.as_view()),
    # Last: with DEBUG Django would answer unknown addresses with a page of HTML.
    re_path("", not_found),
]
