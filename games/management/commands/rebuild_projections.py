"""`manage.py rebuild_projections`: results, ratings and boards anew from the logs."""

import time
from typing import Any, Final

from django.core.management.base import BaseCommand, OutputWrapper

from games.projections.rebuild import ratings_rebuild, results_rebuild

WIDTH: Final = 30


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


class ProgressBar:
    """One line that is drawn over and over, on a terminal only."""

    def __init__(self, out: OutputWrapper, name: str) -> None:
        self._out = out
        self._name = name
        self._began = time.monotonic()

    def show(self, done: int, total: int) -> None:
        """Draw it: done of total."""
        if self._out.isatty():
            self._out.write(f"\r{self.line(done, total)}", ending="")
            self._out.flush()

    def line(self, done: int, total: int) -> str:
        """The line without the carriage return."""
        filled = WIDTH * done // max(total, 1)
        rate = done / max(time.monotonic() - self._began, 1e-9)
        return f"{self._name} {'█' * filled:░<{WIDTH}} {done}/{total}  {rate:.0f} games/s "

    def end(self) -> None:
        """Leave the line."""
        if self._out.isatty():
            self._out.write("")
