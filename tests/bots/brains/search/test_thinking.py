"""Searches as a whole: the same each time, within the budget and the time, exact where possible."""

import random
import time
from collections.abc import Iterator
from typing import Any

import pytest

from bots.brains import Thought, brain_get, thought_of
from bots.brains.greedy import greedy_answer
from bots.brains.search.broad import Broad, reward
from bots.brains.search.choices import choices, offers
from bots.brains.search.compiled import trees
from bots.brains.search.knowledge import Knowledge, chance_of
from bots.brains.search.retold import Retold
from bots.brains.search.thinking import Search, think_broad, think_flat, think_tree
from bots.brains.search.tree import Tree
from bots.table import Table
from games.rules.events import Result
from games.rules.rulesets.registry import ruleset, ruleset_ids
from tests.bots.brains.covering import covered
from tests.bots.brains.search.worlds import halfway, step

SEARCHERS = ("flat", "ismcts", "ismcts-100", "ismcts-1600", "ismcts-6400", "max")
WAYS = (think_flat, think_tree, think_broad)


def chooser(name: str, seats: int = 2, first: int = 1) -> Table:
    """A table where the seat to act has a choice."""
    for seed in range(first, first + 100):
        table = halfway(name, seats, seed)
        if len(choices(table.view(table.to_act[0])["you"]["legal_moves"], {})) > 2:
            return table
    raise AssertionError("nobody ever had a choice")


def seen(table: Table) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """What the seat to act is given."""
    seat = table.to_act[0]
    return table.view(seat), table.history(seat)


@pytest.mark.parametrize("search", WAYS)
def test_the_same_seed_gives_the_same_thought(search: Search) -> None:
    view, history = seen(chooser("throw_in"))
    first = search(view, history, random.Random(7), 40, None)
    assert search(view, history, random.Random(7), 40, None) == first
    assert first.scores[0].move == first.move
    assert all(0 <= score.share <= 1 for score in first.scores)


@pytest.mark.parametrize("search", WAYS)
def test_the_budget_is_kept(search: Search) -> None:
    view, history = seen(chooser("throw_in", seats=3))
    thought = search(view, history, random.Random(1), 60, None)
    assert 0 < thought.iterations <= 60
    assert sum(score.tries for score in thought.scores) == thought.iterations


@pytest.mark.parametrize("search", WAYS)
def test_out_of_time_the_best_so_far_is_played(search: Search) -> None:
    table = chooser("throw_in", seats=3)
    view, history = seen(table)
    thought = search(view, history, random.Random(1), 100_000, time.monotonic())
    assert 0 < thought.iterations < 1_000
    assert offers(view["you"]["legal_moves"], thought.move)


def test_a_deal_that_comes_too_late_does_not_count() -> None:
    view, history = seen(chooser("mau_mau"))
    moves = choices(view["you"]["legal_moves"], greedy_answer(view))
    broad = Broad(view, Retold(view, history), random.Random(1).random, moves)
    late = time.monotonic()
    broad.grow(late)
    first = broad.ranked()
    assert [tries for _, tries, _ in first] == [1] * len(moves)
    broad.grow(late)
    assert broad.ranked() == first
    broad.grow(time.monotonic() + 60)
    assert broad.deals == 2


def test_a_single_move_is_not_thought_about() -> None:
    table = halfway("throw_in", 2, 1)
    rng = random.Random(1)
    while table.result is None:
        view, history = seen(table)
        if len(choices(view["you"]["legal_moves"], {})) == 2 and (
            view["phase"] == "defend" and view["you"]["legal_moves"] == [{"type": "take"}]
        ):
            break
        step(table, rng)
    thought = think_tree(view, history, rng, 100, None)
    assert thought == Thought({"type": "take"})


@pytest.mark.parametrize("name", SEARCHERS)
def test_a_searcher_without_events_is_greedy(name: str) -> None:
    view, _ = seen(chooser("throw_in"))
    greedy = brain_get("greedy").brain.choose(view, (), random.Random(1), 1)
    assert brain_get(name).brain.choose(view, (), random.Random(1), 400) == greedy


def test_a_brain_that_does_not_search_thinks_its_move_alone() -> None:
    view, _ = seen(chooser("throw_in"))
    brain = brain_get("greedy").brain
    move = brain.choose(view, (), random.Random(1), 1)
    assert thought_of(brain, view, (), random.Random(1), 1) == Thought(move)


@pytest.mark.parametrize("name", SEARCHERS)
def test_choosing_is_thinking(name: str) -> None:
    view, history = seen(chooser("throw_in"))
    brain = brain_get(name).brain
    thought = thought_of(brain, view, history, random.Random(3), 8)
    assert brain.choose(view, history, random.Random(3), 8) == thought.move
    assert thought.exact or thought.iterations > 0


def test_levels_differ_by_their_iterations() -> None:
    view, history = seen(unsolved())
    done = {
        name: thought_of(brain_get(name).brain, view, history, random.Random(3), 40).iterations
        for name in ("ismcts-100", "ismcts", "ismcts-1600", "ismcts-6400", "max")
    }
    assert done == {
        "ismcts-100": 10,
        "ismcts": 40,
        "ismcts-1600": 160,
        "ismcts-6400": 640,
        "max": 1600,
    }


def unsolved() -> Table:
    """A choice while there is a talon, where nothing can be solved."""
    return Table(ruleset("throw_in", players=2), ("a", "b"), "talon")


@pytest.mark.parametrize("name", ruleset_ids())
def test_every_ruleset_is_played(name: str) -> None:
    """Answers within the patterns, from the deal on."""
    rules = ruleset(name, players=_fewest(name))
    seats = _fewest(name)
    table, rng = Table(rules, ("a",) * seats, name), random.Random(name)
    minds = [brain_get(who) for who in ("flat", "random", "ismcts", "random")]
    while table.result is None and table.game.version < 40:
        seat = table.to_act[0]
        entry = minds[seat]
        view = table.view(seat)
        history = table.history(seat) if entry.reads_history else ()
        answer = entry.brain.choose(view, history, rng, 4)
        assert covered(view["you"]["legal_moves"], answer)
        table.play(seat, answer)


def _fewest(name: str) -> int:
    return 4 if name == "partners" else 2


def test_a_won_endgame_is_seen_to_be_won() -> None:
    table, thoughts = halfway("throw_in", 2, 3, most=1), []
    rng = random.Random(3)
    while table.result is None:
        thought = think_tree(*seen(table), rng, 30, None)
        if thought.exact:
            thoughts.append((table.to_act[0], thought))
        table.play(table.to_act[0], thought.move)
    assert thoughts
    for seat, thought in thoughts:
        assert {score.share for score in thought.scores} <= {0.0, 0.5, 1.0}
        if thought.scores[0].share == 1:
            assert table.result.durak == 1 - seat


def test_a_tree_is_visited_as_often_as_it_grew() -> None:
    known = Knowledge(*seen(unsolved()))
    tree = Tree(known.plan, chance_of(random.Random(1)), 200)
    for times in (1, 99, 100):
        tree.grow(known.unknown, times)
    assert sum(visits for _, visits, _ in tree.ranked()) == 200
    assert (tree.rows[:, trees.AVAILABLE] >= tree.rows[:, trees.VISITS]).all()
    assert (tree.rows[:, trees.REWARD] <= 2 * tree.rows[:, trees.VISITS]).all()


def results() -> Iterator[tuple[Result, int, float]]:
    """Results with the seat that looks at them and what they are worth to it."""
    lost = Result(1, False, 0, ((0,), (2,), (1,)), "played_out")
    yield from ((lost, 0, 1.0), (lost, 1, 0.0), (lost, 2, 1.0))
    drawn = Result(None, True, None, ((0, 1),), "played_out")
    yield drawn, 0, 0.5
    team = Result((1, 3), False, 0, ((0,), (2,), (1,), (3,)), "played_out")
    yield from ((team, 1, 0.0), (team, 3, 0.0), (team, 2, 1.0))
    points = {"0": 5, "1": 0, "2": 5}
    counted = Result(None, False, 1, ((1,), (0, 2)), "played_out", points)
    yield from ((counted, 1, 1.0), (counted, 0, 0.25), (counted, 2, 0.25))


@pytest.mark.parametrize(("result", "seat", "worth"), list(results()))
def test_what_a_result_is_worth(result: Result, seat: int, worth: float) -> None:
    seats = max(seat for group in result.places for seat in group) + 1
    assert reward(result, seat, seats) == worth
