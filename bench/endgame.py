"""Endgames of two, solved: how many, in how many nodes, how fast.

The positions are those that come up: decisions without a talon in games of greedy and chance.
"""

import random
import time
from statistics import median
from typing import Final, NamedTuple

from bench.measure import Ratio, Round, Section, percentile, summarise
from bench.simulated import deal
from bots.brains.search.endgame import NODES, Solver, TooDeepError, is_solvable
from bots.brains.search.simulator import Sim

# Seconds of CPU time within which a position counts as solved, and the share that should be.
LIMIT: Final = 0.1
SHARE: Final = 0.9
RULESET, NAME = "throw_in", "solver, all moves of a position"


class Solved(NamedTuple):
    """One attempt: nodes looked at, seconds of CPU time, whether it came to an end."""

    nodes: int
    seconds: float
    done: bool


def measure(*, positions: int, most: int = NODES) -> Section:
    """Solve so many positions, each on its own."""
    solved = [solve(sim, most) for sim in found(positions, random.Random("endgame"))]
    seconds = [one.seconds for one in solved]
    rounds = [Round(len(solved), sum(seconds), tuple(seconds))]
    share = sum(one.done and one.seconds <= LIMIT for one in solved) / len(solved)
    ratio = Ratio(f"solved within {LIMIT * 1000:.0f} ms of CPU time", share, wanted=SHARE)
    return Section(
        f"Endgames of two, {RULESET}",
        [summarise(NAME, "positions/s", rounds)],
        [ratio],
        [_nodes(solved, most)],
    )


def solve(sim: Sim, most: int = NODES) -> Solved:
    """The value of every move of a position, with nothing remembered from another one."""
    solver, started, done = Solver(most), time.process_time(), True
    try:
        solver.values(sim)
    except TooDeepError:
        done = False
    return Solved(solver.nodes, time.process_time() - started, done)


def found(count: int, rng: random.Random) -> list[Sim]:
    """Positions with a choice, from as many games as it takes; at most two of each."""
    positions: list[Sim] = []
    while len(positions) < count:
        met = _met(deal(RULESET, 2, rng), rng)
        positions += rng.sample(met, min(2, len(met)))
    return positions[:count]


def _met(sim: Sim, rng: random.Random) -> list[Sim]:
    met = []
    while sim.durak is None:
        actions = sim.actions()
        if len(actions) > 1 and is_solvable(sim):
            met.append(sim.clone())
        sim.step(sim.greedy_action() if rng.random() < 0.8 else rng.choice(actions))
    return met


def _nodes(solved: list[Solved], most: int) -> str:
    counts = sorted(one.nodes for one in solved)
    p90 = percentile([count / 1000 for count in counts], 0.9) or 0
    ended = sum(one.done for one in solved) / len(solved)
    return (
        f"nodes: median {median(counts):,.0f}, p90 {p90:,.0f}, worst {counts[-1]:,};"
        f" {ended:.1%} solved in {most:,}"
    )
