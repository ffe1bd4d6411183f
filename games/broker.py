"""Publishing tasks in a way that no request ever waits long for a broker."""

from typing import Any, Final

from celery import current_app
from kombu import Connection
from kombu.pools import producers

# Seconds for one attempt.
_TIMEOUT: Final = 0.3
_IMPATIENT: Final = {
    "socket_timeout": _TIMEOUT,
    "socket_connect_timeout": _TIMEOUT,
    "max_retries": 1,
    "interval_start": 0,
    "interval_step": 0,
}


def task_publish(name: str, arguments: list[Any], **options: Any) -> None:
    """Ask a worker to do a task. Raises KombuError or OSError when that cannot be done at once."""
    with producers[_connection()].acquire(block=True, timeout=_TIMEOUT) as producer:
        current_app.send_task(name, args=arguments, producer=producer, retry=False, **options)


def _connection() -> Connection:
    """The broker's address with our patience; the pool keeps the connection itself."""
    options = {**current_app.conf.broker_transport_options, **_IMPATIENT}
    return Connection(current_app.conf.broker_write_url, transport_options=options)
