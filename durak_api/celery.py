"""The Celery application; its settings are the CELERY_ names of `durak_api.settings`."""

import os
from pathlib import Path
from typing import Any

import redis
from celery import Celery
from celery.signals import after_task_publish, heartbeat_sent, task_prerun, worker_ready
from django.conf import settings
from django.db import close_old_connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "durak_api.settings")

app = Celery("durak")
app.config_from_object("django.conf:settings", namespace="CELERY")
# Celery reads this one without the namespace; it spares a connection per task.
app.conf["CELERY_DB_REUSE_MAX"] = 1000
app.autodiscover_tasks()

# Keys in Redis that vanish soon after the process that sets them.
WORKER_KEY = "durak:worker:{}"
# Workers of webhooks alone, which play for no bot.
COURIER_KEY = "durak:courier:{}"
# Workers of brains that search.
THINKER_KEY = "durak:thinker:{}"
KEYS = {"courier": COURIER_KEY, "thinker": THINKER_KEY}
BEAT_KEY = "durak:beat"
# Seconds; several missed heartbeats of a worker, which come every two.
KEY_EXPIRES = 10


@worker_ready.connect
def sign_readiness(**_kwargs: Any) -> None:
    """Tell whoever started this worker that it takes tasks."""
    if path := os.environ.get("WORKER_READY_FILE"):
        Path(path).touch()


@heartbeat_sent.connect
def sign_worker(sender: Any = None, **_kwargs: Any) -> None:
    """Say that this worker is alive; `/readyz` counts them."""
    name = sender.eventer.hostname
    sign(KEYS.get(name.partition("@")[0], WORKER_KEY).format(name))


@task_prerun.connect
def drop_lost_connection(**_kwargs: Any) -> None:
    """Close the connection that broke under an earlier task: Celery would go on with it."""
    close_old_connections()


@after_task_publish.connect(sender="bots.tasks.sweep_due_turns")
def sign_beat(**_kwargs: Any) -> None:
    """Say that beat is alive: nobody else sends the sweeper."""
    sign(BEAT_KEY)


def sign(key: str) -> None:
    """Set a key for a short while."""
    with redis.Redis.from_url(settings.REDIS_URL, socket_timeout=1) as client:
        client.set(key, 1, ex=KEY_EXPIRES)
