"""One random game, the cheap laws checked on every one and the costly ones on a sample."""

import random
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final, NamedTuple, TypeVar

from msgspec.structs import replace

from games.rules import engine
from games.rules.cards import CardSet, pack, to_set
from games.rules.engine import AnyState, Pattern
from games.rules.errors import Refusal
from games.rules.events import Event, Result, Seat
from games.rules.moves import Move
from games.rules.shedding.state import SheddingState
from games.rules.state import FINISHED, State
from tests.soak.tables import Table

CALL_SHARE: Final = 0.2
# Blind play is mostly wrong and games get long: who holds his cards face out looks now and then.
PEEK_SHARE: Final = 0.7
# A lost card stays lost: it is enough to count the pack now and then, and at the end.
COUNT_EVERY: Final = 5
T = TypeVar("T")
_set_of = lru_cache(maxsize=1024)(to_set)


class Ended(NamedTuple):
    """What became of a game: how it ended, after how many moves."""

    ruleset: str
    seats: int
    reason: str
    draw: bool
    moves: int


class Step(NamedTuple):
    """A decision: the state it was made in and the events it caused."""

    before: AnyState
    events: tuple[Event, ...]
    after: AnyState


def play(table: Table) -> Ended:
    """Play a game to its end. Raises AssertionError when a law is broken."""
    moves = 0
    state = deal(table)
    for step in steps(table, state):
        moves += 1
        state = step.after
        assert_sound(state)
        if moves % COUNT_EVERY == 0 or state.phase == FINISHED:
            assert_conserved(state)
    result = state.result
    assert result is not None, "the game stopped without a result"
    assert sorted(seat for place in result.places for seat in place) == list(range(table.seats))
    if isinstance(state, State):
        assert (result.durak is None) == result.draw
        if has_parity(state):
            assert not (result.draw and result.reason == "played_out"), state
    else:
        assert_scored(state, result)
    return Ended(table.rules.id, table.seats, result.reason, result.draw, moves)


def has_parity(state: State) -> bool:
    """Whether spades leave in pairs while their number is odd: then somebody keeps one (4.4.6)."""
    rules = state.rules
    strict = rules.enforcement == "strict" and rules.self_only_suit != state.trump
    return rules.self_only_suit is not None and strict and rules.deck_size in (36, 52)


def assert_scored(state: SheddingState, result: Result) -> None:
    """The durak is alone in the last place; points are counted where the rules say so (3.7, 26)."""
    drawn = result.reason != "played_out" and state.rules.stalemate == "draw"
    alone = len(result.places) > 1 and len(result.places[-1]) == 1 and not drawn
    assert result.durak == (result.places[-1][0] if alone else None), state
    assert result.draw == (drawn or len(result.places) == 1), state
    assert (result.points is None) == (drawn or state.rules.points is None), state


def deal(table: Table) -> AnyState:
    """The state before the first move."""
    state = engine.empty_state(table.rules.rules, table.seats)
    dealt = engine.start(table.rules.rules, table.seats, table.entropy, table.previous)
    return engine.fold(state, dealt)


def steps(table: Table, state: AnyState) -> Iterator[Step]:
    """Random play to the end."""
    rng = random.Random(table.number)
    while state.phase != FINISHED:
        played = _played(table, state, rng)
        yield Step(state, played.events, played.state)
        state = played.state


def _played(table: Table, state: AnyState, rng: random.Random) -> engine.Played:
    """A random move; a call may be refused, then another move is made."""
    while True:
        seat, patterns = _turn(state, rng)
        move = any_move(patterns, rng, table.takes)
        try:
            return engine.play(state, seat, move, table.entropy)
        except Refusal:
            if move.type != "call":
                raise


def _turn(state: AnyState, rng: random.Random) -> tuple[Seat, tuple[Pattern, ...]]:
    assert state.to_act, ("nobody may act", state)
    seat = any_of(state.to_act, rng)
    if not isinstance(state, State):
        return seat, engine.legal_moves(state, seat)
    if state.plays and rng.random() < CALL_SHARE:
        seat = rng.randrange(state.seats)
    peeks = state.slots and rng.random() < PEEK_SHARE
    patterns = engine.legal_moves(replace(state, slots=()) if peeks else state, seat)
    if not patterns:
        return _turn(state, rng)
    return seat, patterns


def any_of(things: Sequence[T], rng: random.Random) -> T:
    """One of several, drawn faster than by `random.choice`."""
    return things[int(rng.random() * len(things))]


def any_move(patterns: Sequence[Pattern], rng: random.Random, takes: float) -> Move:
    """A random choice; a defender who may do otherwise takes with the chance `takes`."""
    pattern = any_of(patterns, rng)
    if pattern.type == "take" and len(patterns) > 1 and rng.random() > takes:
        pattern = any_of([other for other in patterns if other.type != "take"], rng)
    if pattern.slots is not None:
        slots = _some(pattern.slots, pattern, rng)
        return Move(pattern.type, slots=slots, target=pattern.target)
    cards = _some(pattern.cards, pattern, rng) if pattern.cards else ()
    if pattern.suits is not None:
        suits = pattern.suits if pattern.suit_required else (None, *pattern.suits)
        return Move(pattern.type, cards=cards, suit=any_of(suits, rng))
    return Move(pattern.type, cards=cards, target=pattern.target)


def _some(named: tuple[T, ...], pattern: Pattern, rng: random.Random) -> tuple[T, ...]:
    low, high = pattern.min or 0, pattern.max or 0
    count = low + int(rng.random() * (high - low + 1))
    if pattern.first is not None:
        first = any_of(named[: len(pattern.first)], rng)
        return (first, *rng.sample([thing for thing in named if thing != first], count - 1))
    return (any_of(named, rng),) if count == 1 else tuple(rng.sample(named, count))


def assert_conserved(state: AnyState) -> None:
    """Every card of the pack is in one place."""
    seen, count = 0, 0
    for place in (*state.hands, _set_of(state.talon), *_laid(state)):
        seen |= place
        count += place.bit_count()
    assert seen == _set_of(pack(state.rules.deck_size)), state
    assert count == state.rules.deck_size, state


def assert_sound(state: AnyState) -> None:
    """The cheap laws of any moment: the bout within its limit, somebody to act, nobody who left."""
    if isinstance(state, State):
        assert len(state.table) <= state.limit or not state.table, state
    else:
        assert all(state.hands[seat] for seat in state.to_act), state
    assert bool(state.to_act) == (state.phase != FINISHED), state
    assert not any(state.hands[seat] for seat in state.out), state


def _laid(state: AnyState) -> tuple[CardSet, ...]:
    """What lies on the table and beside it."""
    if not isinstance(state, State):
        return (to_set(state.pile),)
    on_table = to_set([card for pair in state.table for card in pair if card is not None])
    return on_table, state.discard
