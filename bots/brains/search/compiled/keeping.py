"""Where compiled code is kept, and whether it is; asked by those who do not load the compiler."""

import hashlib
import os
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent


def kept_in(base: Path | None = None, sources: Path = _HERE) -> str:
    """A folder for the compiled code of just these sources; empty if it cannot be written to.

    It is in NUMBA_CACHE_DIR, or beside the sources, unless `base` says where.
    Numba renews what it kept of a file when that file changes, but not when one changes whose
    functions it calls.
    """
    base = base or Path(os.environ.get("NUMBA_CACHE_DIR") or _HERE / "__pycache__")
    texts = b"".join(path.read_bytes() for path in sorted(sources.glob("*.py")))
    folder = base / hashlib.sha256(texts).hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return ""
    return str(folder) if os.access(folder, os.W_OK) else ""


def is_kept() -> bool:
    """Whether all of it was compiled here before: the endgames are compiled last."""
    folder = kept_in()
    return bool(folder) and any(Path(folder).rglob("endgames.value*.nbi"))
