"""The game: rules, log, accounts, HTTP."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """App `games`; imports nothing of `bots` or `durak_api`."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Let the streams know of every move, and the worker of webhooks what there is to send."""
        from games import webhook_dispatch
        from games.api.streams.hints import on_game_advanced
        from games.signals import game_advanced, webhook_due

        game_advanced.connect(on_game_advanced, dispatch_uid="games.hints")
        game_advanced.connect(webhook_dispatch.on_game_advanced, dispatch_uid="games.webhooks")
        webhook_due.connect(webhook_dispatch.on_webhook_due, dispatch_uid="games.webhooks")
