"""What a referee is told about his verdict."""

from typing import Final
from uuid import UUID

from django.db import OperationalError

from games.models import GameFinish
from games.services.errors import ServiceError

# What passing a verdict may raise without a fault of anybody's.
REFUSED: Final = (ServiceError, OperationalError)
_REFUSALS: Final = {
    "game.not_found": "there is no such game",
    "game.not_started": "its cards were never dealt: nothing is to be voided",
    "request.invalid": "a reason of 1 to 200 characters is needed",
}


def refusal(error: ServiceError | OperationalError) -> str:
    """Why a verdict was not passed."""
    if isinstance(error, OperationalError):
        return "the game is being worked on, or the database is away: try again in a moment"
    return _REFUSALS.get(error.code, error.code)


def ratings_followed(game_id: UUID) -> str:
    """What has become of the ratings that a voided game had changed."""
    finish = GameFinish.objects.filter(pk=game_id).first()
    if finish is None:
        return "no ladder had counted it"
    if not finish.voided:
        return "its season is over and stays as it is"
    return "ratings follow with the next sweep" if finish.rated_at is None else "ratings followed"
