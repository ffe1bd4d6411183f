"""A search as a whole: what to think about, for how long, and the move that comes of it."""

import random
import time
from collections.abc import Sequence
from typing import Protocol

from bots.brains.greedy import greedy_answer
from bots.brains.registry import Answer, History, Score, Thought, View
from bots.brains.search.broad import Broad
from bots.brains.search.choices import choices
from bots.brains.search.endgame import NODES, Solver, TooDeepError, is_solvable
from bots.brains.search.flat import Flat
from bots.brains.search.knowledge import Knowledge
from bots.brains.search.retold import Retold
from bots.brains.search.simulator import ATTACK, DEFEND, Sim
from bots.brains.search.tree import Tree

Ranked = list[tuple[int, int, float]]


class Search(Protocol):
    """A way to think."""

    def __call__(
        self, view: View, history: History, rng: random.Random, budget: int, until: float | None
    ) -> Thought:
        """The move that `budget` iterations find, or those done until then (monotonic time)."""
        ...


class Growing(Protocol):
    """A search that goes on as long as it is asked to."""

    def grow(self) -> None:
        """One iteration."""
        ...

    def ranked(self) -> Ranked:
        """Actions with visits and mean rewards, best first."""
        ...


def think_tree(
    view: View, history: History, rng: random.Random, budget: int, until: float | None = None
) -> Thought:
    """Tree search of `budget` iterations, exact where the endgame is solved."""
    knowledge = Knowledge(view, history)
    start = knowledge.deal(rng.random)
    actions = actions_of(start)
    if len(actions) == 1:
        return Thought(answer_of(start, actions[0]))
    solved = _solved(knowledge, start)
    if solved is not None:
        best = max(solved.values())
        equal = tuple(action for action, value in solved.items() if value == best)
        if best == 1 or len(equal) == 1:
            return _exact(start, solved)
        actions = equal
    tree = Tree(knowledge, rng.random, actions if solved is not None else None)
    done = _grow(tree, budget, until)
    return _thought(start, tree.ranked(), done)


def think_flat(
    view: View, history: History, rng: random.Random, budget: int, until: float | None = None
) -> Thought:
    """Flat Monte-Carlo of `budget` roll-outs in all."""
    knowledge = Knowledge(view, history)
    start = knowledge.deal(rng.random)
    actions = actions_of(start)
    if len(actions) == 1:
        return Thought(answer_of(start, actions[0]))
    flat = Flat(knowledge, rng.random, actions)
    done = _grow(flat, max(1, budget // len(actions)), until)
    return _thought(start, flat.ranked(), done * len(actions))


def think_broad(
    view: View, history: History, rng: random.Random, budget: int, until: float | None = None
) -> Thought:
    """Flat Monte-Carlo of `budget` roll-outs in all, through the rules themselves."""
    moves = choices(view["you"]["legal_moves"], greedy_answer(view))
    if len(moves) == 1:
        return Thought(moves[0])
    broad = Broad(view, Retold(view, history), rng.random, moves)
    done = _grow(broad, max(1, budget // len(moves)), until)
    scores = tuple(Score(moves[number], tries, share) for number, tries, share in broad.ranked())
    return Thought(scores[0].move, done * len(moves), scores)


def actions_of(sim: Sim) -> tuple[int, ...]:
    """Every action that a search looks at; leads of several cards are among them."""
    return sim.leads() if sim.phase == ATTACK else sim.actions()


def _grow(search: Growing, budget: int, until: float | None) -> int:
    for done in range(budget):
        if until is not None and done and time.monotonic() > until:
            return done
        search.grow()
    return budget


def _solved(knowledge: Knowledge, start: Sim) -> dict[int, int] | None:
    if not (is_solvable(start) and knowledge.is_certain):
        return None
    try:
        return Solver(knowledge.plan, NODES).values(start)
    except TooDeepError:
        return None


def _exact(sim: Sim, solved: dict[int, int]) -> Thought:
    # Of equally good moves the one that costs least.
    order = sorted(solved, key=lambda action: (-solved[action], abs(action)))
    scores = tuple(Score(answer_of(sim, a), 0, (solved[a] + 1) / 2) for a in order)
    return Thought(scores[0].move, 0, scores, exact=True)


def _thought(sim: Sim, ranked: Ranked, done: int) -> Thought:
    scores = tuple(Score(answer_of(sim, action), tries, share) for action, tries, share in ranked)
    return Thought(scores[0].move, done, scores)


def answer_of(sim: Sim, action: int) -> Answer:
    """An action of the simulator as it would be sent."""
    deck = sim.plan.deck
    cards: Sequence[str] = deck.cards(abs(action))
    if sim.phase == ATTACK:
        return {"type": "attack", "cards": cards}
    if action < 0:
        return {"type": "transfer", "cards": cards}
    if sim.phase != DEFEND:
        return {"type": "throw_in", "cards": cards} if action else {"type": "pass"}
    if not action:
        return {"type": "take"}
    return {"type": "beat", "target": deck.card[sim.open & -sim.open], "cards": cards}
