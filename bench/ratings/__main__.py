"""`python -m bench.ratings [--seeds 20] [--players 60] [--games 30] [--quick]`

`--speed N` alone rates N games and tells what they cost.
"""

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import fmean
from typing import Final, NamedTuple

from bench.ratings.figures import Figures, final_skills, season_figures
from bench.ratings.models import MODELS, USED, Model
from bench.ratings.speed import ARITHMETIC, WANTED, costs
from bench.ratings.worlds import REAL, SYNTHETIC, TEAM, Played, World, season

MIXED: Final = (2, 3, 4, 5, 6)
SETTINGS: Final = ((REAL, MIXED), (REAL, (2,)), (TEAM, (4,)), (SYNTHETIC, MIXED))
FOUND_WANTED: Final = 0.88
FOOT: Final = (
    "found: rank correlation of ratings with true strength; surprise: log-loss of naming the durak",
    "beforehand in the second half (blind: of naming nobody); off: odds told against what came;",
    "drift: of the mean of all players, which the next season takes back.",
)


class Plan(NamedTuple):
    """How much is simulated."""

    seeds: int
    players: int
    games: int
    speed_games: int


class Line(NamedTuple):
    """A model in a world, in the mean over the seeds."""

    world: str
    model: str
    figures: Figures


QUICK: Final = Plan(seeds=2, players=10, games=6, speed_games=1_000)


def lines(plan: Plan) -> Iterator[Line]:
    """Every model on the same games."""
    for world, sizes in SETTINGS:
        told = [_season(world, sizes, plan, seed) for seed in range(plan.seeds)]
        name = f"{world.name}, {sizes[0]} seats" if len(sizes) == 1 else world.name
        for model in MODELS:
            found = [season_figures(model, strengths, games) for strengths, games in told]
            yield Line(name, model.name, Figures(*map(fmean, zip(*found, strict=True))))


def repeats(plan: Plan, model: Model) -> bool:
    """Whether the same season comes to the same bits when it is rated again."""
    _, games = _season(SYNTHETIC, MIXED, plan, 0)
    first = final_skills(model, plan.players, games)
    return first == final_skills(model, plan.players, games)


def _season(
    world: World, sizes: Sequence[int], plan: Plan, seed: int
) -> tuple[list[float], list[Played]]:
    rng = random.Random(f"{world.name} {sizes} {seed}")
    strengths = world.strengths(plan.players, rng)
    return strengths, list(season(world, strengths, plan.games, sizes, rng))


def report(plan: Plan) -> Iterator[str]:
    """The table, line by line as it is found."""
    yield f"{plan.players} players, {plan.games} games each, mean of {plan.seeds} seeds"
    for world, models in groupby(lines(plan), key=lambda line: line.world):
        yield f"\n{world:<44}   found  surprise  blind    off    drift"
        for line in models:
            found, surprise, blind, off, drift = line.figures
            wanted = f"  (wanted: {FOUND_WANTED})" if _is_judged(line) else ""
            yield (
                f"  {line.model:<42} {found:7.3f} {surprise:9.4f} {blind:6.3f} {off:6.3f}"
                f" {drift:+8.3f}{wanted}"
            )
    same = "yes" if all(repeats(plan, model) for model in MODELS) else "NO"
    yield f"\nrated again, the same to the bit: {same}\n"
    yield from speed(plan.speed_games)
    yield from ("", *FOOT)


def speed(games: int) -> Iterator[str]:
    """What rating so many games costs, at tables of all sizes."""
    for cost in costs(games, max(games // 10, 10)):
        wanted = f"; at most {WANTED:.0f} wanted" if cost.name == ARITHMETIC else ""
        yield (
            f"{cost.name}: {cost.per_million:.0f} s of CPU time for 1,000,000 games"
            f" (by {cost.games:,}; undisturbed {cost.undisturbed:.0f} s{wanted})"
        )


def _is_judged(line: Line) -> bool:
    return line.world == REAL.name and line.model == USED


def main(arguments: Sequence[str] | None = None) -> None:
    """Simulate, rate, print."""
    parser = argparse.ArgumentParser(prog="python -m bench.ratings", description="Compare models.")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--players", type=int, default=60)
    parser.add_argument("--games", type=int, default=30)
    parser.add_argument("--quick", action="store_true", help="seconds; figures mean little")
    parser.add_argument("--speed", type=int, metavar="N", help="only the cost, of N games")
    options = parser.parse_args(arguments)
    plan = Plan(options.seeds, options.players, options.games, speed_games=100_000)
    told = speed(options.speed) if options.speed else report(QUICK if options.quick else plan)
    for line in told:
        sys.stdout.write(f"{line}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
