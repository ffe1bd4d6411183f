"""The next game of a match: opened by the first who wants it, joined by the others' own calls."""

import logging
from datetime import timedelta
from typing import Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.db import DatabaseError, transaction
from django.utils import timezone
from uuid_utils.compat import uuid7

from games.models import Game as GameRow
from games.rules.errors import RulesError
from games.rules.events import GameCreated, GameVoided, PlayerJoined, Seat
from games.rules.game import Chair, Game
from games.rules.match import previous_of
from games.rules.scoring import void_result
from games.rules.shuffle import commitment
from games.selectors.match_show import match_is_over
from games.services.errors import ServiceError
from games.services.game_advance import Outcome, advance, game_advance
from games.services.game_caps import games_cap
from games.services.game_open import fresh_secrets, game_open, read_seed
from games.services.game_seats import has_lapsed, seat_at_table, seat_taken
from games.store import log
from games.store.chain import chain_commitment
from games.store.codec import UnknownEvent
from games.store.log import Head, VersionConflict

LAPSED_BATCH: Final = 200

_log = logging.getLogger("games.rematch")


def game_rematch(*, game_id: UUID, player_id: UUID, kind: str, client_seed: str = "") -> Outcome:
    """Take one's seat in the game that follows a finished one, which the first call opens.

    The finished game is locked meanwhile, so there is one next game however many call at once.
    Raises ServiceError game.not_found, game.not_joined, game.not_finished, game.not_started (it
    was called off before its deal), match.over (or the game was voided while it ran),
    game.too_many, request.invalid.
    """
    seed = read_seed(client_seed)
    with transaction.atomic(savepoint=False):
        last = log.lock(game_id)
        if last is None:
            raise ServiceError("game.not_found")
        own = PlayerJoined(
            seat=seat_at_table(last, player_id), player=str(player_id), kind=kind, client_seed=seed
        )
        _check_played(last.game)
        outcome = _sit_down(last, own)
        if outcome.added:
            games_cap(player_id=player_id)
        return outcome


def rematches_lapse() -> int:
    """Call off the rematches for which not everybody came in time; how many there were."""
    late = GameRow.objects.filter(
        status=GameRow.Status.OPEN, reserved_until__lte=timezone.now()
    ).order_by("reserved_until")
    return sum(_lapse(game_id) for game_id in late.values_list("pk", flat=True)[:LAPSED_BATCH])


def _lapse(game_id: UUID) -> bool:
    try:
        return bool(game_advance(game_id, _void_if_late).added)
    except DatabaseError:
        _log.warning("game %s is called off by the next sweep", game_id, exc_info=True)
        return False
    except (RulesError, UnknownEvent, VersionConflict, ValueError):
        _log.exception("game %s cannot go on", game_id)
        return False


def _void_if_late(head: Head) -> list[GameVoided]:
    return [GameVoided(result=void_result())] if has_lapsed(head.game) else []


def _sit_down(last: Head, own: PlayerJoined) -> Outcome:
    following, player_id = _following(last), UUID(own.player)
    if following is None:
        return _open(last.game, own)
    if following.game.seat_of(own.player) is not None:
        return advance(following, ())
    return advance(following, seat_taken(following, player_id, own.kind, own.client_seed))


def _check_played(game: Game) -> None:
    if game.result is None:
        raise ServiceError("game.not_finished")
    if game.state is None:
        raise ServiceError("game.not_started")
    if game.is_void:
        raise ServiceError("match.over")


def _following(last: Head) -> Head | None:
    """The next game, locked, unless it must be opened: the first time, or after one that lapsed."""
    rows = GameRow.objects.filter(
        match_id=UUID(last.game.match), game_number=last.game.game_number + 1
    )
    newest = rows.order_by("-id").values_list("pk", flat=True).first()
    following = None if newest is None else log.lock(newest)
    if following is None or following.game.is_void:
        return None
    return None if advance(following, _void_if_late(following)).added else following


def _open(last: Game, own: PlayerJoined) -> Outcome:
    if match_is_over(last):
        raise ServiceError("match.over")
    game_id, hidden, at = uuid7(), fresh_secrets(), timezone.now()
    created = GameCreated(
        ruleset=last.ruleset,
        options=last.options,
        rules=msgspec.structs.asdict(last.rules),
        ruleset_sha256=last.ruleset_sha256,
        seats=len(last.chairs),
        creator=own.player,
        rated=last.rated,
        visibility=last.visibility,
        auto_start=True,
        match=last.match,
        game_number=last.game_number + 1,
        commitment=commitment(hidden.server, str(game_id)),
        chain_commitment=chain_commitment(hidden.chain, str(game_id)),
        series_length=last.series_length,
        match_target=last.match_target,
        turn_seconds=last.turn_seconds,
        bank_seconds=last.bank_seconds,
        on_timeout=last.on_timeout,
        spectator_delay=last.spectator_delay,
        previous=previous_of(last),
        reserved=tuple(None if chair.house else chair.player for chair in last.chairs),
        reserved_until=at + timedelta(seconds=settings.REMATCH_SECONDS),
    )
    bots = [_agreed(seat, chair) for seat, chair in enumerate(last.chairs) if chair.house]
    seated = sorted([*bots, own], key=lambda joined: joined.seat)
    return game_open(game_id=game_id, hidden=hidden, created=created, seated=seated, at=at)


def _agreed(seat: Seat, chair: Chair) -> PlayerJoined:
    """A bot of the house takes its seat without being asked."""
    return PlayerJoined(seat=seat, player=str(chair.player), kind=chair.kind, brain=chair.brain)
