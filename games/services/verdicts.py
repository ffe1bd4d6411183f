"""What a referee is told about his verdict."""

from typing import Final
from uuid import UUID

from games.models import GameFinish

REFUSALS: Final = {
    "game.not_found": "there is no such game",
    "game.not_started": "its cards were never dealt: nothing is to be voided",
    "request.invalid": "a reason of 1 to 200 characters is needed",
}


def ratings_followed(game_id: UUID) -> str:
    """What has become of the ratings that a voided game had changed."""
    finish = GameFinish.objects.filter(pk=game_id).first()
    if finish is None:
        return "no ladder had counted it"
    if not finish.voided:
        return "its season is over and stays as it is"
    return "ratings follow with the next sweep" if finish.rated_at is None else "ratings followed"
