"""Games in lists, newest first."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Prefetch, Q, QuerySet

from games.models import Game, GameSeat

Json = dict[str, Any]


def game_list(
    *,
    caller: UUID | None,
    status: str | None = None,
    ruleset: str | None = None,
    player: UUID | None = None,
    before: UUID | None = None,
    limit: int,
) -> list[Game]:
    """Public games and the caller's own, older than `before`, in two queries.

    Games that wait for players whose seats are kept are shown to those alone.
    """
    games: QuerySet[Game] = Game.objects.filter(_visible(caller))
    wanted = {"status": status, "ruleset": ruleset, "id__lt": before}
    games = games.filter(**{name: value for name, value in wanted.items() if value is not None})
    if player is not None:
        games = games.filter(id__in=GameSeat.objects.filter(player=player).values("game"))
    seats = GameSeat.objects.select_related("player").order_by("seat")
    hidden = ("snapshot", "server_seed", "chain_secret", "bot_secret", "head_hash", "invite")
    rows = games.defer(*hidden).prefetch_related(Prefetch("seat_rows", queryset=seats))
    return list(rows.order_by("-id")[:limit])


def game_item(game: Game) -> Json:
    """A game as lists show it."""
    players = _players(game.seat_rows.all())
    return {
        "id": game.id,
        "status": game.status,
        "version": game.version,
        "ruleset": game.ruleset,
        "options": game.options,
        "seats": game.seats,
        "free_seats": game.seats - len(players),
        "players": players,
        "rated": game.rated,
        "visibility": game.visibility,
        "match": {"id": game.match_id, "game_number": game.game_number},
        "created_at": game.created_at,
        "finished_at": game.finished_at,
    }


def _visible(caller: UUID | None) -> Q:
    # An open game whose seats are kept is of no use to anybody else.
    for_all = ~Q(status=Game.Status.OPEN) | Q(reserved=[])
    public = Q(visibility=Game.Visibility.PUBLIC) & for_all
    if caller is None:
        return public
    own = GameSeat.objects.filter(player=caller).values("game")
    return public | Q(creator=caller) | Q(id__in=own) | Q(reserved__contains=[caller])


def _players(rows: Iterable[GameSeat]) -> list[Json]:
    return [{"seat": row.seat, "player": row.player.name, "kind": row.player.kind} for row in rows]
