"""The Celery application; its settings are the CELERY_ names of `durak_api.settings`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "durak_api.settings")

app = Celery("durak")
app.config_from_object("django.conf:settings", namespace="CELERY")
# Celery reads this one without the namespace; it spares a connection per task.
app.conf["CELERY_DB_REUSE_MAX"] = 1000
app.autodiscover_tasks()
