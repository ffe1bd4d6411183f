"""Answers that are good for a moment, however many ask."""

import time
from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Kept(Generic[T]):
    """What `look` returns, looked up anew when it is older than some seconds.

    Of those who ask meanwhile one looks and the others wait for it; what is raised is not kept.
    """

    def __init__(self, look: Callable[[], T], seconds: float) -> None:
        self._look = look
        self._seconds = seconds
        self._lock = Lock()
        self._found: tuple[float, T] | None = None

    def __call__(self) -> T:
        """Return the answer."""
        with self._lock:
            if self._found is None or time.monotonic() - self._found[0] >= self._seconds:
                self._found = None
                answer = self._look()
                self._found = time.monotonic(), answer
            return self._found[1]

    def forget(self) -> None:
        """Let the next one who asks look anew."""
        with self._lock:
            self._found = None
