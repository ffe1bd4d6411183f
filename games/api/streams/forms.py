"""The two forms of a stream: server-sent events and lines of JSON."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, Final

from games.api.operations import EVENT_STREAM, LINES
from games.api.renderers import json_bytes

SNAPSHOT: Final = "snapshot"
ENDED: Final = "stream_ended"
# A cursor as clients see it.
Mark = int | str


class Form(ABC):
    """How messages are put on the wire."""

    media: str
    opening: bytes
    keep_alive: bytes

    @abstractmethod
    def event(self, mark: Mark, event: bytes) -> bytes:
        """An event, encoded already."""

    @abstractmethod
    def message(self, kind: str, value: Mapping[str, Any], mark: Mark | None = None) -> bytes:
        """A message of the stream itself; its `type` is `kind`. `mark` moves the cursor."""


class EventStream(Form):
    """Server-sent events, which browsers read with EventSource."""

    media = EVENT_STREAM
    opening = b"retry: 1000\n\n"
    keep_alive = b": keep-alive\n\n"

    def event(self, mark: Mark, event: bytes) -> bytes:
        """Without a name: a browser hands all of them to `onmessage`."""
        return b"id: %b\ndata: %b\n\n" % (str(mark).encode(), event)

    def message(self, kind: str, value: Mapping[str, Any], mark: Mark | None = None) -> bytes:
        """Under its own name."""
        moved = b"" if mark is None else b"id: %b\n" % str(mark).encode()
        data = json_bytes({"type": kind, **value})
        return b"%bevent: %b\ndata: %b\n\n" % (moved, kind.encode(), data)


class Lines(Form):
    """One JSON document a line."""

    media = LINES
    opening = b""
    keep_alive = b"\n"

    def event(self, mark: Mark, event: bytes) -> bytes:
        """The event as it is; its cursor is in it."""
        return event + b"\n"

    def message(self, kind: str, value: Mapping[str, Any], mark: Mark | None = None) -> bytes:
        """Told from events by its `type`."""
        return json_bytes({"type": kind, **value}) + b"\n"


FORMS: Final[Mapping[str, Form]] = {form.media: form for form in (EventStream(), Lines())}
