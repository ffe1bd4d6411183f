"""Accounts, one at a time."""

from uuid import UUID

from games.models import Player
from games.models.player_names import name_fault, name_key, name_tidy


def player_get(*, player_id: UUID) -> Player | None:
    """The account with this id, unless it was deleted."""
    return Player.objects.filter(pk=player_id, deleted_at=None).first()


def player_get_by_name(*, name: str) -> Player | None:
    """The account with this name in any case; None for a text that no name can be."""
    if name_fault(name_tidy(name)):
        return None
    return Player.objects.filter(name_key=name_key(name), deleted_at=None).first()
