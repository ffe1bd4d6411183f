"""`migrate` as the owner of the tables."""

from typing import Any

from django.conf import settings
from django.core.management.commands import migrate
from django.db import connections

from durak_api.database import database_settings


class Command(migrate.Command):
    """Connects with DATABASE_OWNER_URL and without the time limits that requests have."""

    def handle(self, *args: Any, **options: Any) -> None:
        """Run Django's command on that connection."""
        connection = connections[options["database"]]
        as_application = connection.settings_dict
        owner = database_settings(settings.DATABASE_OWNER_URL, pool=False)
        owner["OPTIONS"].pop("options")
        connection.close()
        connection.settings_dict = as_application | owner | {"NAME": as_application["NAME"]}
        try:
            super().handle(*args, **options)
        finally:
            connection.close()
            connection.settings_dict = as_application
