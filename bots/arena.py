"""Brains against brains: the same deals from every seat, and how sure the score is.

``python -m bots.arena greedy random --pairs 1000`` prints one line.
"""

import argparse
import math
import random
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

from bots.brains import brain_get
from bots.brains.registry import Brain
from bots.table import Table
from games.rules.events import Result
from games.rules.rulesets.registry import Ruleset, ruleset

BUDGET = 400


class Score(NamedTuple):
    """The share of points of the first brain (a draw is half), ± half a 95 % interval."""

    share: float
    margin: float
    games: int
    moves: int


def play_game(rules: Ruleset, brains: Sequence[Brain], seed: str) -> tuple[Result, int]:
    """One game to its end: the result and the number of moves. An illegal move raises Refusal."""
    table = Table(rules, tuple(type(brain).__name__ for brain in brains), seed)
    rng = random.Random(seed)
    moves = 0
    while table.result is None:
        seat = table.to_act[0]
        table.play(seat, brains[seat].choose(table.view(seat), (), rng, BUDGET))
        moves += 1
    return table.result, moves


def duel(first: Brain, second: Brain, *, pairs: int, rules: Ruleset, seed: str = "arena") -> Score:
    """Two brains at tables of two; each deal is played twice with the seats swapped."""
    shares: list[float] = []
    moves = 0
    for number in range(pairs):
        points = 0.0
        for seat, brains in enumerate(((first, second), (second, first))):
            result, played = play_game(rules, brains, f"{seed}.{number}")
            points += _points(result, seat)
            moves += played
        shares.append(points / 2)
    return Score(*_mean(shares), games=2 * pairs, moves=moves)


def _points(result: Result, seat: int) -> float:
    if result.durak is None:
        return 0.5
    return 0.0 if result.durak == seat else 1.0


def _mean(shares: Sequence[float]) -> tuple[float, float]:
    mean = math.fsum(shares) / len(shares)
    variance = math.fsum((share - mean) ** 2 for share in shares) / max(1, len(shares) - 1)
    return mean, 1.96 * math.sqrt(variance / len(shares))


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and print the score."""
    parser = argparse.ArgumentParser(prog="python -m bots.arena", description=__doc__)
    parser.add_argument("first")
    parser.add_argument("second")
    parser.add_argument("--pairs", type=int, default=500)
    parser.add_argument("--ruleset", default="throw_in")
    parser.add_argument("--seed", default="arena")
    parser.add_argument("--module", action="append", default=[], help="registers further brains")
    options = parser.parse_args(arguments)
    for module in options.module:
        import_module(module)
    first, second = brain_get(options.first).brain, brain_get(options.second).brain
    rules = ruleset(options.ruleset, players=2)
    score = duel(first, second, pairs=options.pairs, rules=rules, seed=options.seed)
    sys.stdout.write(
        f"{options.ruleset}: {options.first} scores {score.share:.1%} ± {score.margin:.1%}"
        f" against {options.second} in {score.games} games, {score.moves} moves\n"
    )


if __name__ == "__main__":
    main()
