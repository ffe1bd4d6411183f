"""Finished games without cards: rows as the last move leaves them."""

from collections.abc import Sequence
from datetime import UTC, datetime
from itertools import count
from typing import Any
from uuid import UUID

from uuid_utils.compat import uuid7

from games.models import Player
from games.models.games import Game
from games.models.player_names import name_key
from games.projections.ratings import ratings_apply_strictly
from games.projections.results import FinishedGame, FinishedSeat, results_record
from games.rules.events import Result, Seat

AUTUMN = datetime(2026, 11, 1, 12, tzinfo=UTC)
WINTER = datetime(2027, 1, 1, 12, tzinfo=UTC)
_numbers = count(1)


def new_player(name: str | None = None, kind: str = "human") -> Player:
    """An account."""
    name = name or f"player-{next(_numbers)}"
    return Player.objects.create(name=name, name_key=name_key(name), kind=kind)


def new_players(number: int) -> list[Player]:
    """Accounts of people."""
    return [new_player() for _ in range(number)]


def result_of(places: Sequence[Sequence[Seat]], *, draw: bool = False, **more: Any) -> Result:
    """A result with these places; the last seat is the durak unless it is a draw."""
    durak = None if draw or len(places[-1]) > 1 else places[-1][0]
    winner = places[0][0] if len(places[0]) == 1 else None
    return Result(
        **{
            "durak": durak,
            "draw": draw,
            "winner": winner,
            "places": tuple(map(tuple, places)),
            "reason": "played_out",
            **more,
        }
    )


def finished(
    players: Sequence[Player],
    result: Result | None = None,
    *,
    absent: Sequence[Seat] = (),
    **changes: Any,
) -> FinishedGame:
    """The end of a rated public game; without `result` the seats went out in their order."""
    result = result or result_of([(seat,) for seat in range(len(players))])
    seats = [FinishedSeat(seat, player.id, seat in absent) for seat, player in enumerate(players)]
    return FinishedGame(
        **{
            "game_id": uuid7(),
            "ruleset": "throw_in",
            "options": {},
            "rated": True,
            "private": False,
            "seats": tuple(seats),
            "result": result,
            "finished_at": AUTUMN,
            **changes,
        }
    )


def record(game: FinishedGame) -> FinishedGame:
    """Store the game's row and its results."""
    Game.objects.create(
        id=game.game_id,
        creator_id=game.seats[0].player_id,
        ruleset=game.ruleset,
        visibility="private" if game.private else "public",
        rated=game.rated,
        match_id=game.game_id,
        seats=len(game.seats),
        status="finished",
        head_hash=b"",
        server_seed=b"",
        chain_secret=b"",
        bot_secret=b"",
        created_at=game.finished_at,
        finished_at=game.finished_at,
    )
    results_record(game=game)
    return game


def play(players: Sequence[Player], result: Result | None = None, **changes: Any) -> UUID:
    """A finished game, its ratings applied; its id."""
    game = record(finished(players, result, **changes))
    ratings_apply_strictly(game.game_id)
    return game.game_id
