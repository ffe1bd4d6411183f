"""Counting move sequences: a number for each depth, which a change of the rules changes.

Chess programs call it perft. Every move that a pattern covers is counted once, whatever the order
of its cards, and once for each suit that it may name; calls only if they are right. A game that
ends before a depth adds nothing to it.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb
from typing import Final

from games.rules import engine
from games.rules.cards import Card, Suit
from games.rules.engine import AnyState
from games.rules.errors import Refusal
from games.rules.events import Seat
from games.rules.moves import Move
from games.rules.rulesets.schema import Rules
from games.rules.shuffle import Entropy

# The chance of the deal from which the stored counts are counted: the same for every ruleset.
CHANCE: Final = Entropy(bytes(32), "perft", ())

Turn = tuple[Seat, Move]


def first_state(rules: Rules, players: int) -> AnyState:
    """The fixed deal of a ruleset: server seed of 32 zero bytes, game id ``perft``, no others."""
    dealt = engine.start(rules, players, CHANCE)
    return engine.fold(engine.empty_state(rules, players), dealt)


def perft(
    state: AnyState, depth: int, progress: Callable[[int, int], None] | None = None
) -> tuple[int, ...]:
    """How many sequences of one move there are, of two moves, and so on up to `depth`.

    `progress` hears how many of the first moves are done, of how many.
    """
    counts = [0] * depth
    counts[0] = breadth(state)
    if depth > 1:
        for done, turn in enumerate(turns_of(state), 1):
            _count(_after(state, turn), 1, counts)
            if progress is not None:
                progress(done, counts[0])
    return tuple(counts)


def breadth(state: AnyState) -> int:
    """How many moves there are now."""
    return sum(
        _size(pattern) if pattern.type != "call" else sum(1 for _ in _moves(state, seat, pattern))
        for seat in range(state.seats)
        for pattern in engine.legal_moves(state, seat)
    )


def turns_of(state: AnyState) -> Iterator[Turn]:
    """Every move that a seat may make now."""
    for seat in range(state.seats):
        for pattern in engine.legal_moves(state, seat):
            for move in _moves(state, seat, pattern):
                yield seat, move


def choices(pattern: engine.Pattern) -> Iterator[Move]:
    """Every move that a pattern covers, each choice of cards once with each suit."""
    for count in range(pattern.min or 0, (pattern.max or 0) + 1):
        if pattern.slots is not None:
            for slots in combinations(pattern.slots, count):
                yield Move(pattern.type, slots=slots, target=pattern.target)
        else:
            for cards in _sets(pattern, count):
                for suit in _suits(pattern):
                    yield Move(pattern.type, cards=cards, target=pattern.target, suit=suit)


def _sets(pattern: engine.Pattern, count: int) -> Iterator[tuple[Card, ...]]:
    """The sets of so many cards, those that may come first in front."""
    for cards in combinations(pattern.cards or (), count):
        if pattern.first is None or cards[0] in pattern.first:
            yield cards


def _suits(pattern: engine.Pattern) -> tuple[Suit | None, ...]:
    named = pattern.suits or ()
    return named if pattern.suit_required else (None, *named)


def _moves(state: AnyState, seat: Seat, pattern: engine.Pattern) -> Iterator[Move]:
    for move in choices(pattern):
        if move.type != "call" or _is_right(state, seat, move):
            yield move


def _size(pattern: engine.Pattern) -> int:
    pool = len(pattern.slots or pattern.cards or ())
    others = pool - len(pattern.first) if pattern.first is not None else 0
    counts = range(pattern.min or 0, (pattern.max or 0) + 1)
    sets = sum(comb(pool, count) - (comb(others, count) if others else 0) for count in counts)
    return sets * len(_suits(pattern))


def _count(state: AnyState, level: int, counts: list[int]) -> None:
    counts[level] += breadth(state)
    if level + 1 < len(counts):
        for turn in turns_of(state):
            _count(_after(state, turn), level + 1, counts)


def _after(state: AnyState, turn: Turn) -> AnyState:
    return engine.fold(state, engine.decide(state, *turn, CHANCE))


def _is_right(state: AnyState, seat: Seat, move: Move) -> bool:
    try:
        engine.decide(state, seat, move, CHANCE)
    except Refusal:
        return False
    return True
