"""A move is accepted if and only if a pattern of `legal_moves` covers it."""

import random
from collections.abc import Iterator
from itertools import combinations, product

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from games.rules import engine
from games.rules.cards import CARDS, to_cards
from games.rules.engine import Pattern
from games.rules.errors import Refusal
from games.rules.moves import Move
from games.rules.state import State
from games.rules.texts import refusal_codes
from tests.rules.playing import Setting, settings, steps

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


def every_move(state: State, seat: int, rng: random.Random) -> Iterator[Move]:
    """Every card by every type at every target, and sets of cards."""
    yield from (Move(kind) for kind in ("take", "pass", "exchange_trump"))
    targets = [*(card for pair in state.table for card in pair if card), *rng.sample(CARDS, 2)]
    for card in CARDS:
        for kind in ("attack", "throw_in", "transfer", "show_trump", "call"):
            yield Move(kind, cards=(card,))
        for target in targets:
            yield Move("beat", cards=(card,), target=target)
    for kind, cards in product(("attack", "throw_in", "transfer"), sets_of_cards(state, seat, rng)):
        yield Move(kind, cards=cards)
    yield Move("beat", target=targets[0])


def sets_of_cards(state: State, seat: int, rng: random.Random) -> Iterator[tuple[str, ...]]:
    """No card, one twice, every set of one rank, pairs of a hand, and hands with a stranger."""
    hand = to_cards(state.hands[seat])
    yield ()
    yield from ((card, card) for card in hand[:2])
    yield from combinations(hand, 2)
    for rank in {card[0] for card in hand}:
        same = [card for card in CARDS if card[0] == rank]
        yield from (chosen for count in (2, 3, 4) for chosen in combinations(same, count))
    for count in (3, 5, 7):
        yield tuple(rng.sample(hand, min(count, len(hand))))
    yield (*hand[:2], rng.choice(CARDS))


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
    for state in rng.sample(played, min(3, len(played))):
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
    for step in steps(setting):
        patterns = engine.legal_moves(step.before, step.seat)
        assert patterns
        for pattern in patterns:
            cards = pattern.cards or ()
            assert len(cards) >= (pattern.max or 0) >= (pattern.min or 0)
            move = Move(pattern.type, cards=cards[: pattern.min or 0], target=pattern.target)
            assert code_of(step.before, step.seat, move) is None
            assert sum(covers(other, move) for other in patterns) == 1
