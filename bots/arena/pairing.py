"""Who meets whom, and in which seats: everybody has played every hand of a deal in the end."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from games.rules.rulesets.registry import Ruleset, ruleset


class Meeting(NamedTuple):
    """Two contestants, by their index in the pool, at tables of one ruleset and size.

    `alone`: the first sits alone among the second, never the other way round.
    """

    rules: Ruleset
    seats: int
    first: int
    second: int
    alone: bool = False


def meetings(
    pool: int, rulesets: Sequence[str], sizes: Sequence[int], *, alone: bool = False
) -> list[Meeting]:
    """Round-robin over a pool of so many; with `alone` the first against each of the others.

    Raises UnknownRuleset and InvalidOptions.
    """
    pairs = [(0, other) for other in range(1, pool)] if alone else combinations(range(pool), 2)
    met = list(pairs)
    return [
        Meeting(ruleset(name, players=seats), seats, first, second, alone)
        for name in rulesets
        for seats in sizes
        for first, second in met
    ]


def line_ups(meeting: Meeting) -> Iterator[tuple[int, ...]]:
    """The pool's indices by seat, for each game of one deal.

    One of the first among the second, in each seat; with more than two seats also one of the
    second among the first, so that equals share the points evenly whatever the number of seats.
    """
    first, second = meeting.first, meeting.second
    yield from _alone(first, second, meeting.seats)
    if meeting.seats > 2 and not meeting.alone:
        yield from _alone(second, first, meeting.seats)


def _alone(one: int, others: int, seats: int) -> Iterator[tuple[int, ...]]:
    for own in range(seats):
        yield tuple(one if seat == own else others for seat in range(seats))
