"""Counting move sequences: a number for each depth, which a change of the rules changes.

Chess programs call it perft. Every move that a pattern covers is counted once, whatever the order
of its cards; calls only if they are right. A game that ends before a depth adds nothing to it.
"""

from collections.abc import Callable, Iterator
from itertools import combinations
from math import comb
from typing import Final

from games.rules import engine
from games.rules.errors import Refusal
from games.rules.events import Seat
from games.rules.moves import Move
from games.rules.rulesets.schema import BoutRules
from games.rules.shuffle import Entropy
from games.rules.state import State

# The chance of the deal from which the stored counts are counted: the same for every ruleset.
CHANCE: Final = Entropy(bytes(32), "perft", ())

Turn = tuple[Seat, Move]


def first_state(rules: BoutRules, players: int) -> State:
    """The fixed deal of a ruleset: server seed of 32 zero bytes, game id ``perft``, no others."""
    dealt = engine.start(rules, players, CHANCE)
    return engine.fold(State(rules=rules, seats=players), dealt)


def perft(
    state: State, depth: int, progress: Callable[[int, int], None] | None = None
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


def breadth(state: State) -> int:
    """How many moves there are now."""
    return sum(
        _size(pattern) if pattern.type != "call" else sum(1 for _ in _moves(state, seat, pattern))
        for seat in range(state.seats)
        for pattern in engine.legal_moves(state, seat)
    )


def turns_of(state: State) -> Iterator[Turn]:
    """Every move that a seat may make now."""
    for seat in range(state.seats):
        for pattern in engine.legal_moves(state, seat):
            for move in _moves(state, seat, pattern):
                yield seat, move


def choices(pattern: engine.Pattern) -> Iterator[Move]:
    """Every move that a pattern covers, each choice of cards once."""
    for count in range(pattern.min or 0, (pattern.max or 0) + 1):
        if pattern.slots is not None:
            for slots in combinations(pattern.slots, count):
                yield Move(pattern.type, slots=slots, target=pattern.target)
        else:
            for cards in combinations(pattern.cards or (), count):
                yield Move(pattern.type, cards=cards, target=pattern.target)


def _moves(state: State, seat: Seat, pattern: engine.Pattern) -> Iterator[Move]:
    for move in choices(pattern):
        if move.type != "call" or _is_right(state, seat, move):
            yield move


def _size(pattern: engine.Pattern) -> int:
    pool = len(pattern.slots or pattern.cards or ())
    return sum(comb(pool, count) for count in range(pattern.min or 0, (pattern.max or 0) + 1))


def _count(state: State, level: int, counts: list[int]) -> None:
    counts[level] += breadth(state)
    if level + 1 < len(counts):
        for turn in turns_of(state):
            _count(_after(state, turn), level + 1, counts)


def _after(state: State, turn: Turn) -> State:
    return engine.fold(state, engine.decide(state, *turn, CHANCE))


def _is_right(state: State, seat: Seat, move: Move) -> bool:
    try:
        engine.decide(state, seat, move, CHANCE)
    except Refusal:
        return False
    return True
