"""A search as a whole: what to think about, for how long, and the move that comes of it."""

import random
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Protocol

from bots.brains.greedy import greedy_answer
from bots.brains.registry import Answer, History, Score, Thought, View
from bots.brains.search.broad import Broad
from bots.brains.search.choices import choices
from bots.brains.search.compiled import layout as at
from bots.brains.search.endgame import Solver, TooDeepError, is_solvable
from bots.brains.search.flat import Flat
from bots.brains.search.knowledge import Knowledge, chance_of
from bots.brains.search.retold import Retold
from bots.brains.search.simulator import Sim
from bots.brains.search.tree import Ranked, Tree

# Iterations from one look at the clock to the next.
_STRETCH: Final = 100


class Search(Protocol):
    """A way to think."""

    def __call__(
        self, view: View, history: History, rng: random.Random, budget: int, until: float | None
    ) -> Thought:
        """The move that `budget` iterations find, or those done until then (monotonic time)."""
        ...


def think_tree(
    view: View, history: History, rng: random.Random, budget: int, until: float | None = None
) -> Thought:
    """Tree search of `budget` iterations, exact where the endgame is solved."""
    knowledge, chance = Knowledge(view, history), chance_of(rng)
    start = knowledge.deal(chance)
    actions = start.choices()
    if len(actions) == 1:
        return Thought(answer_of(start, actions[0]))
    solved = _solved(knowledge, start)
    if solved is not None:
        best = max(solved.values())
        equal = tuple(action for action, value in solved.items() if value == best)
        if best == 1 or len(equal) == 1:
            return _exact(start, solved)
        actions = equal
    tree = Tree(knowledge.plan, chance, budget, actions if solved is not None else ())
    done = _grow(partial(tree.grow, knowledge.unknown), budget, until)
    return _thought(start, tree.ranked(), done)


def think_flat(
    view: View, history: History, rng: random.Random, budget: int, until: float | None = None
) -> Thought:
    """Flat Monte-Carlo of `budget` roll-outs in all."""
    knowledge, chance = Knowledge(view, history), chance_of(rng)
    start = knowledge.deal(chance)
    actions = start.choices()
    if len(actions) == 1:
        return Thought(answer_of(start, actions[0]))
    flat = Flat(knowledge.plan, chance, actions)
    stretch = max(1, _STRETCH // len(actions))
    deals = max(1, budget // len(actions))
    done = _grow(partial(flat.grow, knowledge.unknown), deals, until, stretch)
    return _thought(start, flat.ranked(), done * len(actions))


def think_broad(
    view: View, history: History, rng: random.Random, budget: int, until: float | None = None
) -> Thought:
    """Flat Monte-Carlo of `budget` roll-outs in all, through the rules themselves."""
    moves = choices(view["you"]["legal_moves"], greedy_answer(view))
    if len(moves) == 1:
        return Thought(moves[0])
    broad = Broad(view, Retold(view, history), rng.random, moves)
    # One at a time: a deal takes long enough to look at the clock within it.
    _grow(lambda _: broad.grow(until), max(1, budget // len(moves)), until, 1)
    scores = tuple(Score(moves[number], tries, share) for number, tries, share in broad.ranked())
    return Thought(scores[0].move, broad.deals * len(moves), scores)


def _grow(
    grow: Callable[[int], None], budget: int, until: float | None, stretch: int = _STRETCH
) -> int:
    """Let a search grow by `budget`, or by what is done until then; how much that was."""
    done = 0
    while done < budget and (not done or until is None or time.monotonic() <= until):
        times = min(stretch, budget - done)
        grow(times)
        done += times
    return done


def _solved(knowledge: Knowledge, start: Sim) -> dict[int, int] | None:
    if not (is_solvable(start) and knowledge.is_certain):
        return None
    try:
        return Solver().values(start)
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
    if sim.phase == at.ATTACK:
        return {"type": "attack", "cards": cards}
    if action < 0:
        return {"type": "transfer", "cards": cards}
    if sim.phase != at.DEFEND:
        return {"type": "throw_in", "cards": cards} if action else {"type": "pass"}
    if not action:
        return {"type": "take"}
    return {"type": "beat", "target": deck.card[sim.open & -sim.open], "cards": cards}


WAYS: Final[dict[str, Search]] = {"tree": think_tree, "flat": think_flat, "broad": think_broad}
