"""Sets of cards and chance, on plain 64-bit numbers."""

from typing import Final

import numpy as np

from bots.brains.search.compiled.building import Chance, compiled

# The numbers of splitmix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators,
# OOPSLA 2014). Unsigned on both sides of every sign, or Numba counts in floating point.
_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_FIRST: Final = np.uint64(0xBF58476D1CE4E5B9)
_SECOND: Final = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = (np.uint64(number) for number in (27, 30, 31, 32))


@compiled
def count(bits: int) -> int:
    """How many cards a set has: sums of halves, which the compiler knows as one instruction."""
    bits = bits - ((bits >> 1) & 0x5555555555555555)
    bits = (bits & 0x3333333333333333) + ((bits >> 2) & 0x3333333333333333)
    bits = (bits + (bits >> 4)) & 0x0F0F0F0F0F0F0F0F
    return (bits * 0x0101010101010101) >> 56


@compiled
def place(bits: int) -> int:
    """The number of the cheapest card of a set, which must have one."""
    return count((bits & -bits) - 1)


@compiled
def below(chance: Chance, most: int) -> int:
    """A random number from 0 up to `most` - 1."""
    chance[0] += _STEP
    z = chance[0]
    z = (z ^ (z >> _30)) * _FIRST
    z = (z ^ (z >> _27)) * _SECOND
    z = (z ^ (z >> _31)) >> _32
    return int((z * np.uint64(most)) >> _32)
