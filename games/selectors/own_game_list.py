"""A player's own games, and in which of them he has to move."""

from collections.abc import Sequence
from typing import Any, Final
from uuid import UUID

from django.db.models import F

from games.models import Game as GameRow
from games.rules.game import Game
from games.selectors.game_list import game_item, listed
from games.store import log

Json = dict[str, Any]
BATCH: Final = 200


def own_game_list(
    *,
    player_id: UUID,
    status: str | None = None,
    my_turn: bool | None = None,
    before: UUID | None = None,
    limit: int,
) -> list[Json]:
    """At most `limit` games in which the player has a seat, newest first, older than `before`.

    Whose turn it is stands in the games themselves: to list those of his turn all that he has
    running are looked at, many at a time.
    """
    size = limit if my_turn is None else max(limit, BATCH)
    found: list[Json] = []
    while len(found) < limit:
        items = _page(player_id, status, my_turn, before, size)
        found += [item for item in items if my_turn in (None, item["my_turn"])]
        if len(items) < size:
            break
        before = items[-1]["id"]
    return found[:limit]


def _page(
    player_id: UUID, status: str | None, my_turn: bool | None, before: UUID | None, size: int
) -> list[Json]:
    # All of it is said of one seat.
    seated: Json = {"seat_rows__player": player_id}
    if my_turn or status in {"open", "running"}:
        seated["seat_rows__is_over"] = False
    if before is not None:
        seated["seat_rows__game__lt"] = before
    games = GameRow.objects.filter(**seated).annotate(own_seat=F("seat_rows__seat"))
    if my_turn:
        games = games.filter(status=GameRow.Status.RUNNING)
    if status is not None:
        games = games.filter(status=status)
    rows: list[Any] = list(listed(games)[:size])
    running = _running([row.pk for row in rows if row.status == GameRow.Status.RUNNING])
    return [_item(row, running.get(row.pk), player_id) for row in rows]


def _running(ids: Sequence[UUID]) -> dict[UUID, Game]:
    """The games of these ids, by their snapshots."""
    kept = GameRow.objects.filter(pk__in=ids).values_list("pk", "snapshot") if ids else ()
    return {
        game_id: log.thaw(bytes(snapshot or b"")) or log.replay(game_id)
        for game_id, snapshot in kept
    }


def _item(row: Any, game: Game | None, player_id: UUID) -> Json:
    seat, item = row.own_seat, game_item(row, player_id)
    if game is None:
        return item | {"seat": seat, "my_turn": False, "deadline": None}
    mine = seat in game.to_act and game.chairs[seat].brain is None
    return item | {"seat": seat, "my_turn": mine, "deadline": game.deadline}
