"""Finished public games one after the other, in the order in which they ended."""

from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

import msgspec
from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from games.models import Game, GameSeat
from games.selectors.game_replay import game_replay
from games.store import log

BATCH: Final = 10


class Place(msgspec.Struct, frozen=True):
    """Where a reader stands: behind this game."""

    finished_at: datetime
    game: UUID


class Wanted(msgspec.Struct, frozen=True):
    """Which games: ended from `since` on and before `until`, of a ruleset, of a player."""

    since: datetime | None = None
    until: datetime | None = None
    ruleset: str | None = None
    player: UUID | None = None
    rated: bool | None = None


def game_dump(wanted: Wanted, after: Place | None) -> list[tuple[Place, dict[str, Any] | None]]:
    """The exports of the next games, each with `finished_at`; none at the end.

    Games that were called off before their deal have nothing to tell: there is None for them.
    """
    games = _wanted(wanted)
    if after is not None:
        behind = Q(finished_at__gt=after.finished_at)
        # The first condition alone is for the index.
        games = games.filter(finished_at__gte=after.finished_at)
        games = games.filter(behind | Q(finished_at=after.finished_at, id__gt=after.game))
    rows = games.order_by("finished_at", "id").values_list("finished_at", "id")[:BATCH]
    return [(Place(at, game_id), _export(at, game_id)) for at, game_id in rows if at is not None]


def _wanted(wanted: Wanted) -> QuerySet[Game]:
    # A game is stamped before it is committed. Those that ended just now wait a little, so that
    # none comes to stand before one that was told already.
    settled = timezone.now() - timedelta(seconds=settings.DUMP_SETTLE_SECONDS)
    filters = {
        "finished_at__gte": wanted.since,
        "ruleset": wanted.ruleset,
        "rated": wanted.rated,
    }
    games = Game.objects.filter(
        status=Game.Status.FINISHED,
        visibility=Game.Visibility.PUBLIC,
        finished_at__lt=min(settled, wanted.until or settled),
        **{name: value for name, value in filters.items() if value is not None},
    )
    if wanted.player is not None:
        games = games.filter(id__in=GameSeat.objects.filter(player=wanted.player).values("game"))
    return games


def _export(finished_at: datetime, game_id: UUID) -> dict[str, Any] | None:
    head = log.load(game_id)
    if head is None or head.game.is_void:
        return None
    return {"finished_at": finished_at, **game_replay(head)}
