"""The end of a token."""

from uuid import UUID

from django.utils import timezone

from games.models import ApiToken
from games.services.errors import ServiceError


def token_revoke(*, player_id: UUID, token_id: UUID) -> None:
    """Revoke a token of this player, from the next request on.

    Raises ServiceError token.not_found, for another player's token too.
    """
    live = ApiToken.objects.filter(pk=token_id, player_id=player_id, revoked_at=None)
    if not live.update(revoked_at=timezone.now()):
        raise ServiceError("token.not_found")
