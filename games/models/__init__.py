"""Tables of the app, re-exported."""

from games.models.games import DueTurn, Game, GameEvent, GameSeat, IdempotencyKey
from games.models.players import SCOPES, ApiToken, Player
from games.models.results import (
    BoardCount,
    GameFinish,
    GameResult,
    Ladder,
    Rating,
    RatingChange,
)

__all__ = [
    "SCOPES",
    "ApiToken",
    "BoardCount",
    "DueTurn",
    "Game",
    "GameEvent",
    "GameFinish",
    "GameResult",
    "GameSeat",
    "IdempotencyKey",
    "Ladder",
    "Player",
    "Rating",
    "RatingChange",
]
