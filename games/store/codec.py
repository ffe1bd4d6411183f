"""Events as rows: a type, a version of that type, and its facts as JSON."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from games.rules.events import EVENTS, TYPE_OF, Event

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]

VERSIONS: Final[dict[str, int]] = dict.fromkeys(EVENTS, 1)
# (type, version) to the pure step from that version's facts to the next one's.
UPCASTERS: Final[Mapping[tuple[str, int], Upcaster]] = {}

_canonical: Final = msgspec.json.Encoder(order="sorted")
# The last ones are raised by upcasters that were given facts of another shape.
_MISSHAPEN: Final = (msgspec.ValidationError, AttributeError, LookupError, TypeError, ValueError)


class UnknownEvent(Exception):
    """A type or version that this release cannot read; never guessed at."""


def encode_event(event: Event) -> tuple[str, int, bytes]:
    """Type, version and canonical JSON (sorted keys, defaults left out) of an event."""
    kind = TYPE_OF[type(event)]
    return kind, VERSIONS[kind], _canonical.encode(event)


def canonical(facts: object) -> bytes:
    """The one JSON text of an event's facts."""
    return _canonical.encode(facts)


def decode_event(kind: str, version: int, facts: str) -> Event:
    """The event of a row, brought up to today's version. Raises UnknownEvent."""
    if kind not in EVENTS or not 1 <= version <= VERSIONS[kind]:
        raise UnknownEvent(f"{kind} version {version}")
    try:
        if version == VERSIONS[kind]:
            return msgspec.json.decode(facts, type=EVENTS[kind])
        return msgspec.convert(_upcast(kind, version, msgspec.json.decode(facts)), EVENTS[kind])
    except _MISSHAPEN as error:
        raise UnknownEvent(f"{kind} version {version}: {error}") from error


def _upcast(kind: str, version: int, facts: dict[str, Any]) -> dict[str, Any]:
    for step in range(version, VERSIONS[kind]):
        facts = UPCASTERS[kind, step](facts)
    return facts
