"""The hash of the chain is SHA-256, whoever implements it."""

import hashlib
import sys

import pytest

from games.store import sha


@pytest.mark.parametrize("length", [0, 1, 55, 56, 64, 119, 120, 1000])
def test_it_is_what_hashlib_makes(length: int) -> None:
    text = bytes(range(250)) * 4
    text = text[:length]
    begun = sha.sha256(text)
    other = begun.copy()
    other.update(text)
    assert begun.hexdigest() == hashlib.sha256(text).hexdigest()
    assert other.digest() == hashlib.sha256(text + text).digest()


def test_hashlib_serves_where_python_was_built_without(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("_sha2", "_sha256"):
        monkeypatch.setitem(sys.modules, name, None)
    assert sha._implementation() is hashlib.sha256
