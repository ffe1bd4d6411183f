"""Migrate when there is something to do; otherwise a look at the plan is all it costs."""

import os

import django
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def main() -> None:
    """Run the migrations that the database lacks."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "durak_api.settings")
    django.setup()
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", interactive=False)


if __name__ == "__main__":
    main()
