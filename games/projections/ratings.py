"""From result rows to ratings, once for each game.

A game is numbered on its ladder and on `overall` under a lock on both ladders that is held until
its changes are committed: games of a ladder are applied one after the other, in the order of
their numbers, and a rebuild that follows the numbers comes to the same ratings.
"""

import logging
from collections.abc import Mapping
from datetime import timedelta
from itertools import takewhile
from typing import Final
from uuid import UUID

import msgspec
from django.db import DatabaseError, OperationalError, transaction
from django.utils import timezone

from games.models.results import GameFinish
from games.projections.fairness import Met, Pair, Weight, pairs_of, weights
from games.projections.numbering import game_placings
from games.projections.policy import policy
from games.projections.rating_rows import (
    GAMES,
    STOOD,
    FinishedRow,
    change_row,
    rating_row,
    read_game,
    read_standings,
    store_game,
)
from games.projections.refold import refold_counted
from games.projections.standings import Held, RatedGame, game_changes
from games.store.cursors import executed

# A game whose last move is just being answered is left to that request.
PENDING_AFTER: Final = timedelta(seconds=2)
PENDING_BATCH: Final = 200
_TAKE: Final = GAMES + "WHERE f.game_id = %s AND f.rated_at IS NULL FOR NO KEY UPDATE OF f"
# Where everybody stands, and how often they have met today, which this game adds to.
_MEET: Final = """
    WITH met AS (
        INSERT INTO games_meeting AS m (low, high, day, games, surrenders)
        SELECT pair.low, pair.high, %s, 1, %s
        FROM json_to_recordset(%s::json) AS pair (low uuid, high uuid)
        ON CONFLICT (low, high, day) DO UPDATE SET
            games = m.games + 1, surrenders = m.surrenders + EXCLUDED.surrenders
        RETURNING low, high, games - 1 AS games, surrenders - %s AS surrenders
    )
    SELECT (SELECT json_agg(json_build_array(low, high, games, surrenders)) FROM met)::text,
        {stood}
"""
_KNOWN: Final = _MEET.format(stood=STOOD)
_decode_met: Final = msgspec.json.Decoder(list[tuple[UUID, UUID, int, int]]).decode
_encode: Final = msgspec.json.Encoder().encode

_log = logging.getLogger("games.ratings")


def ratings_apply(game_id: UUID) -> bool:
    """Apply a finished game's result to its ladders; True if this call did it.

    Called after the commit of the last move, and after that of a verdict that voids the game. A
    game that does not count, or is done already, changes nothing. A database that refuses is
    logged: `ratings_apply_pending` comes back to it.
    """
    return bool(_applied(game_id))


def ratings_apply_strictly(game_id: UUID) -> bool:
    """The same, but raises DatabaseError."""
    with transaction.atomic():
        row = executed(_TAKE, [game_id]).row
        if row is None:
            return False
        finish = read_game(row)
        if finish.game.voided or finish.game.numbers:
            refold_counted(finish)
        else:
            _apply(finish)
    return True


def ratings_apply_pending(*, voided: bool = False) -> int:
    """Apply, oldest first, games that a crash or a busy ladder left without; how many were.

    Or those that were voided, each of which takes as long as what followed it. While ladders are
    locked the rest waits as well: it is for nobody's good that all wait in turn.
    """
    old = GameFinish.objects.filter(
        rated_at=None, voided=voided, finished_at__lt=timezone.now() - PENDING_AFTER
    )
    ids = old.order_by("finished_at", "game_id").values_list("pk", flat=True)[:PENDING_BATCH]
    done = takewhile(lambda applied: applied is not None, map(_applied, ids))
    return sum(map(bool, done))


def _applied(game_id: UUID) -> bool | None:
    """Whether this call did it; None if the database was too busy."""
    try:
        return ratings_apply_strictly(game_id)
    except OperationalError:
        _log.warning("ratings of game %s wait for their turn", game_id, exc_info=True)
        return None
    except (DatabaseError, ArithmeticError, ValueError):
        _log.warning("ratings of game %s wait for the next sweep", game_id, exc_info=True)
        return False


def _apply(finish: FinishedRow) -> None:
    placings = game_placings(finish.ladder, finish.game.season)
    numbers = tuple((placing.ladder, placing.seq) for placing in placings)
    game = msgspec.structs.replace(finish.game, numbers=numbers)
    shares, held = _known(game)
    entered = [
        (placing, change)
        for placing in placings
        for change in game_changes(game, placing, held.get(placing.ladder, {}), shares)
    ]
    store_game(
        game,
        [rating_row(game, *one) for one in entered],
        [change_row(game, *one) for one in entered],
        shares,
        timezone.now(),
    )


def _known(game: RatedGame) -> tuple[Mapping[UUID, Weight], Mapping[str, dict[UUID, Held]]]:
    """What the game counts for each player, and where they stand on its ladders."""
    rules, players = policy(), game.players
    early = game.is_early(rules.early_events)
    pairs = pairs_of(players) if rules.looks_at_pairs else []
    told = _encode([{"low": low, "high": high} for low, high in pairs]).decode()
    ladders = [ladder for ladder, _ in game.numbers]
    parameters = [game.day, int(early), told, int(early), ladders, sorted(players)]
    row = executed(_KNOWN, parameters).row
    assert row is not None
    met, stood = row
    shares = weights(rules, players, _met(met), early=early) if pairs else {}
    return shares, read_standings(stood)


def _met(text: str | None) -> dict[Pair, Met]:
    found = _decode_met(text or "[]")
    return {(low, high): Met(games, surrenders) for low, high, games, surrenders in found}
