"""Who plays with whom: tickets of one pool, seated at one table.

Tickets with the same `rated` and the same clock are a pool. Whoever puts tickets together holds
the lock of their pool, and of no game: nothing that is played ever waits for it.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Final

import msgspec
from django.db import connection

from games.models import QuickMatch
from games.rules.events import PlayerJoined
from games.rules.rulesets.registry import player_counts, ruleset
from games.services.game_create import Table, bots_seated, table_open
from games.services.house import SUBSTITUTE

_HOLD: Final = """
    SELECT pg_advisory_xact_lock(hashtextextended('quick matches ' || %s::text, 0)),
        clock_timestamp()
"""


class Party(msgspec.Struct, frozen=True):
    """A table, and the tickets that go to it."""

    ruleset: str
    seats: int
    tickets: Sequence[QuickMatch]


def pool_hold(*, rated: bool, turn_seconds: int | None) -> datetime:
    """Take the lock of a pool until the transaction ends; the time by the database's clock."""
    with connection.cursor() as cursor:
        cursor.execute(_HOLD, [f"{rated} {turn_seconds}"])
        now: datetime = cursor.fetchone()[1]
        return now


def pool_others(ticket: QuickMatch, now: datetime) -> list[QuickMatch]:
    """The other tickets of a held pool that could be put with this one, the oldest first, locked.

    Those who say that they are there, or go, have a moment to wait.
    """
    waiting = QuickMatch.objects.filter(
        status=QuickMatch.Status.WAITING,
        alive_until__gte=now,
        rated=ticket.rated,
        turn_seconds=ticket.turn_seconds,
        rulesets__overlap=ticket.rulesets,
        seats__overlap=ticket.seats,
    )
    locked = waiting.exclude(pk=ticket.pk).select_for_update(of=("self",), no_key=True)
    return list(locked.select_related("player").order_by("id"))


def full_party(ticket: QuickMatch, others: Sequence[QuickMatch]) -> Party | None:
    """The first table of the ticket's own order that these can fill."""
    parties = _parties(ticket, others)
    return next((party for party in parties if len(party.tickets) == party.seats), None)


def bots_party(ticket: QuickMatch, others: Iterable[QuickMatch], now: datetime) -> Party:
    """The table with the most people among whom nobody minds bots any more."""
    patient = [other for other in others if other.bots_at is not None and other.bots_at <= now]
    return max(_parties(ticket, patient), key=lambda party: len(party.tickets))


def party_start(party: Party) -> None:
    """Deal at the party's table, bots on the free seats, and settle its tickets."""
    people = sorted(party.tickets, key=lambda ticket: ticket.pk)
    first = people[0]
    table = Table(
        ruleset=party.ruleset,
        seats=party.seats,
        bots=(SUBSTITUTE,) * (party.seats - len(people)),
        rated=first.rated,
        turn_seconds=first.turn_seconds,
    )
    seated = [_seated(seat, ticket) for seat, ticket in enumerate(people)]
    rules = ruleset(party.ruleset, players=party.seats)
    opened = table_open(
        creator=first.player_id, table=table, rules=rules, seated=[*seated, *bots_seated(table)]
    )
    for seat, ticket in enumerate(people):
        ticket.status, ticket.game_id, ticket.seat = (
            *(QuickMatch.Status.MATCHED, opened.head.id, seat),
        )
        ticket.save(update_fields=["status", "game", "seat"])


def _parties(ticket: QuickMatch, others: Sequence[QuickMatch]) -> Iterator[Party]:
    """Every table that the ticket names, with as many of the others as fit."""
    for name in ticket.rulesets:
        for seats in ticket.seats:
            if seats in player_counts(name):
                takers = [it for it in others if name in it.rulesets and seats in it.seats]
                yield Party(name, seats, [ticket, *takers[: seats - 1]])


def _seated(seat: int, ticket: QuickMatch) -> PlayerJoined:
    return PlayerJoined(
        seat=seat,
        player=str(ticket.player_id),
        kind=ticket.player.kind,
        client_seed=ticket.client_seed,
    )
