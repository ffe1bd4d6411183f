"""Brains: what plays a seat without a person. Pure: a view comes in, a move goes out.

A brain sees the JSON view of its own seat, and the events as that seat was told them if it asks
for them, and nothing else; it answers with the body of a move.
A brain that searches also has `think`, which tells what it found; `thought_of` asks either kind.
Importing the package registers the built-in ones; a new one is a class with `choose` under
`@brain("name")`.
"""

from bots.brains import greedy, random_, searching
from bots.brains.registry import (
    Brain,
    Entry,
    Thought,
    UnknownBrain,
    brain,
    brain_get,
    brain_list,
    thought_of,
)

__all__ = [
    "Brain",
    "Entry",
    "Thought",
    "UnknownBrain",
    "brain",
    "brain_get",
    "brain_list",
    "greedy",
    "random_",
    "searching",
    "thought_of",
]
