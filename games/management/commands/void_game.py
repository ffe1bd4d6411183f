"""`manage.py void_game`: a game counts for nothing from now on."""

from argparse import ArgumentParser
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError

from games.services.game_void import game_void
from games.services.verdicts import REFUSED, ratings_followed, refusal


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
        except REFUSED as error:
            raise CommandError(refusal(error)) from error
        if not done.added:
            self.stdout.write(f"{options['game']} was voided already")
            return
        self.stdout.write(f"{options['game']} is voided, {ratings_followed(options['game'])}")
