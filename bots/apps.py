"""Players that think for themselves."""

from importlib import import_module
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.db import connection
from django.db.models.signals import post_migrate


class BotsConfig(AppConfig):
    """App `bots`; uses `games`, never the other way round."""

    name = "bots"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Make the brains known to the tables, and listen for turns that fall due."""
        from bots.brains import brain_list
        from bots.dispatch import on_turn_due
        from games.services.house import brain_announce
        from games.signals import turn_due

        for module in settings.BOT_MODULES:
            import_module(module)
        for entry in brain_list():
            brain_announce(entry.name)
        turn_due.connect(on_turn_due, dispatch_uid="bots.turn_due")
        post_migrate.connect(open_accounts, sender=self, dispatch_uid="bots.accounts")


def open_accounts(**_kwargs: Any) -> None:
    """Give every brain its account, so that nobody registers its name first."""
    from bots.brains import brain_list
    from games.services.house import house_player

    if "games_player" in connection.introspection.table_names():
        for entry in brain_list():
            house_player(entry.name)
