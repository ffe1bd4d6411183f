"""SHA-256 of short texts, many of them.

What is hashed here takes a few blocks, and OpenSSL, which `hashlib` prefers, spends more on setting
a hash up than on these. Python has another implementation of its own, as its `random` uses one of
SHA-512; where a build left it out, `hashlib` serves.
"""

import hashlib
from collections.abc import Callable
from importlib import import_module
from typing import Final, Protocol, Self

# Its name since Python 3.12, and before.
_BUILT_IN: Final = ("_sha2", "_sha256")


class Hash(Protocol):
    """What either implementation makes."""

    def copy(self) -> Self:
        """Another one that has taken the same bytes."""

    def update(self, added: bytes, /) -> None:
        """Take more bytes."""

    def digest(self) -> bytes:
        """The 32 bytes."""

    def hexdigest(self) -> str:
        """The same in hex."""


def _implementation() -> Callable[[bytes], Hash]:
    for name in _BUILT_IN:
        try:
            built_in: Callable[[bytes], Hash] = import_module(name).sha256
        except (ImportError, AttributeError):
            continue
        return built_in
    return hashlib.sha256


sha256: Final = _implementation()
