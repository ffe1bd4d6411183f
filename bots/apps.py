"""Players that think for themselves."""

from django.apps import AppConfig


class BotsConfig(AppConfig):
    """App `bots`; uses `games`, never the other way round."""

    name = "bots"
    default_auto_field = "django.db.models.BigAutoField"
