"""Changes to one's own account."""

from uuid import UUID

from django.contrib.auth.hashers import make_password

from games.models import Player
from games.models.player_names import name_key
from games.services.errors import ServiceError
from games.services.player_names import checked_name, taking_name


def player_update(
    *,
    player_id: UUID,
    name: str | None = None,
    password: str | None = None,
    language: str | None = None,
) -> Player:
    """Change what is given, leave what is None; tokens stay valid.

    Raises ServiceError: request.invalid (name), player.name_taken, player.not_found.
    """
    changes: dict[str, str] = {}
    if name is not None:
        changes["name"] = checked_name(name)
        changes["name_key"] = name_key(changes["name"])
    if password is not None:
        changes["password"] = make_password(password)
    if language is not None:
        changes["language"] = language
    return _apply(player_id, changes)


def _apply(player_id: UUID, changes: dict[str, str]) -> Player:
    live = Player.objects.filter(pk=player_id, deleted_at=None)
    with taking_name():
        if changes:
            live.update(**changes)
        player = live.first()
    if player is None:
        raise ServiceError("player.not_found")
    return player
