"""Who plays: a brain, its version and its budget, by what was typed."""

import re
from typing import Final, NamedTuple

from bots.arena import BUDGET
from bots.brains import brain_get
from bots.brains.registry import Entry

_LABEL: Final = re.compile(r"(?P<name>[^@:]+)(@(?P<version>\d+))?(:(?P<budget>\d+))?")


class Contestant(NamedTuple):
    """A brain as it takes part: `label` is what was typed, `budget` bounds each of its turns."""

    label: str
    entry: Entry
    budget: int


def contestant(label: str, budget: int = BUDGET) -> Contestant:
    """The contestant of ``name``, ``name@version``, ``name:budget`` or ``name@version:budget``.

    Raises ValueError for another form and UnknownBrain.

    >>> one = contestant("greedy@2:50")
    >>> one.entry.name, one.entry.version, one.budget
    ('greedy', 2, 50)
    """
    found = _LABEL.fullmatch(label)
    if found is None:
        raise ValueError(f"not a brain: {label!r}")
    version = None if found["version"] is None else int(found["version"])
    own = budget if found["budget"] is None else int(found["budget"])
    return Contestant(label, brain_get(found["name"], version), own)
