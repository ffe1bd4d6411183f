"""Who judges: name and version, and how its figures are told."""

from typing import Final

NAME: Final = "weigher"
# Raised with anything that changes what comes out.
VERSION: Final = 2
# A loss counts if it is more than so many standard errors.
SURE: Final = 2.5
_DIGITS: Final = 4


def rounded(value: float) -> float:
    """A share as it is told."""
    return round(value, _DIGITS) + 0.0
