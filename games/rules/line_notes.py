"""What the position lines of both families share: fields, notes, and how they are read."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from games.rules.errors import InvalidPosition

Body = dict[str, Any]
MAX_LENGTH: Final = 2000


def parts_of(text: str, fields: Sequence[str]) -> tuple[list[str], list[str]]:
    """The fields of a line and its notes. Raises InvalidPosition if fields are missing."""
    parts = text[: MAX_LENGTH + 1].split()
    if len(text) > MAX_LENGTH or len(parts) < len(fields):
        wanted = " ".join(fields)
        raise InvalidPosition({"line": f"wanted: {wanted}, {MAX_LENGTH} characters at the most"})
    return parts[: len(fields)], parts[len(fields) :]


def read_field(field: str, reader: Callable[[str], Any], text: str) -> Any:
    """What a reader makes of a field. Raises InvalidPosition naming it."""
    try:
        return reader(text)
    except ValueError as error:
        raise InvalidPosition({field: str(error)}) from None


class Note(NamedTuple):
    """How a note is written and read, and the value that is left out."""

    write: Callable[[Any], str]
    read: Callable[[str], Any]
    ordinary: Any


def read_notes(notes: Sequence[str], known: Mapping[str, Note]) -> Body:
    """The notes of a line. Raises InvalidPosition naming the one at fault."""
    read: Body = {}
    for text in notes:
        name, _, value = text.partition("=")
        if name not in known:
            names = " ".join(known)
            raise InvalidPosition({name[:40]: f"no such note; there are {names}"})
        if name in read:
            raise InvalidPosition({name: "is given twice"})
        read[name] = read_field(name, known[name].read, value)
    return read


def write_notes(body: Body, known: Mapping[str, Note], ordinary: Body) -> list[str]:
    """The notes of a position; `ordinary` are values that need not be told here."""
    usual = {name: note.ordinary for name, note in known.items()} | ordinary
    return [
        f"{name}={note.write(body[name])}"
        for name, note in known.items()
        if body[name] != usual[name]
    ]


def read_number(text: str) -> int:
    """A number of one or two digits. Raises ValueError."""
    if not re.fullmatch(r"[0-9]{1,2}", text):
        raise ValueError(f"not a number: {text[:20]!r}")
    return int(text)


def write_numbers(numbers: Sequence[int] | int) -> str:
    """Seats, ``-`` if there are none."""
    listed = [numbers] if isinstance(numbers, int) else numbers
    return ",".join(map(str, listed)) or "-"


def read_numbers(text: str) -> list[int]:
    """What `write_numbers` wrote. Raises ValueError."""
    return [] if text == "-" else [read_number(number) for number in text.split(",")]


def read_durak(text: str) -> list[int] | int:
    """One seat, or several."""
    seats = read_numbers(text)
    return seats[0] if len(seats) == 1 else seats


def read_yes(text: str) -> bool:
    """A fact. Raises ValueError for anything but ``yes``."""
    if text != "yes":
        raise ValueError("wanted: yes, or no such note at all")
    return True


SEAT: Final = Note(str, read_number, None)
SEATS: Final = Note(write_numbers, read_numbers, [])
YES: Final = Note(lambda _: "yes", read_yes, False)
