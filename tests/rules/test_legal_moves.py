"""A move is accepted if and only if a pattern of `legal_moves` covers it."""

import random
from typing import Any

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from games.rules import engine
from games.rules.engine import Pattern
from games.rules.errors import Refusal
from games.rules.moves import Move
from games.rules.shedding.state import SheddingState
from games.rules.state import State
from games.rules.texts import refusal_codes
from tests.rules.playing import LOOKS, Setting, settings, shedding_settings, some, steps
from tests.rules.tries import every_move, every_shedding_move

CLOSED_LIST = set(refusal_codes())


def covers(pattern: Pattern, move: Move) -> bool:
    """Whether a move is a choice within a pattern."""
    if (pattern.type, pattern.target) != (move.type, move.target):
        return False
    if not may_name(pattern, move.suit):
        return False
    if pattern.cards is None and pattern.slots is None:
        return not move.cards and not move.slots
    named: tuple[Any, ...] = move.cards or move.slots
    listed = (pattern.cards or ()) if move.cards else (pattern.slots or ())
    within = (pattern.min or 0) <= len(named) <= (pattern.max or 0)
    if pattern.first and not (named and named[0] in pattern.first):
        return False
    return len(set(named)) == len(named) and within and set(named) <= set(listed)


def may_name(pattern: Pattern, suit: str | None) -> bool:
    """Whether a pattern takes a move that names this suit, or none."""
    if suit is None:
        return not pattern.suit_required
    return suit in (pattern.suits or ())


def is_unfounded(move: Move, code: str | None) -> bool:
    """Whether this is the one exception: a call of a card that was played rightly (3.7, 11)."""
    return move.type == "call" and code == "move.call_unfounded"


def code_of(state: State | SheddingState, seat: int, move: Move) -> str | None:
    try:
        assert engine.decide(state, seat, move)
    except Refusal as refusal:
        return refusal.code
    return None


def smallest(pattern: Pattern) -> Move:
    """The move of the first `min` entries and the first suit."""
    few = slice(pattern.min or 0)
    return Move(
        pattern.type,
        cards=(pattern.cards or ())[few],
        slots=(pattern.slots or ())[few],
        target=pattern.target,
        suit=(pattern.suits or (None,))[0],
    )


@given(settings(), st.integers(0, 2**32))
def test_a_move_is_accepted_if_and_only_if_a_pattern_covers_it(setting: Setting, seed: int) -> None:
    rng = random.Random(seed)
    played = [step.before for step in steps(setting)]
    for state in rng.sample(played, min(LOOKS // 6, len(played))):
        frozen = msgspec.json.encode(state)
        for seat in range(setting.seats):
            patterns = engine.legal_moves(state, seat)
            turns = [pattern for pattern in patterns if pattern.type != "call"]
            assert bool(turns) == (seat in state.to_act)
            for move in every_move(state, seat, rng):
                code = code_of(state, seat, move)
                covered = any(covers(pattern, move) for pattern in patterns)
                accepted = code is None or (covered and is_unfounded(move, code))
                assert accepted == covered, (seat, move, code)
                assert code is None or code in CLOSED_LIST
        assert msgspec.json.encode(state) == frozen


@given(shedding_settings(), st.integers(0, 2**32))
def test_a_shedding_move_is_accepted_if_and_only_if_a_pattern_covers_it(
    setting: Setting, seed: int
) -> None:
    rng = random.Random(seed)
    played = [step.before for step in steps(setting)]
    for state in rng.sample(played, min(LOOKS // 4, len(played))):
        frozen = msgspec.json.encode(state)
        for seat in range(setting.seats):
            patterns = engine.legal_moves(state, seat)
            assert bool(patterns) == (seat in state.to_act)
            for move in every_shedding_move(state, seat, rng):
                code = code_of(state, seat, move)
                covered = any(covers(pattern, move) for pattern in patterns)
                assert (code is None) == covered, (seat, move, code)
                assert code is None or code in CLOSED_LIST
        assert msgspec.json.encode(state) == frozen


@given(settings() | shedding_settings())
def test_the_first_min_cards_of_a_pattern_are_a_move_and_patterns_do_not_overlap(
    setting: Setting,
) -> None:
    for step in some(steps(setting), setting):
        patterns = engine.legal_moves(step.before, step.seat)
        assert patterns
        for pattern in patterns:
            cards, slots = pattern.cards or (), pattern.slots or ()
            assert len(cards) + len(slots) >= (pattern.max or 0) >= (pattern.min or 0)
            move = smallest(pattern)
            code = code_of(step.before, step.seat, move)
            assert code is None or is_unfounded(move, code)
            assert sum(covers(other, move) for other in patterns) == 1
