"""The game: rules, log, accounts, HTTP."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """App `games`; imports nothing of `bots` or `durak_api`."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let the streams know of every move."""
        from games.api.streams.hints import on_game_advanced
        from games.signals import game_advanced

        game_advanced.connect(on_game_advanced, dispatch_uid="games.hints")
