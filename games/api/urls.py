"""Addresses below /api/v1/."""

from django.urls import path, re_path

from games.api import (
    fairness,
    game_actions,
    game_dump,
    game_events,
    games,
    leaderboards,
    matches,
    player_scores,
    players,
    referee,
    replays,
    rulesets,
    service,
    tokens,
)
from games.api.handlers import not_found

# Addresses are tried in this order: the two that games are played by come first.
urlpatterns = [
    path("games/<str:game_id>", games.GameDetailView.as_view()),
    path("games/<str:game_id>/moves", game_actions.MovesView.as_view()),
    path("players", players.PlayersView.as_view()),
    path("players/me", players.MeView.as_view()),
    path("players/<str:name>", players.PlayerView.as_view()),
    path("players/<str:name>/results", player_scores.PlayerResultsView.as_view()),
    path("players/<str:name>/ratings", player_scores.PlayerRatingsView.as_view()),
    path("players/<str:name>/rating-history", player_scores.PlayerRatingHistoryView.as_view()),
    path("players/<str:name>/totals", player_scores.PlayerTotalsView.as_view()),
    path("players/<str:name>/versus/<str:other>", player_scores.PlayerVersusView.as_view()),
    path("leaderboards", leaderboards.LeaderboardsView.as_view()),
    path("leaderboards/<str:ladder>", leaderboards.LeaderboardView.as_view()),
    path("tokens", tokens.TokensView.as_view()),
    path("tokens/<str:token_id>", tokens.TokenView.as_view()),
    path("rulesets", rulesets.RulesetsView.as_view()),
    path("rulesets/<str:ruleset_id>", rulesets.RulesetView.as_view()),
    path("referee", referee.RefereeView.as_view()),
    path("replays", replays.ReplaysView.as_view()),
    path("games", games.GamesView.as_view()),
    path("games.ndjson", game_dump.GameDumpView.as_view()),
    path("games/<str:game_id>/events", game_events.GameEventsView.as_view()),
    path("games/<str:game_id>/replay", games.GameReplayView.as_view()),
    path("games/<str:game_id>/fairness", fairness.GameFairnessView.as_view()),
    path("games/<str:game_id>/client-seed", fairness.ClientSeedView.as_view()),
    path("games/<str:game_id>/join", game_actions.JoinView.as_view()),
    path("games/<str:game_id>/leave", game_actions.LeaveView.as_view()),
    path("games/<str:game_id>/return", game_actions.ReturnView.as_view()),
    path("games/<str:game_id>/resign", game_actions.ResignView.as_view()),
    path("games/<str:game_id>/start", game_actions.StartView.as_view()),
    path("games/<str:game_id>/bots", game_actions.BotsView.as_view()),
    path("games/<str:game_id>/rematch", matches.GameRematchView.as_view()),
    path("matches/<str:match_id>", matches.MatchDetailView.as_view()),
    path("limits", service.LimitsView.as_view()),
    path("problems", service.ProblemsView.as_view()),
    path("problems/<str:code>", service.ProblemView.as_view()),
    path("schema", service.SchemaView.as_view()),
    path("docs", service.DocsView.as_view()),
    # Last: with DEBUG Django would answer unknown addresses with a page of HTML.
    re_path("", not_found),
]
