"""`manage.py void_game`: a game counts for nothing from now on."""

from argparse import ArgumentParser
from typing import Any, Final
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from games.models import GameFinish
from games.services.errors import ServiceError
from games.services.game_void import game_void

_REFUSALS: Final = {
    "game.not_found": "there is no such game",
    "game.not_started": "its cards were never dealt: nothing is to be voided",
    "request.invalid": "a reason of 1 to 200 characters is needed",
}


class Command(BaseCommand):
    """Works while the server runs."""

    help = "Void a game: end it if it runs, and take it off the boards of the running season."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Which game, why, and who says so; everybody can read it in the game's log."""
        parser.add_argument("game", type=UUID)
        parser.add_argument("--reason", required=True)
        parser.add_argument("--by", default="", help="who decided it")

    def handle(self, *_args: Any, **options: Any) -> None:
        """Append the verdict; say what became of the ratings."""
        try:
            done = game_void(game_id=options["game"], reason=options["reason"], by=options["by"])
        except ServiceError as error:
            raise CommandError(_REFUSALS.get(error.code, error.code)) from error
        if not done.added:
            self.stdout.write(f"{options['game']} was voided already")
            return
        self.stdout.write(f"{options['game']} is voided, {_ratings(options['game'])}")


def _ratings(game_id: UUID) -> str:
    finish = GameFinish.objects.filter(pk=game_id).first()
    if finish is None:
        return "no ladder had counted it"
    if not finish.voided:
        return "its season is over and stays as it is"
    return "ratings follow with the next sweep" if finish.rated_at is None else "ratings followed"
