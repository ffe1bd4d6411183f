"""What Numba keeps of a function, where a machine may lose its power and a disk may be full."""

import contextlib
import hashlib
import logging
import pickle
from functools import cache
from typing import Any

from numba.core.serialize import dumps

logger = logging.getLogger(__name__)


class Store:
    """Numba's store of one function; what cannot be read or written is as good as missing.

    It stands in the place of the `store` that it is given.
    """

    def __init__(self, store: Any) -> None:
        self._store = store
        store._cache_file = Sealed(store._cache_file)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def load_overload(self, *what: Any) -> Any:
        """What was compiled, or None."""
        try:
            return self._store.load_overload(*what)
        except Exception:
            logger.warning("%s cannot be read and is made anew", self._store, exc_info=True)
        with contextlib.suppress(OSError):
            self._store.flush()
        return None

    def save_overload(self, *what: Any) -> None:
        """Keep it, if that can be."""
        try:
            self._store.save_overload(*what)
        except OSError as error:
            _complain(error.strerror)


class Sealed:
    """Numba's files of one function: machine code that was damaged must not run."""

    def __init__(self, files: Any) -> None:
        self._files = files

    def __getattr__(self, name: str) -> Any:
        return getattr(self._files, name)

    def save(self, key: object, data: object) -> None:
        """Write it. Raises OSError."""
        text = dumps(data)
        self._files.save(key, (_seal(text), text))

    def load(self, key: object) -> Any:
        """What was written, None if nothing was. Raises whatever damage leads to."""
        found = self._files.load(key)
        if found is None:
            return None
        seal, text = found
        if seal != _seal(text):
            raise ValueError("the file has changed since it was written")
        return pickle.loads(text)


def _seal(text: bytes) -> bytes:
    return hashlib.sha256(text).digest()


@cache
def _complain(reason: str | None) -> None:
    """Once is enough."""
    logger.warning("what bots think with is not kept for the next start: %s", reason)
