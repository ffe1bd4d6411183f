"""A token in exchange for name and password."""

from collections.abc import Collection

from django.contrib.auth.hashers import check_password, make_password

from games.models import SCOPES, Player
from games.models.player_names import name_key
from games.services.errors import ServiceError
from games.services.token_issue import IssuedToken, token_issue


def token_sign_in(
    *,
    name: str,
    password: str,
    scopes: Collection[str] = SCOPES,
    label: str = "",
    expires_in: int | None = None,
) -> IssuedToken:
    """A new token of the player who has this name and this password.

    Raises ServiceError auth.invalid, the same for an unknown name, a guest and a wrong password,
    after the same work.
    """
    player = Player.objects.filter(name_key=name_key(name), deleted_at=None).first()
    if not _password_fits(player, password) or player is None:
        raise ServiceError("auth.invalid")
    return token_issue(player_id=player.id, scopes=scopes, label=label, expires_in=expires_in)


def _password_fits(player: Player | None, password: str) -> bool:
    if player is None or not player.password:
        make_password(password)
        return False
    return check_password(password, player.password)
