"""A new account with its first token."""

from typing import NamedTuple

from django.contrib.auth.hashers import make_password

from games.models import Player
from games.models.player_names import name_key
from games.services.player_names import checked_name, taking_name
from games.services.token_issue import IssuedToken, token_issue


class Registered(NamedTuple):
    """The account and the only time its token is seen."""

    player: Player
    token: IssuedToken


def player_register(
    *, name: str, password: str | None = None, kind: str = "human", language: str = "en"
) -> Registered:
    """Make an account; without a password it is a guest's, reachable by its token alone.

    Raises ServiceError: request.invalid (name), player.name_taken.
    """
    name = checked_name(name)
    hashed = make_password(password) if password else ""
    with taking_name():
        player = Player.objects.create(
            name=name, name_key=name_key(name), kind=kind, password=hashed, language=language
        )
        return Registered(player, token_issue(player_id=player.id))
