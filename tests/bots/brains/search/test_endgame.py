"""The endgame solver against every line of play that the rules allow."""

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from bots.brains.search.compiled import endgames
from bots.brains.search.compiled import layout as at
from bots.brains.search.endgame import NODES, Solver, TooDeepError, is_solvable
from bots.brains.search.simulator import Plan, Sim
from games.rules import engine
from games.rules.cards import pack, to_set
from games.rules.moves import Move
from games.rules.patterns import Pattern
from games.rules.rulesets.registry import ruleset
from games.rules.state import State
from tests.bots.brains.search.mirror import dealt, halfway, move_of, simulated

SEEDS = st.integers(0, 1 << 64)
SOLVED = ("throw_in", "throw_in.japanese", "online_throw_in")


def ended(name: str, seed: int, most: int, least: int = 1) -> tuple[State, Sim]:
    """A position of two without a talon: a bout begins, with `least` to `most` cards a hand."""
    rng = random.Random(seed)
    options = {"deck_size": 24, "hand_size": 4}
    state = dealt(ruleset(name, options, players=2), 2, seed % 1000)
    cards = rng.sample(pack(24), rng.randint(least, most) + rng.randint(least, most))
    cut = rng.randint(max(least, len(cards) - most), min(most, len(cards) - least))
    hands = (to_set(cards[:cut]), to_set(cards[cut:]))
    gone = to_set(pack(24)) & ~hands[0] & ~hands[1]
    state = replace(
        state, hands=hands, talon=(), turn_up=None, discard=gone, discard_count=gone.bit_count(),
        bouts=5, exposed=0, seen=(),
    )  # fmt: skip
    sim = simulated(state)
    sim.numbers[[at.BOUTS, at.DISCARDED, at.MET]] = 5, state.discard_count, 0
    return state, sim


def value(state: State, memo: dict[object, int]) -> int:
    """The value for who is to act, by trying everything that the rules allow."""
    key = (state.hands, state.table, state.phase, state.to_act, state.passed, state.attacker)
    if key not in memo:
        memo[key] = max(after(state, move, memo) for move in moves(state))
    return memo[key]


def after(state: State, move: Move, memo: dict[object, int]) -> int:
    """The value of a move for who makes it."""
    actor = state.to_act[0]
    following = engine.play(state, actor, move).state
    if following.result is not None:
        durak = following.result.durak
        return 0 if durak is None else 1 if durak != actor else -1
    found = value(following, memo)
    return found if following.to_act[0] == actor else -found


def moves(state: State) -> list[Move]:
    """Every legal move, with every choice of cards."""
    patterns = engine.legal_moves(state, state.to_act[0])
    return [move for pattern in patterns for move in _of(pattern)]


def _of(pattern: Pattern) -> list[Move]:
    cards = pattern.cards
    if cards is None or pattern.min is None or pattern.max is None:
        return [Move(pattern.type)]
    counts = range(pattern.min, pattern.max + 1)
    chosen = [some for count in counts for some in combinations(cards, count)]
    return [Move(pattern.type, cards=some, target=pattern.target) for some in chosen]


@pytest.mark.parametrize("name", SOLVED)
@settings(max_examples=15, deadline=None)
@given(seed=SEEDS)
def test_values_are_those_of_the_whole_tree(name: str, seed: int) -> None:
    state, sim = ended(name, seed, 4)
    assert is_solvable(sim)
    rng, memo = random.Random(seed), {}
    while state.result is None:
        solver = Solver()
        found = solver.values(sim)
        assert found == {action: after(state, move_of(sim, action), memo) for action in found}
        assert max(found.values()) == value(state, memo)
        action = rng.choice(list(found))
        state = engine.play(state, state.to_act[0], move_of(sim, action)).state
        sim.step(action)


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS)
def test_solving_leaves_the_position_alone(seed: int) -> None:
    _, sim = ended("throw_in", seed, 6)
    before = sim.numbers.tolist()
    Solver().values(sim)
    assert sim.numbers.tolist() == before


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(["throw_in", "simple", "transfer"]), seed=SEEDS)
def test_with_a_talon_or_a_third_player_nothing_is_solved(name: str, seed: int) -> None:
    three = halfway(name, 3, seed)
    assume(three.talon or len(three.alive) == 3)
    assert not is_solvable(three)
    two = halfway(name, 2, seed)
    assume(two.talon)
    assert not is_solvable(two)


def test_what_is_too_deep_is_given_up() -> None:
    _, sim = ended("throw_in", 4, 9, 9)
    solver = Solver(most=3)
    with pytest.raises(TooDeepError):
        solver.values(sim)
    assert solver.nodes == 3


def test_below_the_last_row_of_the_stack_nothing_is_found_or_written() -> None:
    _, sim = ended("throw_in", 4, 9, 9)
    stack = np.zeros((8, endgames.STACKED), np.int64)
    stack[0, : at.POSITION] = sim.numbers
    memo, left = np.zeros((1 << 12, endgames.COLUMNS), np.int64), np.array([1000], np.int64)
    found = endgames.value(sim.plan.numbers, stack[:5], 0, memo, left)
    assert found == endgames.UNKNOWN
    assert left[0] > 0
    assert stack[4].any()
    assert not stack[5:].any()


def test_a_line_of_many_takes_is_given_up() -> None:
    """High cards against low ones of the whole pack: each bout is taken, and laid once more."""
    options = {"deck_size": 52, "attack_limit": None, "lead_max_cards": 1}
    plan = Plan(ruleset("throw_in", options, players=2).rules, 2, "H")
    cards = list(plan.deck.card)
    strong = [cards[3], *cards[16:47], *cards[48:]]
    weak = [card for card in cards if card not in strong]
    sim = Sim.at_start(plan, [sum(weak), sum(strong)], [], 1)
    sim.numbers[[at.BOUTS, at.DISCARDED]] = 5, 1
    solver = Solver()
    with pytest.raises(TooDeepError):
        solver.values(sim)
    assert 0 < solver.nodes < NODES


@settings(max_examples=60, deadline=None)
@given(seed=SEEDS, most=st.integers(10, 5000))
def test_a_game_that_the_rules_may_end_is_not_solved(seed: int, most: int) -> None:
    """The limit of moves would be a draw that the solver does not see."""
    _, sim = ended("throw_in", seed, 4)
    sim.plan.numbers[at.MAX_MOVES] = most
    assert is_solvable(sim) == (sim.numbers[at.MOVES] + endgames.DEPTH_MOST <= most)


def test_games_with_transfers_are_not_solved() -> None:
    """A bout passed on and taken back comes round for ever."""
    _, sim = ended("transfer", 1, 4)
    assert not is_solvable(sim)
