"""Progress of a command, for whoever watches it."""

import time
from typing import Final

from django.core.management.base import OutputWrapper

WIDTH: Final = 30


class ProgressBar:
    """One line that is drawn over and over, on a terminal only."""

    def __init__(self, out: OutputWrapper, name: str, unit: str = "games") -> None:
        self._out = out
        self._name = name
        self._unit = unit
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
        bar = f"{'█' * filled:░<{WIDTH}}"
        return f"{self._name} {bar} {done}/{total}  {rate:.0f} {self._unit}/s "

    def end(self) -> None:
        """Leave the line."""
        if self._out.isatty():
            self._out.write("")
