"""`manage.py rebuild_projections`: results, ratings and boards anew from the logs."""

from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from games.management.progress import ProgressBar
from games.models import Game
from games.projections.rebuild import ladders_known, ratings_rebuild, results_rebuild


class Command(BaseCommand):
    """Rebuilds while the server runs; interrupted, it is simply started again."""

    help = "Rebuild results, ratings and leaderboards from the logs of the games."

    def add_arguments(self, parser: CommandParser) -> None:
        """What to rebuild, if not everything."""
        parser.add_argument(
            "--game", type=UUID, action="append", default=[],
            help="results of this game only, and no ratings but of a --ladder (repeat it)",
        )  # fmt: skip
        parser.add_argument(
            "--ladder", action="append", default=[],
            help="results and ratings of this ladder only: a ruleset or overall (repeat it)",
        )  # fmt: skip

    def handle(self, *_args: Any, **options: Any) -> None:
        """Results first, because ratings are made of them."""
        games, ladders = options["game"], options["ladder"]
        _demand(games, ladders)
        bar = ProgressBar(self.stderr, "results")
        self._report("results", bar, results_rebuild(bar.show, games=games, ladders=ladders))
        if ladders or not games:
            bar = ProgressBar(self.stderr, "ratings")
            self._report("ratings", bar, ratings_rebuild(bar.show, ladders=ladders))

    def _report(self, name: str, bar: ProgressBar, done: int) -> None:
        bar.end()
        self.stdout.write(f"{name}: {done} games")


def _demand(games: list[UUID], ladders: list[str]) -> None:
    """Only what is there is rebuilt."""
    finished = Game.objects.filter(pk__in=games, status=Game.Status.FINISHED)
    if strange := set(games) - set(finished.values_list("pk", flat=True)):
        raise CommandError(f"no finished game: {', '.join(map(str, sorted(strange)))}")
    if ladders and (unknown := set(ladders) - ladders_known()):
        raise CommandError(f"nobody stands on a ladder {', '.join(sorted(unknown))}")
