"""The wiring as a Django app: its commands, and what must happen at start-up."""

from django.apps import AppConfig


class DurakApiConfig(AppConfig):
    """Loads the Celery application, so that tasks find their broker in every process."""

    name = "durak_api"

    def ready(self) -> None:
        """Bind shared tasks and keep the application's role in step with the schema."""
        from durak_api import celery, roles  # noqa: F401
