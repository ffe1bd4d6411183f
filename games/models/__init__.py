"""Tables of the app, re-exported."""

from games.models.clocks import Heartbeat, Outage
from games.models.games import DueTurn, Game, GameEvent, GameSeat, IdempotencyKey
from games.models.players import SCOPES, ApiToken, Player
from games.models.results import GameFinish, GameResult, Ladder, Rating, RatingChange

__all__ = [
    "SCOPES",
    "ApiToken",
    "DueTurn",
    "Game",
    "GameEvent",
    "GameFinish",
    "GameResult",
    "GameSeat",
    "Heartbeat",
    "IdempotencyKey",
    "Ladder",
    "Outage",
    "Player",
    "Rating",
    "RatingChange",
]
