"""Tables of the app, re-exported."""

from games.models.bot_profiles import BotProfile
from games.models.clocks import Heartbeat, Outage
from games.models.games import DueTurn, Game, GameEvent, GameSeat, IdempotencyKey
from games.models.notices import Inbox, Notice
from games.models.players import SCOPES, ApiToken, Player
from games.models.quick_matches import QuickMatch
from games.models.results import (
    BoardCount,
    GameFinish,
    GameResult,
    Ladder,
    Meeting,
    Rating,
    RatingChange,
)
from games.models.webhooks import WEBHOOK_EVENTS, Webhook, WebhookDelivery

__all__ = [
    "SCOPES",
    "WEBHOOK_EVENTS",
    "ApiToken",
    "BoardCount",
    "BotProfile",
    "DueTurn",
    "Game",
    "GameEvent",
    "GameFinish",
    "GameResult",
    "GameSeat",
    "Heartbeat",
    "IdempotencyKey",
    "Inbox",
    "Ladder",
    "Meeting",
    "Notice",
    "Outage",
    "Player",
    "QuickMatch",
    "Rating",
    "RatingChange",
    "Webhook",
    "WebhookDelivery",
]
