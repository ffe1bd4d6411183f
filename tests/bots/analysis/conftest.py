"""Analyses that take no time: a few deals are enough to see how it works."""

import pytest

from bots.brains.search import weighing


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hardly any deals behind each move."""
    monkeypatch.setattr(weighing, "ON_BITS", (6, 3, 24))
    monkeypatch.setattr(weighing, "ON_RULES", (2, 2, 4))
    monkeypatch.setattr(weighing, "FACE_OUT", (1, 1, 1))
