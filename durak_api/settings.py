"""Settings; every one that a deployment may change is read from the environment."""

from pathlib import Path

import environ

BASE_DIR = Path(__file__).resolve().parent.parent
env = environ.Env()

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="")
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
ROOT_URLCONF = "durak_api.urls"
WSGI_APPLICATION = "durak_api.wsgi.application"
INSTALLED_APPS = [
    "django.contrib.contenttypes",
    "django.contrib.auth",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "games",
    "bots",
]
MIDDLEWARE = ["django.middleware.security.SecurityMiddleware"]
DATABASES = {
    "default": {
        **env.db_url("DATABASE_URL", default="postgres://durak_app@127.0.0.1:5432/durak"),
        "CONN_MAX_AGE": None,
        "OPTIONS": {"server_side_binding": True},
    }
}
USE_TZ = True
TIME_ZONE = "UTC"
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("ru", "Русский")]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
