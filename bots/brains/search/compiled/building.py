"""Compiling functions with Numba, and keeping what was compiled for the next process."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

from bots.brains.search.compiled.keeping import kept_in
from bots.brains.search.compiled.storing import Store

Numbers = npt.NDArray[np.int64]
Chance = npt.NDArray[np.uint64]

_P = ParamSpec("_P")
_R = TypeVar("_R")


numba.config.CACHE_DIR = kept_in()
# Plain Python would count on beyond 64 bits, and come to other numbers.
numba.config.DISABLE_JIT = False


def compiled(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """The function as machine code, made when it is first called."""
    jit = numba.njit(function)
    if numba.config.CACHE_DIR:
        jit.enable_caching()
        jit._cache = Store(jit._cache)
    return cast("Callable[_P, _R]", jit)
