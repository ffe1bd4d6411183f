"""The accounts of the house's own bots: one for each brain, nobody has a token for them."""

import secrets
from typing import Final
from uuid import UUID, uuid5

from games.models import Player
from games.models.player_names import name_key
from games.services.errors import field_error

_NAMESPACE: Final = UUID("5b0b7a36-58a4-4d0f-9a3e-0d7e5d3c1f57")
SUBSTITUTE: Final = "greedy"
_brains: dict[str, None] = {}


def brain_announce(name: str) -> None:
    """Make a brain known: from then on it may be given a seat."""
    _brains[name] = None


def brain_check(name: str, field: str) -> None:
    """Raises ServiceError request.invalid if no brain has this name."""
    if name not in _brains:
        raise field_error(field, "must be one of " + ", ".join(_brains))


def house_player(brain: str) -> UUID:
    """The id of a brain's account, which is made when it first sits down.

    The id follows from the brain, not from the name, so nobody can take it by registering first.
    """
    player_id = uuid5(_NAMESPACE, brain)
    if not Player.objects.filter(id=player_id).exists():
        _create(player_id, brain)
    return player_id


def _create(player_id: UUID, brain: str) -> None:
    """Under the brain's name, or one like it when somebody has that already."""
    for name in (brain, f"{brain}-2", f"{brain}-{secrets.token_hex(4)}"):
        bot = Player(id=player_id, name=name, name_key=name_key(name), kind=Player.Kind.BOT)
        Player.objects.bulk_create([bot], ignore_conflicts=True)
        if Player.objects.filter(id=player_id).exists():
            return
