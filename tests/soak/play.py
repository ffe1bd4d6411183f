"""One random game, the cheap laws checked on every one and the costly ones on a sample."""

import random
from collections.abc import Iterator
from typing import Final, NamedTuple

from games.rules import engine
from games.rules.cards import pack, to_set
from games.rules.engine import Pattern
from games.rules.errors import Refusal
from games.rules.events import Event, Seat
from games.rules.moves import Move
from games.rules.state import FINISHED, State
from tests.soak.tables import Table

CALL_SHARE: Final = 0.2


class Ended(NamedTuple):
    """What became of a game: how it ended, after how many moves."""

    ruleset: str
    seats: int
    reason: str
    draw: bool
    moves: int


class Step(NamedTuple):
    """A decision: the state it was made in and the events it caused."""

    before: State
    events: tuple[Event, ...]
    after: State


def play(table: Table) -> Ended:
    """Play a game to its end. Raises AssertionError when a law is broken."""
    moves = 0
    state = deal(table)
    for step in steps(table, state):
        moves += 1
        state = step.after
        assert_sound(state, table)
    result = state.result
    assert result is not None, "the game stopped without a result"
    assert sorted(seat for place in result.places for seat in place) == list(range(table.seats))
    assert (result.durak is None) == result.draw
    if has_parity(state):
        assert not (result.draw and result.reason == "played_out"), state
    return Ended(table.rules.id, table.seats, result.reason, result.draw, moves)


def has_parity(state: State) -> bool:
    """Whether spades leave in pairs while their number is odd: then somebody keeps one (4.4.6)."""
    rules = state.rules
    strict = rules.enforcement == "strict" and rules.self_only_suit != state.trump
    return rules.self_only_suit is not None and strict and rules.deck_size in (36, 52)


def deal(table: Table) -> State:
    """The state before the first attack."""
    state = State(rules=table.rules.rules, seats=table.seats)
    return engine.fold(state, engine.start(table.rules.rules, table.seats, table.entropy))


def steps(table: Table, state: State) -> Iterator[Step]:
    """Random play to the end."""
    rng = random.Random(table.number)
    while state.phase != FINISHED:
        events = _decided(table, state, rng)
        after = engine.fold(state, events)
        yield Step(state, events, after)
        state = after


def _decided(table: Table, state: State, rng: random.Random) -> tuple[Event, ...]:
    """The events of a random move; a call may be refused, then another move is made."""
    while True:
        seat, patterns = _turn(state, rng)
        move = any_move(patterns, rng, table.takes)
        try:
            return engine.decide(state, seat, move, table.entropy)
        except Refusal:
            if move.type != "call":
                raise


def _turn(state: State, rng: random.Random) -> tuple[Seat, list[Pattern]]:
    assert state.to_act, ("nobody may act", state)
    seat = rng.choice(state.to_act)
    if state.plays and rng.random() < CALL_SHARE:
        seat = rng.randrange(state.seats)
    patterns = list(engine.legal_moves(state, seat))
    if not patterns:
        return _turn(state, rng)
    return seat, patterns


def any_move(patterns: list[Pattern], rng: random.Random, takes: float) -> Move:
    """A random choice; a defender who may do otherwise takes with the chance `takes`."""
    pattern = rng.choice(patterns)
    if pattern.type == "take" and len(patterns) > 1 and rng.random() > takes:
        pattern = rng.choice([other for other in patterns if other.type != "take"])
    count = rng.randint(pattern.min or 0, pattern.max or 0)
    if pattern.slots is not None:
        return Move(
            pattern.type, slots=tuple(rng.sample(pattern.slots, count)), target=pattern.target
        )
    cards = tuple(rng.sample(pattern.cards or (), count))
    return Move(pattern.type, cards=cards, target=pattern.target)


def assert_sound(state: State, table: Table) -> None:
    """The cheap laws: every card in one place, the bout within its limit, somebody to act."""
    on_table = to_set(card for pair in state.table for card in pair if card is not None)
    places = (*state.hands, to_set(state.talon), on_table, state.discard)
    assert sum(places) == to_set(pack(state.rules.deck_size)), state
    assert sum(place.bit_count() for place in places) == state.rules.deck_size, state
    assert len(state.table) <= state.limit or not state.table, state
    assert bool(state.to_act) == (state.phase != FINISHED), state
    assert not any(state.hands[seat] for seat in state.out), state
