"""Letting a brain think: seeded, capped, and never with more than its own view."""

import hmac
import random
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final
from uuid import UUID

_LABEL: Final = b"durak-bot-v1"
# Seconds after which a brain that swallowed the interruption is interrupted again.
_INSIST: Final = 0.1


class OvertimeError(BaseException):
    """A brain used up its time. Not an Exception, so that no `except Exception` keeps it."""


@contextmanager
def wall_cap(seconds: float) -> Iterator[None]:
    """Raise OvertimeError inside the block when it takes longer than `seconds`.

    Raises RuntimeError outside the main thread, where nothing can interrupt a computation.
    """
    if threading.current_thread() is not threading.main_thread():
        raise RuntimeError("brains think in the main thread of their process")
    armed = True

    def ring(_signal: int, _frame: FrameType | None) -> None:
        if armed:
            raise OvertimeError

    before = signal.signal(signal.SIGALRM, ring)
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, _INSIST)
        yield
    finally:
        armed = False
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def turn_random(secret: bytes, game_id: UUID, version: int) -> random.Random:
    """The chance of one turn: the same each time it is played, unknown to whoever plays against it.

    `secret` belongs to the game and is for its bots alone.
    """
    message = _LABEL + game_id.bytes + version.to_bytes(8, "big")
    return random.Random(hmac.digest(secret, message, "sha256"))
