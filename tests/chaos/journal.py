"""What was done to the service, and what its clients noticed of it."""

import time
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec

# Seconds; of shorter outages only the longest is known.
WORTH_A_LINE = 3.0


class Violation(Exception):
    """A promise was broken; the text says which, and where."""


class Outage(msgspec.Struct, frozen=True):
    """How long a client had no answer (seconds), from when on, and to what."""

    seconds: float = 0.0
    since: float = 0.0
    request: str = ""


class Journal:
    """Counts everything; writes each fault as a line of JSON with the second of the run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.counts: Counter[str] = Counter()
        self.longest = Outage()
        self.recoveries: dict[str, list[float]] = {}
        self._began = time.monotonic()
        self._file = path.open("w", encoding="utf-8", buffering=1)

    @property
    def seconds(self) -> float:
        """Since the run began."""
        return time.monotonic() - self._began

    def count(self, name: str) -> None:
        """Count something that needs no line."""
        self.counts[name] += 1

    def fault(self, name: str, **facts: Any) -> None:
        """Count a fault and write it down."""
        self.counts[name] += 1
        self._write(fault=name, **facts)

    def outage(self, since: float, until: float, request: str) -> None:
        """A client had no answer between these seconds of the run."""
        outage = Outage(until - since, since, request)
        if outage.seconds > WORTH_A_LINE:
            self._write(outage=round(outage.seconds, 3), request=request)
        if outage.seconds > self.longest.seconds:
            self.longest = outage

    def recovery(self, process: str, seconds: float) -> None:
        """A killed process serves again."""
        self.recoveries.setdefault(process, []).append(seconds)

    def total(self, prefix: str) -> int:
        """Everything counted under names that begin so."""
        return sum(count for name, count in self.counts.items() if name.startswith(prefix))

    def _write(self, **facts: Any) -> None:
        line = {"at": round(self.seconds, 3), **facts}
        self._file.write(msgspec.json.encode(line).decode() + "\n")

    def close(self) -> None:
        """No more lines."""
        self._file.close()
