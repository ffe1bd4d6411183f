"""The end of an account."""

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from games.models import ApiToken, Player


def player_delete(*, player_id: UUID) -> None:
    """Anonymise the account and destroy its tokens; games keep the player's id.

    The new name is made of 80 random bits of the id, so that nobody can hold it already, and the
    old one is free again.
    """
    alias = f"deleted-{player_id.hex[-20:]}"
    with transaction.atomic():
        Player.objects.filter(pk=player_id, deleted_at=None).update(
            name=alias, name_key=alias, password="", deleted_at=timezone.now()
        )
        ApiToken.objects.filter(player_id=player_id).delete()
