"""The brains that exist, by name and version."""

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Literal, NamedTuple, Protocol, TypeVar, runtime_checkable

import msgspec

from bots.brains.ladder import strength_of

View = Mapping[str, Any]
History = Sequence[Mapping[str, Any]]
Answer = dict[str, Any]
# How long a brain thinks: a glance, or a search that keeps a core busy.
Pace = Literal["quick", "deep"]


class Brain(Protocol):
    """Whatever can choose a move."""

    def choose(self, view: View, history: History, rng: random.Random, budget: int) -> Answer:
        """The move for `view`, as it would be sent to the API.

        `history` holds the events so far as the seat saw them (empty unless the brain asked for
        them when it was registered), `rng` is the only chance to use, so that the same turn gives
        the same move again, and `budget` bounds the effort, in positions looked at.
        """
        ...


class Score(NamedTuple):
    """What a search made of one move: how often it was tried, the share of games it saved."""

    move: Answer
    tries: int
    share: float


class Thought(msgspec.Struct, frozen=True):
    """A move and how it was found: the iterations really done, and the moves by worth.

    `scores` are best first, empty where nothing was weighed. `exact` says that the position was
    solved: then a share is 1 for a won, 0.5 for a drawn and 0 for a lost game.
    """

    move: Answer
    iterations: int = 0
    scores: tuple[Score, ...] = ()
    exact: bool = False


@runtime_checkable
class Thinker(Brain, Protocol):
    """A brain that searches, can be told when to stop, and tells what it found."""

    def think(
        self,
        view: View,
        history: History,
        rng: random.Random,
        budget: int,
        until: float | None = None,
        iterations: int | None = None,
    ) -> Thought:
        """As `choose`, with all that led to the move.

        `until` is a time of `time.monotonic` after which the best move so far has to do.
        `iterations` are those of an earlier thought: so many in place of what the budget allows
        give the same thought again.
        """
        ...


def thought_of(
    brain: Brain,
    view: View,
    history: History,
    rng: random.Random,
    budget: int,
    until: float | None = None,
    iterations: int | None = None,
) -> Thought:
    """What any brain thinks; of one that does not search only the move is known."""
    if isinstance(brain, Thinker):
        return brain.think(view, history, rng, budget, until, iterations)
    return Thought(brain.choose(view, history, rng, budget))


class Entry(NamedTuple):
    """A registered brain. `strength` is on the Elo scale where `random` has 1000, if measured: what
    was given when it was registered, or else what the ladder has for this version.

    `title` is by language (en, ru; the name where none was given), `families` are the ruleset
    families that it can play. `pace` says whose workers play its turns.
    """

    name: str
    version: int
    title: Mapping[str, str]
    families: tuple[str, ...]
    strength: int | None
    reads_history: bool
    brain: Brain
    pace: Pace = "quick"


class UnknownBrain(LookupError):
    """No brain has this name, or not in this version."""


_ENTRIES: Final[dict[str, dict[int, Entry]]] = {}
B = TypeVar("B", bound=Brain)


def brain(
    name: str,
    *,
    version: int = 1,
    title: Mapping[str, str] | None = None,
    families: tuple[str, ...] = ("bout",),
    strength: int | None = None,
    reads_history: bool = False,
    pace: Pace = "quick",
) -> Callable[[type[B]], type[B]]:
    """Register a class as the brain `name`. Raises ValueError if name and version are taken."""

    def register(cls: type[B]) -> type[B]:
        versions = _ENTRIES.setdefault(name, {})
        if version in versions:
            raise ValueError(f"the brain {name} has a version {version} already")
        shown = {"en": name, "ru": name, **(title or {})}
        worth = strength_of(name, version) if strength is None else strength
        versions[version] = Entry(name, version, shown, families, worth, reads_history, cls(), pace)
        return cls

    return register


def forget(name: str) -> None:
    """Take every version of a brain out of the registry."""
    _ENTRIES.pop(name, None)


def brain_get(name: str, version: int | None = None) -> Entry:
    """The brain of this name, by default its newest version. Raises UnknownBrain."""
    versions = _ENTRIES.get(name, {})
    found = versions.get(max(versions, default=0) if version is None else version)
    if found is None:
        raise UnknownBrain(name)
    return found


def brain_list() -> tuple[Entry, ...]:
    """The newest version of every brain, by name."""
    return tuple(brain_get(name) for name in sorted(_ENTRIES))
