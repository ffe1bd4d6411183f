"""`manage.py rebuild_projections`: results, ratings and boards anew from the logs."""

from typing import Any

from django.core.management.base import BaseCommand

from games.management.progress import ProgressBar
from games.projections.rebuild import ratings_rebuild, results_rebuild


class Command(BaseCommand):
    """Rebuilds while the server runs; interrupted, it is simply started again."""

    help = "Rebuild results, ratings and leaderboards from the logs of the games."

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Results first, because ratings are made of them."""
        for name, rebuild in (("results", results_rebuild), ("ratings", ratings_rebuild)):
            bar = ProgressBar(self.stderr, name)
            done = rebuild(bar.show)
            bar.end()
            self.stdout.write(f"{name}: {done} games")
