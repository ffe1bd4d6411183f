"""The costly laws: replay from the log at every version, legal = accepted, secrecy twins."""

import random

from games.rules import engine
from games.rules.cards import CARDS, SUITS
from games.rules.engine import AnyState, Pattern
from games.rules.errors import MalformedMove, Refusal
from games.rules.events import Event, Seat
from games.rules.moves import SHAPES, Move
from games.rules.state import State
from games.store.codec import decode_event, encode_event
from tests.rules.playing import Setting
from tests.rules.twins import assert_answered_alike, assert_logs_look_alike
from tests.soak.play import deal, steps
from tests.soak.tables import Table


def check(table: Table) -> None:
    """Play the game again and look closely. Raises AssertionError when a law is broken."""
    state = deal(table)
    folded = state
    for step in steps(table, state):
        for event in step.events:
            folded = engine.evolve(folded, decode_event(*_as_text(event)))
        assert folded == step.after, ("replay differs", step.events)
        if len(step.events) == 1:
            assert_legal_is_accepted(step.after)
    setting = Setting(table.rules, table.seats, table.number, table.takes)
    assert_logs_look_alike(setting, random.Random(table.number))
    assert_answered_alike(setting, table.number)


def _as_text(event: Event) -> tuple[str, int, str]:
    kind, version, facts = encode_event(event)
    return kind, version, facts.decode()


def assert_legal_is_accepted(state: AnyState) -> None:
    """Every single-card move of every seat is accepted if and only if a pattern covers it."""
    for seat in range(state.seats):
        patterns = engine.legal_moves(state, seat)
        for move in single_moves(state, seat):
            assert accepted(state, seat, move) == covered(patterns, move), (seat, move, state)


def single_moves(state: AnyState, seat: Seat) -> list[Move]:
    """One move for each type, card and target or suit; by slot where hands are held face out."""
    if not isinstance(state, State):
        named = [Move("name_suit", suit=suit) for suit in SUITS]
        plays = [Move("play", cards=(c,), suit=s) for c in CARDS for s in (None, *SUITS)]
        return [Move("draw"), Move("pass"), Move("name_suit"), *named, *plays]
    moves = [Move("take"), Move("pass"), Move("exchange_trump")]
    targets = [pair.attack for pair in state.table]
    for kind, shape in SHAPES["bout"].items():
        if not shape.cards or kind == "call":
            continue
        for target in targets if shape.target else [None]:
            moves += [Move(kind, target=target, **named) for named in _named(state, seat)]
    return moves


def _named(state: State, seat: Seat) -> list[dict[str, tuple[object, ...]]]:
    if state.slots:
        first = state.slot_base[seat]
        return [{"slots": (first + place,)} for place in range(len(state.slots[seat]) + 1)]
    return [{"cards": (card,)} for card in CARDS]


def accepted(state: AnyState, seat: Seat, move: Move) -> bool:
    """Whether the engine takes the move."""
    try:
        engine.decide(state, seat, move)
    except (Refusal, MalformedMove):
        return False
    return True


def covered(patterns: tuple[Pattern, ...], move: Move) -> bool:
    """Whether some pattern offers the move."""
    named = set(move.cards or move.slots)
    return any(
        pattern.type == move.type
        and pattern.target == move.target
        and _may_name(pattern, move.suit)
        and named <= set(pattern.cards or pattern.slots or ())
        and (pattern.min or 0) <= len(named) <= (pattern.max or 0)
        for pattern in patterns
    )


def _may_name(pattern: Pattern, suit: str | None) -> bool:
    return suit in (pattern.suits or ()) if suit is not None else not pattern.suit_required
