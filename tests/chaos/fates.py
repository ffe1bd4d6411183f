"""What may happen to a request on its way, and how often."""

import random
from collections.abc import Mapping
from typing import Final, NamedTuple

CUTS: Final = ("before", "mid_request", "unanswered", "mid_answer")
LONGEST_DELAY: Final = 0.5


class Odds(NamedTuple):
    """How many of a hundred requests are cut, doubled, delayed."""

    cut: int
    twin: int
    delay: int


WRITES: Final = Odds(24, 15, 10)
READS: Final = Odds(8, 2, 5)
# A cut stream costs nothing but the way back to it.
STREAMS: Final = Odds(50, 0, 5)


class Passing(NamedTuple):
    """A request on its way: its bytes, its first words, its headers in lower case."""

    text: bytes
    name: str
    headers: Mapping[str, str]

    @property
    def is_stream(self) -> bool:
        """Whether the answer may have no end."""
        accept = self.headers.get("accept", "")
        return "event-stream" in accept or "ndjson" in accept

    @property
    def has_key(self) -> bool:
        """Whether it is carried out once, however often it comes."""
        return "idempotency-key" in self.headers

    @property
    def odds(self) -> Odds:
        """How dangerous its way is."""
        if self.is_stream:
            return STREAMS
        return WRITES if self.name.startswith("POST") else READS


class Fate(NamedTuple):
    """Where a request is cut, if it is, and at which part of that (0 to 1).

    `delay` and `twin` are seconds: before it is sent, and until it is sent again (None: never).
    """

    cut: str = ""
    place: float = 0.0
    delay: float = 0.0
    twin: float | None = None


def fate_of(chance: random.Random, passing: Passing) -> Fate:
    """What happens to a request."""
    cut, twin, delay = (chance.random() * 100 < odds for odds in passing.odds)
    return Fate(
        chance.choice(CUTS) if cut else "",
        chance.random(),
        chance.uniform(0, LONGEST_DELAY) if delay else 0.0,
        chance.choice((0.0, chance.uniform(0, LONGEST_DELAY))) if twin else None,
    )
