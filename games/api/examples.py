"""Examples of the schema, recorded from real calls into `recorded/<operation>.json`."""

from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

FOLDER: Final = Path(__file__).parent / "recorded"


def examples_of(operation: str, part: str) -> dict[str, Any]:
    """`{"example": …}` for the `request` or the `answer` of an operation, if it is recorded."""
    recorded = _read(operation)
    return {"example": recorded[part]} if part in recorded else {}


@cache
def _read(operation: str) -> dict[str, Any]:
    file = FOLDER / f"{operation}.json"
    if not file.exists():
        return {}
    return msgspec.json.decode(file.read_bytes(), type=dict[str, Any])
