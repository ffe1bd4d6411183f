"""The project's own processes, each as a `Service` that is a fork of this one.

Importing this module loads the application, once for all of them: the forks start in an instant
and share its memory. No connection is opened and no thread started until a fork runs.
"""

import gc
import os
from functools import partial
from pathlib import Path

import celery.apps.beat
import celery.apps.worker
import celery.concurrency.prefork
import celery.worker
import uvicorn
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.urls import get_resolver

import durak_api.wsgi
import games.api.streams.application
from durak_api.celery import app
from durak_api.database import database_settings
from durak_api.embedded.limits import files_allow
from durak_api.embedded.probes import answers_http
from durak_api.embedded.process import Service
from durak_api.embedded.web_server import serve_wsgi

# Thinking yields to serving: a busy core makes every commit wait.
THINKING_NICE = 10
# Whoever thinks long yields to whoever does not.
DEEP_NICE = 15
COURIER_THREADS = 8
# Streams that one process may hold, its other files included.
STREAMS_FILES = 65_536
LOADED = (
    durak_api.wsgi.application,
    get_resolver().url_patterns,
    games.api.streams.application,
    celery.apps,
    celery.concurrency,
    celery.worker,
)

# The collector has no business in what all forks share: it would only copy it.
gc.freeze()


def all_of(sockets: Path) -> tuple[Service, ...]:
    """Everything that runs until it is stopped."""
    thinking = worker(sockets), thinker(sockets)
    return web(sockets), streams(sockets), *thinking, courier(), beat()


def migrate() -> Service:
    """The migrations that the database lacks; a look at the plan is all it costs otherwise."""
    return Service(name="migrate", run=run_migrate, is_ready=lambda: True)


def run_migrate() -> None:
    """Run it."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        call_command("migrate", interactive=False)


def compiler() -> Service:
    """What searches think with, compiled where it is not yet; nobody else waits for that."""
    return Service(name="compiler", run=run_compiler, is_ready=lambda: True)


def run_compiler() -> None:
    """Compile; what comes of it is kept."""
    from bots.warming import searches_compile

    searches_compile()


def web(sockets: Path) -> Service:
    """The API: WSGI processes with a few threads each."""
    path = sockets / "web.sock"
    return Service(name="web", run=partial(run_web, path), is_ready=lambda: answers_http(path))


def run_web(path: Path) -> None:
    """Serve on a socket file."""
    serve_wsgi("durak_api.wsgi:application", path)


def streams(sockets: Path) -> Service:
    """Streams and long polls: one event loop holds thousands of them."""
    path = sockets / "streams.sock"
    return Service(
        name="streams", run=partial(run_streams, path), is_ready=lambda: answers_http(path)
    )


def run_streams(path: Path) -> None:
    """Serve on a socket file, with a pool of connections instead of one a thread."""
    files_allow(STREAMS_FILES)
    settings.DATABASES["default"].update(database_settings(settings.DATABASE_URL, pool=True))
    uvicorn.run(
        "durak_api.asgi:application",
        uds=str(path),
        lifespan="on",
        access_log=False,
        log_level="warning",
        timeout_graceful_shutdown=3,
    )


def worker(sockets: Path) -> Service:
    """Turns of quick bots, and the sweepers."""
    sign = sockets / "worker.ready"
    return Service(
        name="worker",
        run=run_worker,
        is_ready=sign.exists,
        environment={"WORKER_READY_FILE": str(sign)},
        nice=THINKING_NICE,
    )


def run_worker() -> None:
    """Take tasks from the queues of quick bots and sweepers."""
    app.Worker(
        queues=[settings.BOT_QUEUES["quick"], settings.BOT_SWEEP_QUEUE],
        concurrency=2,
        without_gossip=True,
        without_mingle=True,
        loglevel="WARNING",
    ).start()


def thinker(sockets: Path) -> Service:
    """Turns of bots that search."""
    sign = sockets / "thinker.ready"
    return Service(
        name="thinker",
        run=run_thinker,
        is_ready=sign.exists,
        environment={"WORKER_READY_FILE": str(sign)},
    )


def run_thinker() -> None:
    """Take their turns from their own queue, as many at once as there are cores, and analyses."""
    from bots.warming import searches_compile

    # Whoever starts the stack waits for this, so it is done before stepping down.
    searches_compile()
    os.nice(DEEP_NICE)
    app.Worker(
        queues=[settings.BOT_QUEUES["deep"], settings.ANALYSIS_QUEUE],
        concurrency=settings.THINKER_CONCURRENCY or os.cpu_count(),
        hostname="thinker@%h",
        without_gossip=True,
        without_mingle=True,
        loglevel="WARNING",
    ).start()


def courier() -> Service:
    """Messages to webhooks, apart from the bots: a slow receiver must not hold up a game."""
    return Service(name="courier", run=run_courier, is_ready=lambda: True, nice=THINKING_NICE)


def run_courier() -> None:
    """Take tasks from the queue of webhooks; they wait far more than they compute."""
    app.Worker(
        queues=[settings.WEBHOOK_QUEUE],
        pool="threads",
        concurrency=COURIER_THREADS,
        hostname="courier@%h",
        without_gossip=True,
        without_mingle=True,
        loglevel="WARNING",
    ).start()


def beat() -> Service:
    """The clock of periodic tasks."""
    return Service(name="beat", run=run_beat, is_ready=lambda: True)


def run_beat() -> None:
    """Send tasks when they are due; the plan lives in the settings, not in a file."""
    app.Beat(scheduler="celery.beat:Scheduler", loglevel="WARNING", quiet=True).run()
