"""What anchor files say: every head that was ever signed, of all games or of some."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Final, Self
from uuid import UUID

import msgspec

from games.store.anchor import Anchor, is_begun, read_line

_BLOCK: Final = 1 << 20
_NUMBER: Final = 4
_MARK: Final = _NUMBER + 32


class Anchored(msgspec.Struct, frozen=True):
    """Anchor files as they were read.

    `marks` are the heads of each game in 36 bytes each: there are as many as there were commits.
    `unsigned` are files and lines that nobody signed.
    """

    marks: dict[UUID, bytearray] = {}
    unsigned: tuple[tuple[Path, int], ...] = ()

    @classmethod
    def holding(cls, heads: Iterable[Anchor], unsigned: Iterable[tuple[Path, int]] = ()) -> Self:
        """What was read, packed."""
        marks: dict[UUID, bytearray] = {}
        for head in heads:
            marks.setdefault(head.game, bytearray()).extend(_pack(head))
        return cls(marks, tuple(unsigned))

    def of(self, game: UUID) -> list[Anchor]:
        """The heads of a game, each once, in the order in which they were written."""
        marks = bytes(self.marks.get(game, b""))
        each = dict.fromkeys(marks[at : at + _MARK] for at in range(0, len(marks), _MARK))
        return [_unpack(game, mark) for mark in each]


def anchors(*paths: Path) -> Anchored:
    """What the files say, the current one and older ones. Raises OSError."""
    unsigned: list[tuple[Path, int]] = []
    return Anchored.holding(_signed(paths, unsigned), unsigned)


def anchors_of(path: Path, wanted: Mapping[UUID, Anchor]) -> dict[UUID, list[Anchor]]:
    """What a file says of some games, read from its end until the wanted head of each was met.

    Of a game whose wanted head is not there, or not the last one there, every line is read.
    No file says nothing. Raises OSError.
    """
    found: dict[UUID, list[Anchor]] = {game: [] for game in wanted}
    keys = {str(game).encode() for game in wanted}
    for line in _backwards(path) if keys else ():
        if line[:36] not in keys or (head := read_line(line)) is None:
            continue
        found[head.game].append(head)
        if found[head.game] == [wanted[head.game]]:
            keys.remove(line[:36])
            if not keys:
                break
    return {game: heads[::-1] for game, heads in found.items()}


def _pack(head: Anchor) -> bytes:
    return head.seq.to_bytes(_NUMBER, "big") + head.hash


def _unpack(game: UUID, mark: bytes) -> Anchor:
    return Anchor(game, int.from_bytes(mark[:_NUMBER], "big"), mark[_NUMBER:])


def _signed(paths: Iterable[Path], unsigned: list[tuple[Path, int]]) -> Iterator[Anchor]:
    for path, number, line in _numbered(paths):
        head = read_line(line)
        if head is not None:
            yield head
        elif not is_begun(line):
            unsigned.append((path, number))


def _numbered(paths: Iterable[Path]) -> Iterator[tuple[Path, int, bytes]]:
    for path in paths:
        with path.open("rb") as file:
            for number, line in enumerate(file, 1):
                yield path, number, line.removesuffix(b"\n")


def _backwards(path: Path) -> Iterator[bytes]:
    if not path.exists():
        return
    with path.open("rb") as file:
        end, rest = file.seek(0, os.SEEK_END), b""
        while end > 0:
            start = max(0, end - _BLOCK)
            file.seek(start)
            rest, *lines = (file.read(end - start) + rest).split(b"\n")
            yield from reversed(lines)
            end = start
        yield rest
