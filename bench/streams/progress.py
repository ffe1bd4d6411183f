"""One line that says how far it is."""

import sys
import time
from typing import Final

_PAUSE: Final = 0.5


class _Shown:
    """When the line was drawn last."""

    at = 0.0


def show(text: str) -> None:
    """Draw the line anew, not too often."""
    now = time.monotonic()
    if now - _Shown.at >= _PAUSE:
        _Shown.at = now
        sys.stderr.write(f"\r{text:<78}")
        sys.stderr.flush()


def wipe() -> None:
    """Leave nothing of it."""
    sys.stderr.write(f"\r{'':<78}\r")
    sys.stderr.flush()
