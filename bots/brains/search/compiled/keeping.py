"""Where compiled code is kept, and whether it is; asked by those who do not load the compiler."""

import hashlib
import os
import platform
from importlib.metadata import version
from pathlib import Path
from typing import Final

_HERE: Final = Path(__file__).parent
_BASE: Final = "NUMBA_CACHE_DIR"


def kept_in(base: Path | None = None, sources: Path = _HERE) -> str:
    """A folder for what is compiled here from just these sources; empty if none can be written to.

    It is in NUMBA_CACHE_DIR, or beside the sources, unless `base` says where.
    Numba renews what it kept of a file when that file changes, but not when one changes whose
    functions it calls.
    """
    base = base or Path(os.environ.get(_BASE) or _HERE / "__pycache__")
    folder = base / hashlib.sha256(_made_of(sources).encode()).hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return ""
    return str(folder) if os.access(folder, os.W_OK | os.X_OK) else ""


def is_kept() -> bool:
    """Whether all of it was compiled here before: the endgames are compiled last."""
    folder = kept_in()
    return bool(folder) and any(Path(folder).rglob("endgames.value*.nbi"))


def _made_of(sources: Path) -> str:
    """The sources, their dates too, who compiles them, and what that was told in its variables."""
    files = sorted(sources.glob("*.py"))
    texts = [(str(file), file.stat().st_mtime_ns, file.read_bytes()) for file in files]
    told = {name: value for name, value in os.environ.items() if name.startswith("NUMBA_")}
    told.pop(_BASE, None)
    who = platform.machine(), platform.python_version(), version("numba"), sorted(told.items())
    return repr((texts, who))
