"""Wiring of the project: settings, addresses, processes."""

from durak_api.celery import app as celery_app

__all__ = ["celery_app"]
