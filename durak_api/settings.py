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
TEMPLATES: list[dict[str, Any]] = []

# Pages at /admin/ for the staff, to read only; what they need of Django is installed with them.
ADMIN = env.bool("ADMIN", default=False)
if ADMIN:
    INSTALLED_APPS += [
        "django.contrib.admin.apps.SimpleAdminConfig",
        "django.contrib.auth",
        "django.contrib.contenttypes",
        "django.contrib.messages",
        "django.contrib.sessions",
    ]
    MIDDLEWARE += [
        f"durak_api.office_middleware.{name}"
        for name in ("Frames", "Sessions", "Forms", "Staff", "Messages")
    ]
    TEMPLATES += [
        {
            "BACKEND": "django.template.backends.django.DjangoTemplates",
            "APP_DIRS": True,
            "OPTIONS": {
                "context_processors": [
                    "django.template.context_processors.request",
                    "django.contrib.auth.context_processors.auth",
                    "django.contrib.messages.context_processors.messages",
                ]
            },
        }
    ]
# Its cookies go over TLS only, to these pages only, and no longer than a day's work.
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = env.bool("ADMIN_TLS", default=True)
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = "/admin/"
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Strict"
SESSION_COOKIE_AGE = 8 * 3600
X_FRAME_OPTIONS = "DENY"
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

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
# Seconds that a turn takes at least, so that its length tells nothing of the hand: a glance, and a
# search (near what it usually takes on this machine).
BOT_LEAST_SECONDS = {
    "quick": env.float("BOT_QUICK_SECONDS", default=0.01),
    "deep": env.float("BOT_DEEP_SECONDS", default=0.4),
}
# How long a worker may be busy with a turn before another takes it over; above the time to think.
BOT_LEASE_SECONDS = env.float("BOT_LEASE_SECONDS", default=3.0)
# A turn that was begun so often and never made is made without thinking.
BOT_ATTEMPTS = 2
# Processes for brains that search; 0: as many as there are cores.
THINKER_CONCURRENCY = env.int("THINKER_CONCURRENCY", default=0)
# Where turns go: brains that search have workers of their own, so that they delay no others.
BOT_QUEUES = {"quick": "celery", "deep": "deep"}
# Analyses of finished games, for the same workers, who are free for turns again after each move
# judged. Seconds before another worker takes one over, and at which a task of theirs is stopped.
ANALYSIS_QUEUE = "analysis"
ANALYSIS_LEASE_SECONDS = env.float("ANALYSIS_LEASE_SECONDS", default=10.0)
ANALYSIS_SECONDS = env.float("ANALYSIS_SECONDS", default=60.0)
# How many may wait or be under way, in all and of those that one player asked for.
ANALYSES_WAITING = env.int("ANALYSES_WAITING", default=200)
ANALYSES_PER_PLAYER = env.int("ANALYSES_PER_PLAYER", default=10)
# A queue of its own: behind a thousand waiting turns the sweeper would always come too late.
BOT_SWEEP_QUEUE = "sweep"
# The same for webhooks, in a process of its own: receivers may be slow.
WEBHOOK_QUEUE = "webhooks"
CELERY_TASK_QUEUES = [
    Queue(name) for name in (*BOT_QUEUES.values(), ANALYSIS_QUEUE, BOT_SWEEP_QUEUE, WEBHOOK_QUEUE)
]
CELERY_BEAT_SCHEDULE = {
    "sweep-due-turns": {
        "task": "bots.tasks.sweep_due_turns",
        "schedule": 1.0,
        "options": {"queue": BOT_SWEEP_QUEUE, "expires": 2},
    },
    "sweep-analyses": {
        "task": "bots.tasks.sweep_analyses",
        "schedule": 1.0,
        "options": {"queue": BOT_SWEEP_QUEUE, "expires": 2},
    },
    "sweep-clocks": {
        "task": "games.tasks.sweep_clocks",
        "schedule": 1.0,
        "options": {"queue": BOT_SWEEP_QUEUE, "expires": 2},
    },
    "sweep-ratings": {
        "task": "games.tasks.sweep_ratings",
        "schedule": 5.0,
        "options": {"queue": BOT_SWEEP_QUEUE, "expires": 5},
    },
    "sweep-voided": {
        "task": "games.tasks.sweep_voided",
        "schedule": 60.0,
        "options": {"queue": BOT_SWEEP_QUEUE, "expires": 30},
    },
    "sweep-rematches": {
        "task": "games.tasks.sweep_rematches",
        "schedule": 5.0,
        "options": {"queue": BOT_SWEEP_QUEUE, "expires": 5},
    },
    "expire-games": {
        "task": "games.tasks.expire_games",
        "schedule": 10.0,
        "options": {"queue": BOT_SWEEP_QUEUE, "expires": 10},
    },
    "sweep-quick-matches": {
        "task": "games.tasks.sweep_quick_matches",
        "schedule": 1.0,
        "options": {"queue": BOT_SWEEP_QUEUE, "expires": 2},
    },
    "sweep-anchors": {
        "task": "games.tasks.sweep_anchors",
        "schedule": ANCHOR_SWEEP_SECONDS,
        "options": {"queue": BOT_SWEEP_QUEUE, "expires": ANCHOR_SWEEP_SECONDS},
    },
    "sweep-webhooks": {
        "task": "games.tasks.sweep_webhooks",
        "schedule": 2.0,
        "options": {"queue": BOT_SWEEP_QUEUE, "expires": 2},
    },
    "forget-news": {
        "task": "games.tasks.forget_news",
        "schedule": 60.0,
        "options": {"queue": BOT_SWEEP_QUEUE, "expires": 60},
    },
}

# How long the seats of a rematch are kept for their players.
REMATCH_SECONDS = env.int("REMATCH_SECONDS", default=600)

# The lobby: seconds after the last change until an open game is called off, and the same for games
# by correspondence, which are those with at least so many seconds for a turn.
OPEN_GAME_SECONDS = env.int("OPEN_GAME_SECONDS", default=3_600)
OPEN_CORRESPONDENCE_SECONDS = env.int("OPEN_CORRESPONDENCE_SECONDS", default=604_800)
CORRESPONDENCE_TURN_SECONDS = env.int("CORRESPONDENCE_TURN_SECONDS", default=3_600)
# How many open games, and how many unfinished ones, a player may have.
OPEN_GAMES_PER_PLAYER = env.int("OPEN_GAMES_PER_PLAYER", default=300)
GAMES_PER_PLAYER = env.int("GAMES_PER_PLAYER", default=3_000)
# A ticket for a quick match lapses when nobody has asked for it for so many seconds.
QUICK_MATCH_SECONDS = env.int("QUICK_MATCH_SECONDS", default=30)
# By how many moves a table may let those who only watch be behind.
SPECTATOR_DELAY_MAX = env.int("SPECTATOR_DELAY_MAX", default=20)

# Clocks: how long a turn may be made, how large a time bank; seconds without a sweep of the clocks
# after which the service counts as having been out of order.
TURN_SECONDS_MIN = env.int("TURN_SECONDS_MIN", default=5)
TURN_SECONDS_MAX = env.int("TURN_SECONDS_MAX", default=1_209_600)
BANK_SECONDS_MAX = env.int("BANK_SECONDS_MAX", default=1_209_600)
OUTAGE_SECONDS = env.float("OUTAGE_SECONDS", default=5.0)

# What players were told is kept so long for their streams.
NOTICE_DAYS = env.int("NOTICE_DAYS", default=30)

# Webhooks: how many a player may have; whether messages may go to this machine and its networks;
# seconds for one attempt; days of failures until one is given up; days that its log is kept.
WEBHOOKS_PER_PLAYER = env.int("WEBHOOKS_PER_PLAYER", default=5)
WEBHOOK_PRIVATE_ADDRESSES = env.bool("WEBHOOK_PRIVATE_ADDRESSES", default=False)
WEBHOOK_SECONDS = env.float("WEBHOOK_SECONDS", default=8.0)
WEBHOOK_DISABLE_DAYS = env.float("WEBHOOK_DISABLE_DAYS", default=3.0)
WEBHOOK_LOG_DAYS = env.float("WEBHOOK_LOG_DAYS", default=7.0)

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
        "webhook_test": 30,
        "analyses": 60,
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
    "APPEND_COMPONENTS": {
        "securitySchemes": {
            "bearer": {"type": "http", "scheme": "bearer"},
            "ticket": {"type": "apiKey", "in": "query", "name": "ticket"},
        }
    },
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
