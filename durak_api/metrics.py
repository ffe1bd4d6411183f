"""Figures for Prometheus, read from the shared servers when somebody asks.

Every process of a machine gives the same answer, and nothing is counted on the way of a request.
"""

from collections.abc import Iterator, Mapping

from django.db import DatabaseError
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.metrics_core import Metric

from bots.queues import turns_waiting
from durak_api import health
from games.services.heads_anchor import heads_swept
from games.tally import DELIVERIES, STREAMS_ENDED, TIMEOUTS

GAMES = "SELECT status, count(*) FROM games_game GROUP BY status"
PLAYERS = "SELECT kind, count(*) FROM games_player WHERE deleted_at IS NULL GROUP BY kind"
# The statistics collector's figure: counting a long log row by row would take seconds.
EVENTS = "SELECT coalesce(sum(n_live_tup), 0) FROM pg_stat_user_tables WHERE relname = %s"
INCIDENTS = "SELECT kind, sum(count) FROM bots_incident GROUP BY kind"
CLOCKS = "SELECT count(*) FROM games_game WHERE due_at IS NOT NULL"
DELIVERIES_WAITING = "SELECT count(*) FROM webhook_delivery WHERE status = 'pending'"
ANALYSES = "SELECT count(*) FROM bots_analysis WHERE status IN ('waiting', 'running')"
WEBHOOKS = "SELECT status, count(*) FROM webhook GROUP BY status"
CONNECTIONS = "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"


class Collector:
    """The figures of one scrape."""

    def collect(self) -> Iterator[Metric]:
        """Yield each metric; without a database, what is left."""
        yield from broker_metrics(health.broker_look())
        refused = len(heads_swept().refused)
        yield gauge("durak_log_heads_refused", "Games at fault, so not anchored.", refused)
        try:
            yield from list(database_metrics())
        except DatabaseError:
            yield gauge("durak_database_up", "1 if the database answers.", 0)


def broker_metrics(broker: health.Broker | None) -> Iterator[Metric]:
    """Yield what the broker knows: zeros where it is silent, and no tallies."""
    yield gauge("durak_broker_up", "1 if the broker answers.", broker is not None)
    known = broker or health.Broker(0, 0, 0, False, [], {})
    yield gauge("durak_workers", "Celery workers alive.", known.workers)
    yield gauge("durak_thinkers", "Workers of searching brains alive.", known.thinkers)
    yield gauge("durak_couriers", "Workers of webhooks alive.", known.couriers)
    yield gauge("durak_beat_up", "1 if beat sends the sweeper.", known.beat)
    yield gauge("durak_streams_processes", "Processes of streams alive.", len(known.streams))
    yield gauge("durak_streams_open", "Streams that are open.", sum(known.streams))
    if broker is not None:
        yield tally(broker, STREAMS_ENDED, "Streams that have ended, by reason.", "reason")
        yield tally(broker, DELIVERIES, "Attempts to deliver a message, by outcome.", "outcome")
        acted = broker.tallies[TIMEOUTS].get("acted", 0)
        yield CounterMetricFamily("durak_timeouts", "Turns whose time was up.", value=acted)


def database_metrics() -> Iterator[Metric]:
    """Yield what the database knows; raise DatabaseError."""
    yield gauge("durak_database_up", "1 if the database answers.", 1)
    yield labelled("durak_games", "Games by status.", "status", GAMES)
    yield labelled("durak_players", "Accounts by kind.", "kind", PLAYERS)
    events = health.query(EVENTS, health.LOG_TABLE)[0][0]
    yield gauge("durak_log_events", "Events in the log, about.", events)
    yield from turn_metrics()
    yield from clock_metrics()
    yield from webhook_metrics()
    yield labelled("durak_bot_incidents", "Trouble with bot turns, by kind.", "kind", INCIDENTS)
    connections = health.query(CONNECTIONS)[0][0]
    yield gauge("durak_database_connections", "Open connections.", connections)


def turn_metrics() -> Iterator[Metric]:
    """Yield how many bot turns wait and how old the oldest is, by queue; analyses likewise."""
    waiting = turns_waiting()
    turns: dict[str, float] = {pace: one.turns for pace, one in waiting.items()}
    yield by_label("durak_bot_turns_waiting", "Bot turns that are due.", "queue", turns)
    ages: dict[str, float] = {pace: one.oldest for pace, one in waiting.items()}
    yield by_label("durak_bot_turn_oldest_seconds", "Age of the oldest due turn.", "queue", ages)
    yield gauge("durak_analyses_waiting", "Analyses not done yet.", health.query(ANALYSES)[0][0])


def clock_metrics() -> Iterator[Metric]:
    """Yield what is known of running turns."""
    yield gauge("durak_clocks_running", "Games with a running clock.", health.query(CLOCKS)[0][0])
    oldest = health.oldest_seconds(health.OLDEST_CLOCK)
    yield gauge("durak_clock_oldest_seconds", "How long a deadline has been over.", oldest)


def webhook_metrics() -> Iterator[Metric]:
    """Yield what is known of webhooks and of messages that wait for them."""
    yield labelled("durak_webhooks", "Webhooks by status.", "status", WEBHOOKS)
    waiting = health.query(DELIVERIES_WAITING)[0][0]
    yield gauge("durak_deliveries_waiting", "Messages that wait for an attempt.", waiting)
    oldest = health.oldest_seconds(health.OLDEST_DELIVERY)
    yield gauge("durak_delivery_oldest_seconds", "How long an attempt has been due.", oldest)


def gauge(name: str, text: str, value: float) -> Metric:
    """Return a gauge with one value."""
    return GaugeMetricFamily(name, text, value=float(value))


def labelled(name: str, text: str, label: str, sql: str) -> Metric:
    """Return a gauge with one value for each row (label, value) of `sql`."""
    return by_label(
        name, text, label, {str(value): float(count) for value, count in health.query(sql)}
    )


def by_label(name: str, text: str, label: str, values: Mapping[str, float]) -> Metric:
    """Return a gauge with one value for each value of a label."""
    family = GaugeMetricFamily(name, text, labels=[label])
    for value, figure in values.items():
        family.add_metric([value], figure)
    return family


def tally(broker: health.Broker, name: str, text: str, label: str) -> Metric:
    """Return a counter with one value for each kind of a tally."""
    family = CounterMetricFamily(f"durak_{name}", text, labels=[label])
    for kind, count in broker.tallies[name].items():
        family.add_metric([kind], float(count))
    return family


def metrics_text() -> bytes:
    """Return everything in the text format."""
    registry = CollectorRegistry()
    registry.register(Collector())
    return generate_latest(registry)
