"""As little as a Django project can have, Django's own backend included; the API's session."""

import os

from durak_api.database import database_settings

SECRET_KEY = "for-the-benchmark-only"
ALLOWED_HOSTS = ["localhost"]
ROOT_URLCONF = "bench.bare.urls"
INSTALLED_APPS: list[str] = []
MIDDLEWARE: list[str] = []
USE_TZ = True
DATABASES = {
    "default": {
        **database_settings(os.environ["DATABASE_URL"], pool=False),
        "ENGINE": "django.db.backends.postgresql",
    }
}
