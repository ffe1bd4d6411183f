"""Settings; every one that a deployment may change is read from the environment.

`docs/operations.md` lists them with their defaults.
"""

from typing import Any

from kombu import Queue

from durak_api.database import broker_url, database_settings
from durak_api.environment import environment

env = environment()

DEBUG = env.bool("DEBUG", default=False)
SECRET_KEY = env.str("SECRET_KEY", default="")
# Former keys: what they signed is still believed.
SECRET_KEY_FALLBACKS = env.list("SECRET_KEY_FALLBACKS", default=[])
# Where the signed heads of the logs go, outside the database; empty: nowhere.
ANCHOR_FILE = env.str("ANCHOR_FILE", default="")
# Between two looks for heads that were committed and not anchored.
ANCHOR_SWEEP_SECONDS = env.float("ANCHOR_SWEEP_SECONDS", default=60.0)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["*"] if DEBUG else ["localhost", "127.0.0.1"])
ROOT_URLCONF = "durak_api.urls"
WSGI_APPLICATION = "durak_api.wsgi.application"
APPEND_SLASH = False
INSTALLED_APPS = [
    "durak_api",
    "games",
    "bots",
    "rest_framework",
    "drf_spectacular",
]
# The API needs neither sessions nor cookies; each layer here costs every request.
MIDDLEWARE: list[str] = []

DATABASE_URL = env.str("DATABASE_URL", default="postgres://durak_app@127.0.0.1:5432/durak")
DATABASE_OWNER_URL = env.str("DATABASE_OWNER_URL", default=DATABASE_URL)
DATABASES = {
    "default": database_settings(DATABASE_URL, pool=env.bool("DATABASE_POOL", default=False))
}
# The role that serves requests: migrations grant it what it needs and take the rest away.
DATABASE_APP_ROLE = env.str("DATABASE_APP_ROLE", default="durak_app")

REDIS_URL = env.str("REDIS_URL", default="redis://127.0.0.1:6379/0")
CELERY_BROKER_URL = broker_url(REDIS_URL)
CELERY_BROKER_TRANSPORT_OPTIONS = {
    "visibility_timeout": 60,
    "unacked_restore_interval": 5,
    "unacked_restore_throttle": 1,
    "socket_keepalive": True,
    "socket_connect_timeout": 1,
    "health_check_interval": 30,
}
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_SOFT_TIME_LIMIT = 8
CELERY_TASK_TIME_LIMIT = 12
# A request that cannot reach the broker must not wait for it: the sweeper finds the turn.
CELERY_TASK_PUBLISH_RETRY = False
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_SOFT_SHUTDOWN_TIMEOUT = 10
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = True
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_TIMEZONE = "UTC"

# Modules that register further brains, by their Python names.
BOT_MODULES = env.list("BOT_MODULES", default=[])
# What a brain may spend on one move: positions looked at, and seconds before it is interrupted.
BOT_BUDGET = env.int("BOT_BUDGET", default=400)
BOT_WALL_SECONDS = env.float("BOT_WALL_SECONDS", default=2.0)
# How long a worker may be busy with a turn before another takes it over; above the time to think.
BOT_LEASE_SECONDS = env.float("BOT_LEASE_SECONDS", default=3.0)
# A turn that was begun so often and never made is made without thinking.
BOT_ATTEMPTS = 2
# A queue of its own: behind a thousand waiting turns the sweeper would always come too late.
BOT_SWEEP_QUEUE = "sweep"
CELERY_TASK_QUEUES = [Queue("celery"), Queue(BOT_SWEEP_QUEUE)]
CELERY_BEAT_SCHEDULE = {
    "sweep-due-turns": {
        "task": "bots.tasks.sweep_due_turns",
        "schedule": 1.0,
        "options": {"queue": BOT_SWEEP_QUEUE, "expires": 2},
    },
    "sweep-ratings": {
        "task": "games.tasks.sweep_ratings",
        "schedule": 5.0,
        "options": {"queue": BOT_SWEEP_QUEUE, "expires": 5},
    },
    "sweep-rematches": {
        "task": "games.tasks.sweep_rematches",
        "schedule": 5.0,
        "options": {"queue": BOT_SWEEP_QUEUE, "expires": 5},
    },
    "sweep-anchors": {
        "task": "games.tasks.sweep_anchors",
        "schedule": ANCHOR_SWEEP_SECONDS,
        "options": {"queue": BOT_SWEEP_QUEUE, "expires": ANCHOR_SWEEP_SECONDS},
    },
}

# How long the seats of a rematch are kept for their players.
REMATCH_SECONDS = env.int("REMATCH_SECONDS", default=600)

# The function that names the season of a moment; boards begin anew with each.
SEASON_OF = env.str("SEASON_OF", default="games.projections.seasons.calendar_quarter")
# Rated games of the same two players in a day: so many count in full, so many more by half, and no
# others; empty: all do. The same for those given up within the first events of their logs.
RATING_REPEATS = env.list("RATING_REPEATS", cast=int, default=[15, 15])
RATING_SURRENDERS = env.list("RATING_SURRENDERS", cast=int, default=[2, 2])
RATING_EARLY_EVENTS = env.int("RATING_EARLY_EVENTS", default=40)

USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = True
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("ru", "Русский")]
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
PASSWORD_HASHERS = [
    "django.contrib.auth.hashers.ScryptPasswordHasher",
    "django.contrib.auth.hashers.PBKDF2PasswordHasher",
]

STATIC_URL = "/static/"
# Larger bodies are refused before they are read into memory (bytes).
DATA_UPLOAD_MAX_MEMORY_SIZE = env.int("REQUEST_MAX_BYTES", default=1_048_576)
# Addresses of clients come from the front; 0 where nothing stands before the web processes.
TRUSTED_PROXIES = env.int("TRUSTED_PROXIES", default=1)
if TRUSTED_PROXIES:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
USE_X_FORWARDED_HOST = False

# Requests a minute (`games.api.throttling` says of whom); served at /api/v1/limits.
API_LIMITS = {
    name: env.int(f"LIMIT_{name.upper()}", default=size)
    for name, size in {
        "registration": 600,
        "sign_in": 60,
        "sign_in_address": 120,
        "referee": 6_000,
        "replays": 300,
        "own_game_reads": 60_000,
        "own_game_moves": 60_000,
        "default": 60_000,
    }.items()
}

# Streams and long polls: how many one caller may hold open in a process (his own games' apart);
# seconds between signs of life, until a stream must be opened anew, and until a reader that takes
# nothing is dropped.
STREAMS_PER_CALLER = env.int("STREAMS_PER_CALLER", default=1_000)
STREAM_KEEP_ALIVE_SECONDS = env.float("STREAM_KEEP_ALIVE_SECONDS", default=15.0)
STREAM_LONGEST_SECONDS = env.float("STREAM_LONGEST_SECONDS", default=3_600.0)
STREAM_SLOW_SECONDS = env.float("STREAM_SLOW_SECONDS", default=20.0)
# /games.ndjson: how many of its streams one caller may hold open in a process; games that ended
# within so many seconds are not in it yet.
DUMPS_PER_CALLER = env.int("DUMPS_PER_CALLER", default=4)
DUMP_SETTLE_SECONDS = env.float("DUMP_SETTLE_SECONDS", default=10.0)

REST_FRAMEWORK: dict[str, Any] = {
    "DEFAULT_AUTHENTICATION_CLASSES": [],
    "DEFAULT_PERMISSION_CLASSES": [],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "UNAUTHENTICATED_USER": None,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Durak",
    "DESCRIPTION": "Durak and its relatives: games, logs, bots and leaderboards over HTTP.",
    "VERSION": "1.0.0",
    "LICENSE": {"name": "MIT", "identifier": "MIT"},
    "OAS_VERSION": "3.1.1",
    "SCHEMA_PATH_PREFIX": "/api/v1",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [],
    "APPEND_COMPONENTS": {"securitySchemes": {"bearer": {"type": "http", "scheme": "bearer"}}},
}

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "line"}},
    "root": {"handlers": ["stderr"], "level": env.str("LOG_LEVEL", default="INFO")},
    # Refused requests are the client's affair: Django would log each one.
    "loggers": {"django.request": {"level": "ERROR"}},
}
