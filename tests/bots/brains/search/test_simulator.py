"""The simulator is the rules: the same game in both, ply by ply.

`PLIES=200000` plays on for so many plies; without it a few games of every preset and size do.
"""

import os
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.brains.search.claims import is_claimed
from games.rules import engine
from games.rules.moves import Move
from games.rules.rulesets.registry import Ruleset, ruleset, ruleset_ids
from games.rules.state import State
from tests.bots.brains.search.mirror import (
    any_action,
    assert_alike,
    claimed,
    dealt,
    halfway,
    move_of,
    simulated,
)

PLIES = int(os.environ.get("PLIES", "0"))
CLAIMED = claimed()
# Dials beyond the presets: first bouts, packs, limits, repetition and the end of patience.
ODD = (
    {"deck_size": 24, "hand_size": 4},
    {"deck_size": 52, "attack_limit": None},
    {"attack_limit": 3, "first_attack_limit": 1, "first_limit_scope": "first_bout"},
    {"attack_limit": 2, "throw_in_scope": "neighbours", "lead_max_cards": 1},
    {"throw_in": "never"},
    {"throw_in": "on_take", "throw_in_ranks": "lead"},
    {"throw_in_scope": "leader", "refill_order": "clockwise_from_leader"},
    {"transfer": True, "transfer_first_bout": False, "transfer_multi": False},
    {"repetition_draw": 2, "deck_size": 24, "deal_mode": "full"},
    {"repetition_draw": None, "max_moves": 40},
    {"max_moves": 12},
)


def played(rules: Ruleset, seats: int, seed: int) -> int:
    """One random game in both; the number of plies."""
    state, rng = dealt(rules, seats, seed), random.Random(seed)
    sim, plies = simulated(state), 0
    while state.result is None:
        assert_alike(sim, state)
        action = any_action(sim, rng)
        state = engine.play(state, state.to_act[0], move_of(sim, action)).state
        sim.step(action)
        plies += 1
    assert_alike(sim, state)
    return plies


@pytest.mark.parametrize(("name", "seats"), CLAIMED)
def test_a_game_is_the_same_in_both(name: str, seats: int) -> None:
    rules, plies, seed = ruleset(name, players=seats), 0, 1
    while plies < max(60, PLIES // len(CLAIMED)):
        plies += played(rules, seats, seed)
        seed += 1


@settings(max_examples=60, deadline=None)
@given(dials=st.sampled_from(ODD), seats=st.integers(2, 4), seed=st.integers(0, 1 << 64))
def test_a_game_is_the_same_with_other_dials(
    dials: dict[str, object], seats: int, seed: int
) -> None:
    played(ruleset("throw_in", dials, seats), seats, seed)


@settings(max_examples=60, deadline=None)
@given(place=st.sampled_from(CLAIMED), seed=st.integers(0, 1 << 64))
def test_single_cards_reach_what_the_rules_allow(place: tuple[str, int], seed: int) -> None:
    """A seat has an action for every pattern of the rules, and none besides."""
    name, seats = place
    state, rng = dealt(ruleset(name, players=seats), seats, seed), random.Random(seed)
    sim = simulated(state)
    while state.result is None:
        # The simulator answers the cheapest open card first.
        target = sim.open & -sim.open
        offered = set(singles(state, sim.plan.deck.card.get(target)))
        assert {move_of(sim, action) for action in sim.actions()} == offered
        assert {move_of(sim, action) for action in sim.choices()} >= offered
        action = any_action(sim, rng)
        state = engine.play(state, state.to_act[0], move_of(sim, action)).state
        sim.step(action)


def singles(state: State, target: str | None) -> list[Move]:
    """The legal moves of at most one card that name this target or none."""
    found = []
    for pattern in engine.legal_moves(state, state.to_act[0]):
        if pattern.target in (None, target):
            chosen = [(card,) for card in pattern.cards or ()] or [()]
            found += [Move(pattern.type, cards=one, target=pattern.target) for one in chosen]
    return found


@settings(max_examples=150, deadline=None)
@given(place=st.sampled_from(CLAIMED), seed=st.integers(0, 1 << 64))
def test_a_clone_shares_nothing(place: tuple[str, int], seed: int) -> None:
    sim = halfway(*place, seed)
    before = sim.numbers.tolist()
    other = sim.clone()
    while other.durak is None:
        other.step(other.greedy_action())
    assert sim.roll() == other.durak
    assert sim.numbers.tolist() == before


@settings(max_examples=100, deadline=None)
@given(place=st.sampled_from(CLAIMED), seed=st.integers(0, 1 << 64))
def test_a_walk_makes_the_same_steps_by_number(place: tuple[str, int], seed: int) -> None:
    sim, rng = halfway(*place, seed), random.Random(seed)
    walked = sim.clone()
    walk = walked.walk()
    while sim.durak is None:
        actions = sim.actions()
        number = rng.randrange(len(actions))
        sim.step(actions[number])
        many = walk(number)
        assert walked.numbers.tolist() == sim.numbers.tolist()
        assert many == (len(sim.actions()) if sim.durak is None else 0)


@settings(max_examples=150, deadline=None)
@given(place=st.sampled_from(CLAIMED), seed=st.integers(0, 1 << 64))
def test_greedy_roll_outs_are_legal_and_end(place: tuple[str, int], seed: int) -> None:
    sim = halfway(*place, seed)
    while sim.durak is None:
        action = sim.greedy_action()
        assert action in sim.actions()
        sim.step(action)


@pytest.mark.parametrize("name", [name for name in ruleset_ids() if ".face_out" in name])
def test_hands_face_out_are_not_claimed(name: str) -> None:
    assert not is_claimed(ruleset(name).rules)


def test_shedding_games_are_not_claimed() -> None:
    assert not any(is_claimed(ruleset(name).rules) for name in ruleset_ids("shedding"))
