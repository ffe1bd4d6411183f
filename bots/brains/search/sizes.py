"""On how many deals each move of a position is weighed."""

from typing import Final

# At most, at least, and in between so many games in all.
ON_BITS: Final = (300, 100, 1800)
ON_RULES: Final = (24, 6, 96)
# Where nobody sees his own hand, games go on for long.
FACE_OUT: Final = (8, 4, 16)
