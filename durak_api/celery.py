"""The Celery application; its settings are the CELERY_ names of `durak_api.settings`."""

import os
from pathlib import Path
from typing import Any

import redis
from celery import Celery
from celery.signals import heartbeat_sent, worker_ready
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "durak_api.settings")

app = Celery("durak")
app.config_from_object("django.conf:settings", namespace="CELERY")
# Celery reads this one without the namespace; it spares a connection per task.
app.conf["CELERY_DB_REUSE_MAX"] = 1000
app.autodiscover_tasks()

WORKER_KEY = "durak:worker:{}"
# Seconds; several missed heartbeats, which come every two.
WORKER_KEY_EXPIRES = 10


@worker_ready.connect
def sign_readiness(**_kwargs: Any) -> None:
    """Tell whoever started this worker that it takes tasks."""
    if path := os.environ.get("WORKER_READY_FILE"):
        Path(path).touch()


@heartbeat_sent.connect
def sign_life(sender: Any = None, **_kwargs: Any) -> None:
    """Leave a key that vanishes soon after the worker does; `/readyz` counts them."""
    client = redis.Redis.from_url(settings.REDIS_URL)
    with client:
        client.set(WORKER_KEY.format(sender.eventer.hostname), 1, ex=WORKER_KEY_EXPIRES)
