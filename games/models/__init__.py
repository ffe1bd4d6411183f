"""Tables of the app, re-exported."""

from games.models.players import SCOPES, ApiToken, Player

__all__ = ["SCOPES", "ApiToken", "Player"]
