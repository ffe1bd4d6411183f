"""The tokens of a player."""

from uuid import UUID

from games.models import ApiToken


def token_list(*, player_id: UUID, before: UUID | None = None, limit: int = 50) -> list[ApiToken]:
    """Tokens not revoked, newest first, older than the token `before`."""
    tokens = ApiToken.objects.filter(player_id=player_id, revoked_at=None)
    if before is not None:
        tokens = tokens.filter(pk__lt=before)
    return list(tokens.order_by("-pk")[:limit])
