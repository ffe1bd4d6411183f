"""Games recorded from other programs, in our words."""

import gzip
import json
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from games.rules.cards import parse_card

_card = lru_cache(parse_card)
DATA = Path(__file__).parents[1] / "data"
Json = dict[str, Any]


def games(name: str) -> Iterator[Json]:
    """The games of a file, one a line."""
    with gzip.open(DATA / name, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def scenario(name: str, side: str) -> Json:
    """The state on one side of a scenario: ``from`` or ``to``."""
    file = DATA / "scenarios" / name / ("input.json" if side == "from" else "output.json")
    state: Json = json.loads(file.read_text("utf-8"))[f"{side}_state"]
    return state


def cards(names: Sequence[str]) -> list[str]:
    """Cards as we write them."""
    return [_card(name) for name in names]


def pairs(table: Sequence[Sequence[str]]) -> list[Json]:
    """A table of ``[attack, beat?]`` as a position has it."""
    found = [[*cards(pair), None] for pair in table]
    return [{"attack": pair[0], "beat": pair[1]} for pair in found]
