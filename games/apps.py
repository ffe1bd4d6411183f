"""The game: rules, log, accounts, HTTP."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """App `games`; imports nothing of `bots` or `durak_api`."""

    name = "games"
    default_auto_field = "django.db.models.BigAutoField"
