"""Compiling functions with Numba, and keeping what was compiled for the next process."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from bots.brains.search.compiled.keeping import kept_in

Numbers = npt.NDArray[np.int64]
Chance = npt.NDArray[np.uint64]

_P = ParamSpec("_P")
_R = TypeVar("_R")


numba.config.CACHE_DIR = kept_in()


def compiled(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """The function as machine code, made when it is first called."""
    jit = numba.njit(cache=bool(numba.config.CACHE_DIR))
    return cast("Callable[_P, _R]", jit(function))
