"""CPU time of other processes, where the system tells (Linux)."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple


class _Spent(NamedTuple):
    parent: int
    seconds: float


def cpu_seconds(roots: Iterable[int]) -> float:
    """CPU seconds that processes and all their descendants, living or ended, have used so far."""
    table = dict(_table())
    wanted = set(roots)
    # A child has mostly a higher number than its parent, but numbers begin anew some day.
    while more := {pid for pid, spent in table.items() if spent.parent in wanted} - wanted:
        wanted |= more
    return sum(table[pid].seconds for pid in wanted if pid in table)


def _table() -> Iterable[tuple[int, _Spent]]:
    ticks = os.sysconf("SC_CLK_TCK")
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            # After the name in parentheses, which may hold anything: state, parent, ...
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        seconds = sum(int(field) for field in fields[11:15]) / ticks
        yield int(stat.parent.name), _Spent(int(fields[1]), seconds)
