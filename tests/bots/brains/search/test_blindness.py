"""No brain sees a hidden card: exchange those that a seat never saw, and it moves as before."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bots.brains import brain_get, brain_list, thought_of
from bots.table import Table
from games.rules.rulesets.registry import player_counts, ruleset_ids
from tests.bots.brains.search.worlds import halfway, other_world

NAMES = [
    entry.name for entry in brain_list() if type(entry.brain).__module__.startswith("bots.brains.")
]
# So little that a game through the rules themselves stays cheap.
BUDGET = 12
PLACES = st.sampled_from([(name, n) for name in ruleset_ids() for n in player_counts(name)[:3]])


def thought(name: str, table: Table, seat: int, seed: int) -> object:
    """All that a brain thinks, not its move alone."""
    entry = brain_get(name)
    history = table.history(seat) if entry.reads_history else ()
    return thought_of(entry.brain, table.view(seat), history, random.Random(seed), BUDGET)


def test_the_brains_of_this_project_are_all_asked() -> None:
    assert set(NAMES) >= {"random", "greedy", "flat", "ismcts", "ismcts-100", "ismcts-1600", "max"}


@pytest.mark.parametrize("name", NAMES)
@settings(max_examples=8, deadline=None)
@given(place=PLACES, seed=st.integers(0, 1 << 64))
def test_cards_that_a_seat_never_saw_change_nothing(
    name: str, place: tuple[str, int], seed: int
) -> None:
    table = halfway(*place, seed)
    seat = table.to_act[0]
    other = other_world(table, seat, random.Random(seed))
    assert other.view(seat) == table.view(seat)
    assert other.history(seat) == table.history(seat)
    assert thought(name, other, seat, seed) == thought(name, table, seat, seed)


@settings(max_examples=8, deadline=None)
@given(
    place=PLACES.filter(lambda place: "full_deal" not in place[0] or place[1] > 2),
    seed=st.integers(0, 1 << 64),
)
def test_other_worlds_differ_for_who_sees_them(place: tuple[str, int], seed: int) -> None:
    """What the property above rests on: something really was exchanged."""
    table = halfway(*place, seed, most=6)
    seat = table.to_act[0]
    others = [other_world(table, seat, random.Random(seed + n)) for n in range(4)]
    assert any(other.game.state != table.game.state for other in others)
