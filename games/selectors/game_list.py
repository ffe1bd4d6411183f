"""Games in lists, newest first."""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Any, Final, Literal
from uuid import UUID

import msgspec
from django.conf import settings
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet

from games.models import Game, GameSeat, Player

Json = dict[str, Any]
Speed = Literal["none", "live", "correspondence"]


class Lobby(msgspec.Struct, frozen=True):
    """Which open games: with so many free seats or more, so many seats, and so on.

    `speed` is that of the clock; `bots`: whether a bot is among the players.
    """

    seats_free: int | None = None
    seats: int | None = None
    rated: bool | None = None
    speed: Speed | None = None
    bots: bool | None = None


_ANY: Final = Lobby()


def game_list(
    *,
    caller: UUID | None,
    status: str | None = None,
    ruleset: str | None = None,
    player: UUID | None = None,
    lobby: Lobby = _ANY,
    before: UUID | None = None,
    limit: int,
) -> list[Game]:
    """Public games and the caller's own, older than `before`, in two queries.

    Games that wait for players whose seats are kept are shown to those alone.
    """
    games: QuerySet[Game] = Game.objects.filter(_visible(caller))
    wanted = {
        "status": status,
        "ruleset": ruleset,
        "id__lt": before,
        "free_seats__gte": lobby.seats_free,
        "seats": lobby.seats,
        "rated": lobby.rated,
    }
    games = games.filter(**{name: value for name, value in wanted.items() if value is not None})
    if player is not None:
        games = games.filter(id__in=GameSeat.objects.filter(player=player).values("game"))
    if lobby.speed is not None:
        games = games.filter(_of_speed(lobby.speed))
    if lobby.bots is not None:
        bots = GameSeat.objects.filter(game=OuterRef("pk"), player__kind=Player.Kind.BOT)
        games = games.filter(Exists(bots) if lobby.bots else ~Exists(bots))
    return list(listed(games)[:limit])


def listed(games: QuerySet[Game]) -> QuerySet[Game]:
    """The games newest first, with what lists show of them."""
    seats = GameSeat.objects.select_related("player").order_by("seat")
    hidden = ("snapshot", "server_seed", "chain_secret", "bot_secret", "head_hash", "invite")
    rows = games.defer(*hidden).prefetch_related(Prefetch("seat_rows", queryset=seats))
    return rows.order_by("-id")


def game_item(game: Game, caller: UUID | None = None) -> Json:
    """A game as lists show it to a caller."""
    players = _players(game.seat_rows.all())
    own = any(row.player_id == caller for row in game.seat_rows.all())
    return {
        "id": game.id,
        "status": game.status,
        "version": game.version if own else game.shown_version or game.version,
        "ruleset": game.ruleset,
        "options": game.options,
        "seats": game.seats,
        "free_seats": game.seats - len(players),
        "players": players,
        "rated": game.rated,
        "visibility": game.visibility,
        "turn_seconds": game.turn_seconds,
        "speed": speed_of(game.turn_seconds),
        "match": {"id": game.match_id, "game_number": game.game_number},
        "created_at": game.created_at,
        "expires_at": _expires_at(game),
        "finished_at": game.finished_at,
    }


def speed_of(turn_seconds: int | None) -> Speed:
    """How fast is played with so many seconds for a turn."""
    if turn_seconds is None:
        return "none"
    return "correspondence" if turn_seconds >= settings.CORRESPONDENCE_TURN_SECONDS else "live"


def _of_speed(speed: Speed) -> Q:
    slow = Q(turn_seconds__gte=settings.CORRESPONDENCE_TURN_SECONDS)
    live = Q(turn_seconds__lt=settings.CORRESPONDENCE_TURN_SECONDS)
    return {"none": Q(turn_seconds=None), "live": live, "correspondence": slow}[speed]


def _expires_at(game: Game) -> datetime | None:
    """When an open game is called off unless somebody comes."""
    if game.waiting_since is None:
        return None
    if game.reserved_until is not None:
        return game.reserved_until
    slow = speed_of(game.turn_seconds) == "correspondence"
    seconds = settings.OPEN_CORRESPONDENCE_SECONDS if slow else settings.OPEN_GAME_SECONDS
    return game.waiting_since + timedelta(seconds=seconds)


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
