"""Letting a brain think: seeded, capped, and never with more than its own view."""

import hmac
import logging
import random
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Annotated, Any, Final
from uuid import UUID

import msgspec

from bots.brains.registry import Entry, History, Thought, thought_of
from bots.brains.searching import Searching
from bots.models import Incident
from bots.turns import Turn

logger = logging.getLogger(__name__)

_LABEL: Final = b"durak-bot-v1"
# Seconds after which a brain that swallowed the interruption is interrupted again.
_INSIST: Final = 0.1
# The share of its time after which a search is to stop: it needs some to notice.
_HEED: Final = 0.75


class BrainTrouble(Exception):
    """A brain gave no move that can be played."""

    def __init__(self, kind: Incident.Kind) -> None:
        super().__init__(kind.label)
        self.kind = kind


class _Plain(msgspec.Struct):
    """What is kept of a thought."""

    move: dict[str, Any]
    iterations: Annotated[int, msgspec.Meta(ge=0, lt=2**31)]
    exact: bool


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


def turn_seed(secret: bytes, game_id: UUID, version: int) -> bytes:
    """What the chance of one turn is made of: the same each time it is played, unknown to others.

    `secret` belongs to the game and is for its bots alone.
    """
    message = _LABEL + game_id.bytes + version.to_bytes(8, "big")
    return hmac.digest(secret, message, "sha256")


def think(
    entry: Entry, turn: Turn, history: History, seed: bytes, budget: int, seconds: float
) -> Thought:
    """What a brain thinks in so many seconds, its move as plain JSON.

    A brain that searches is told to stop a little earlier; what it loads first is not of its time.
    Raises BrainTrouble if it raises, goes on nevertheless, or says what is no thought.
    """
    _load(entry)
    until = time.monotonic() + _HEED * seconds
    try:
        with wall_cap(seconds):
            thought = _asked(entry, turn, history, random.Random(seed), budget, until)
            return _plain(thought)
    except OvertimeError:
        raise BrainTrouble(Incident.Kind.OVERTIME) from None


def _load(entry: Entry) -> None:
    if not isinstance(entry.brain, Searching):
        return
    try:
        from bots.warming import searches_compile

        searches_compile()
    except Exception:
        logger.exception("The brain %s cannot be loaded", entry.name)
        raise BrainTrouble(Incident.Kind.RAISED) from None


def _asked(
    entry: Entry,
    turn: Turn,
    history: History,
    rng: random.Random,
    budget: int,
    until: float,
) -> Thought:
    try:
        return thought_of(entry.brain, turn.view, history, rng, budget, until)
    except Exception:
        logger.exception("The brain %s failed", entry.name)
        raise BrainTrouble(Incident.Kind.RAISED) from None


def _plain(thought: Thought) -> Thought:
    try:
        plain = msgspec.json.decode(msgspec.json.encode(thought), type=_Plain)
        return Thought(plain.move, plain.iterations, exact=plain.exact)
    except (msgspec.MsgspecError, TypeError, ValueError, OverflowError, RecursionError):
        raise BrainTrouble(Incident.Kind.ILLEGAL) from None
