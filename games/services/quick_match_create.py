"""Asking for a game at once, and no longer."""

from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import IntegrityError, transaction

from games.models import QuickMatch
from games.rules.errors import InvalidOptions, UnknownRuleset
from games.rules.rulesets.registry import PRESETS, canonical_id, player_counts
from games.services.errors import ServiceError, field_error
from games.services.game_caps import games_cap
from games.services.game_create import clock_check
from games.services.game_open import read_seed
from games.services.quick_match_pool import (
    bots_party,
    full_party,
    party_start,
    pool_hold,
    pool_others,
)

LONGEST_WAIT: Final = 3_600


class Wish(msgspec.Struct, frozen=True):
    """What a player would play. After `bots_after` seconds (None: never) bots may fill up."""

    rulesets: tuple[str, ...]
    seats: tuple[int, ...]
    rated: bool = False
    turn_seconds: int | None = None
    bots_after: int | None = None
    client_seed: str = ""


def quick_match_create(*, player_id: UUID, wish: Wish) -> QuickMatch:
    """Take a ticket, which is matched at once if others wait who fill a table with it.

    Raises UnknownRuleset, InvalidOptions (players), ServiceError request.invalid, game.too_many,
    quick_match.waiting (with the `id` of the ticket that the player has).
    """
    rulesets = tuple(dict.fromkeys(canonical_id(name) for name in wish.rulesets))
    _check_tables(rulesets, wish.seats)
    clock_check(wish.turn_seconds)
    if wish.bots_after is not None and not 0 <= wish.bots_after <= LONGEST_WAIT:
        raise field_error("bots", f"never, or from 0 to {LONGEST_WAIT} seconds")
    seed = read_seed(wish.client_seed)
    with transaction.atomic(savepoint=False):
        now = pool_hold(rated=wish.rated, turn_seconds=wish.turn_seconds)
        ticket = _ticket(player_id, msgspec.structs.replace(wish, rulesets=rulesets), seed, now)
        games_cap(player_id=player_id)
        _match(ticket, now)
    return ticket


def quick_match_cancel(*, ticket_id: UUID, player_id: UUID) -> None:
    """Give a ticket up; one that is settled without a game stays as it is.

    Raises ServiceError quick_match.not_found, quick_match.matched (with the `game`).
    """
    own = QuickMatch.objects.filter(pk=ticket_id, player=player_id)
    if own.filter(status=QuickMatch.Status.WAITING).update(status=QuickMatch.Status.CANCELLED):
        return
    ticket = own.first()
    if ticket is None:
        raise ServiceError("quick_match.not_found")
    if ticket.game_id is not None:
        raise ServiceError("quick_match.matched", game=ticket.game_id)


def _check_tables(rulesets: tuple[str, ...], seats: tuple[int, ...]) -> None:
    """Whether each ruleset can be played by some of these numbers, and each number plays some."""
    for name in rulesets:
        if name not in PRESETS:
            raise UnknownRuleset(name)
        if not set(seats) & set(player_counts(name)):
            raise InvalidOptions({"players": f"{name}: one of {player_counts(name)}"})
    if idle := set(seats) - {count for name in rulesets for count in player_counts(name)}:
        raise InvalidOptions({"players": f"none of these rulesets is for {min(idle)}"})


def _ticket(player_id: UUID, wish: Wish, seed: str, now: datetime) -> QuickMatch:
    mine = QuickMatch.objects.filter(player=player_id, status=QuickMatch.Status.WAITING)
    mine.filter(alive_until__lt=now).update(status=QuickMatch.Status.LAPSED)
    after = wish.bots_after
    try:
        with transaction.atomic():
            return QuickMatch.objects.create(
                player_id=player_id,
                rulesets=list(wish.rulesets),
                seats=list(dict.fromkeys(wish.seats)),
                rated=wish.rated,
                turn_seconds=wish.turn_seconds,
                bots_at=None if after is None else now + timedelta(seconds=after),
                client_seed=seed,
                created_at=now,
                alive_until=now + timedelta(seconds=settings.QUICK_MATCH_SECONDS),
            )
    except IntegrityError:
        raise ServiceError(
            "quick_match.waiting", id=mine.values_list("pk", flat=True).first()
        ) from None


def _match(ticket: QuickMatch, now: datetime) -> None:
    others = pool_others(ticket, now)
    party = full_party(ticket, others)
    if party is None and ticket.bots_at is not None and ticket.bots_at <= now:
        party = bots_party(ticket, others, now)
    if party is not None:
        party_start(party)
