"""Interrupting code between any two of its lines, as a signal may."""

import linecache
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType, ModuleType
from typing import Any

Trace = Callable[[FrameType, str, Any], "Trace | None"]


class Interrupted(BaseException):
    """Like Ctrl-C, or Celery's limit of time."""


@contextmanager
def interrupted_at(step: int, module: ModuleType) -> Iterator[None]:
    """Raise Interrupted before the line of the module that would be the `step`-th to run."""
    left = step

    def on_line(frame: FrameType, event: str, _argument: Any) -> Trace:
        nonlocal left
        left -= event == "line" and not _is_with(frame)
        if not left:
            sys.settrace(None)
            raise Interrupted
        return on_line

    def on_call(frame: FrameType, _event: str, _argument: Any) -> Trace | None:
        return on_line if frame.f_code.co_filename == module.__file__ else None

    before = sys.gettrace()
    sys.settrace(on_call)
    try:
        yield
    finally:
        sys.settrace(before)


def _is_with(frame: FrameType) -> bool:
    """Whether a block begins or ends there: signals are heard when it has given back all."""
    line = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    return line.lstrip().startswith("with ")
