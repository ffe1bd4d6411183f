"""Compiling functions with Numba, and keeping what was compiled for the next process."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import Final, ParamSpec, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]
Chance = npt.NDArray[np.uint64]

_P = ParamSpec("_P")
_R = TypeVar("_R")
_HERE: Final = Path(__file__).parent


def kept_in(base: Path, sources: Path = _HERE) -> str:
    """A folder for the compiled code of just these sources; empty if it cannot be written to.

    Numba renews what it kept of a file when that file changes, but not when one changes whose
    functions it calls.
    """
    texts = b"".join(path.read_bytes() for path in sorted(sources.glob("*.py")))
    folder = base / hashlib.sha256(texts).hexdigest()[:16]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return ""
    return str(folder) if os.access(folder, os.W_OK) else ""


# NUMBA_CACHE_DIR, or beside the sources. Where that cannot be written to, nothing is kept.
numba.config.CACHE_DIR = kept_in(Path(numba.config.CACHE_DIR or _HERE / "__pycache__"))


def compiled(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """The function as machine code, made when it is first called."""
    jit = numba.njit(cache=bool(numba.config.CACHE_DIR))
    return cast("Callable[_P, _R]", jit(function))
