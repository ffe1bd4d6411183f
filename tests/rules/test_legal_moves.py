"""A move is accepted if and only if a pattern of `legal_moves` covers it."""

import random

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from games.rules import engine
from games.rules.engine import Pattern
from games.rules.errors import Refusal
from games.rules.moves import Move
from games.rules.state import State
from games.rules.texts import refusal_codes
from tests.rules.playing import LOOKS, Setting, settings, some, steps
from tests.rules.tries import every_move

CLOSED_LIST = set(refusal_codes())


def covers(pattern: Pattern, move: Move) -> bool:
    """Whether a move is a choice within a pattern."""
    if (pattern.type, pattern.target) != (move.type, move.target):
        return False
    if pattern.cards is None:
        return not move.cards
    distinct = len(set(move.cards)) == len(move.cards)
    within = (pattern.min or 0) <= len(move.cards) <= (pattern.max or 0)
    return distinct and within and set(move.cards) <= set(pattern.cards)


def code_of(state: State, seat: int, move: Move) -> str | None:
    try:
        assert engine.decide(state, seat, move)
    except Refusal as refusal:
        return refusal.code
    return None


@given(settings(), st.integers(0, 2**32))
def test_a_move_is_accepted_if_and_only_if_a_pattern_covers_it(setting: Setting, seed: int) -> None:
    rng = random.Random(seed)
    played = [step.before for step in steps(setting)]
    for state in rng.sample(played, min(LOOKS // 6, len(played))):
        frozen = msgspec.json.encode(state)
        for seat in range(setting.seats):
            patterns = engine.legal_moves(state, seat)
            assert bool(patterns) == (seat in state.to_act)
            for move in every_move(state, seat, rng):
                code = code_of(state, seat, move)
                covered = any(covers(pattern, move) for pattern in patterns)
                assert (code is None) == covered, (seat, move, code)
                assert code is None or code in CLOSED_LIST
        assert msgspec.json.encode(state) == frozen


@given(settings())
def test_the_first_min_cards_of_a_pattern_are_a_move_and_patterns_do_not_overlap(
    setting: Setting,
) -> None:
    for step in some(steps(setting), setting):
        patterns = engine.legal_moves(step.before, step.seat)
        assert patterns
        for pattern in patterns:
            cards = pattern.cards or ()
            assert len(cards) >= (pattern.max or 0) >= (pattern.min or 0)
            move = Move(pattern.type, cards=cards[: pattern.min or 0], target=pattern.target)
            assert code_of(step.before, step.seat, move) is None
            assert sum(covers(other, move) for other in patterns) == 1
