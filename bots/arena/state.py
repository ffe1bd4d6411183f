"""What has been played, kept in a file: a long run may stop at any moment and go on."""

import time
from pathlib import Path
from typing import Final

import msgspec

from bots.arena.deals import DealResult
from bots.arena.plan import Plan, Unit, entrants

_EVERY_SECONDS: Final = 5.0


class StateError(Exception):
    """The file is of another run."""


class _Kept(msgspec.Struct):
    run: str
    units: dict[str, list[DealResult]]


class State:
    """The units that have been played; without a path they are remembered only."""

    def __init__(self, plan: Plan, path: Path | None = None) -> None:
        """Raises StateError for the file of another run or of something else."""
        self._path = path
        self._kept = _Kept(_run(plan), {})
        self._saved_at = time.monotonic()
        if path is not None and path.exists():
            self._kept = _read(path, self._kept.run)

    def get(self, unit: Unit) -> list[DealResult] | None:
        """What was played before, if it was."""
        return self._kept.units.get(_key(unit))

    def put(self, unit: Unit, results: list[DealResult]) -> None:
        """Remember a unit; every few seconds it is written, too."""
        self._kept.units[_key(unit)] = results
        if time.monotonic() - self._saved_at > _EVERY_SECONDS:
            self.save()

    def save(self) -> None:
        """Write the file, never half of it."""
        self._saved_at = time.monotonic()
        if self._path is not None:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            draft = self._path.with_suffix(".new")
            draft.write_bytes(msgspec.json.encode(self._kept))
            draft.replace(self._path)


def _read(path: Path, run: str) -> _Kept:
    try:
        kept = msgspec.json.decode(path.read_bytes(), type=_Kept)
    except (msgspec.DecodeError, UnicodeDecodeError):
        raise StateError(f"{path} is no file of the arena") from None
    if kept.run != run:
        raise StateError(f"{path} is of another run")
    return kept


def _run(plan: Plan) -> str:
    """Everything that a unit depends on; the number of deals and the test may change."""
    versions = [one.entry.version for one in entrants(plan).pool]
    settled = msgspec.structs.replace(plan, deals=1, sprt=None, modules=())
    return msgspec.json.encode([settled, versions]).decode()


def _key(unit: Unit) -> str:
    return ".".join(map(str, unit))
