"""Tables of the app, re-exported."""

from games.models.games import DueTurn, Game, GameEvent, GameSeat, IdempotencyKey
from games.models.players import SCOPES, ApiToken, Player
from games.models.results import GameFinish, GameResult, Ladder, Meeting, Rating, RatingChange

__all__ = [
    "SCOPES",
    "ApiToken",
    "DueTurn",
    "Game",
    "GameEvent",
    "GameFinish",
    "GameResult",
    "GameSeat",
    "IdempotencyKey",
    "Ladder",
    "Meeting",
    "Player",
    "Rating",
    "RatingChange",
]
