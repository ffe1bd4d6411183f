"""What the searching brains are made of: steps of the simulator, roll-outs, iterations."""

import random
import time
from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from bench.measure import Ratio, Round, Section, interleave, summarise
from bots.brains.search.compiled import moves
from bots.brains.search.compiled.bits import below
from bots.brains.search.compiled.building import Chance, Numbers, compiled
from bots.brains.search.flat import Flat
from bots.brains.search.knowledge import Knowledge, chance_of, plan_of
from bots.brains.search.simulator import Sim
from bots.brains.search.tree import Tree
from bots.table import Table
from games.rules.rulesets.registry import ruleset
from games.rules.rulesets.schema import BoutRules

STEPS: Final = "random steps, 2 players"
WALK: Final = "random steps from Python, 2 players"
ROLLS: Final = "greedy roll-outs, 2 players"
STEPS_WANTED: Final = 700_000
ROLLS_WANTED: Final = 60_000
NOTES: Final = [
    "rates are per second of CPU time; a roll-out is a whole game from the deal",
    "steps are made by compiled code, as in a search, and one by one from Python",
    "an iteration deals what is hidden, goes down the tree and rolls out",
]


def measure(*, rounds: int, games: int) -> Section:
    """Measure in `rounds` rounds of `games` games, roll-outs or iterations for each contender."""
    rng = random.Random("search")
    contenders: dict[str, Callable[[], Round]] = {
        STEPS: lambda: _timed_on(_dealt(2, games // 4, rng), _stepped(rng)),
        WALK: lambda: _timed_on(_dealt(2, games // 10, rng), partial(_walked, rng.random)),
        ROLLS: lambda: _timed_on(_dealt(2, games, rng), _rolled),
        "greedy roll-outs, 4 players": lambda: _timed_on(_dealt(4, games, rng), _rolled),
    }
    for seats in (2, 4):
        known = _known(seats)
        contenders[f"flat roll-outs, {seats} players"] = _flat(known, games)
        contenders[f"tree iterations, {seats} players"] = _tree(known, games // 4)
    played = interleave(contenders, rounds)
    rows = [summarise(name, "/s", done) for name, done in played.items()]
    rates = {row.name: row.rate for row in rows}
    ratios = [
        Ratio(f"{name} / {wanted:,} a second", rates[name] / wanted, wanted=1.0)
        for name, wanted in ((STEPS, STEPS_WANTED), (WALK, STEPS_WANTED), (ROLLS, ROLLS_WANTED))
    ]
    return Section("Search, one core", rows, ratios, NOTES)


def deal(name: str, seats: int, rng: random.Random) -> Sim:
    """A simulator at the first move of a game with random cards, hearts being trumps."""
    rules = ruleset(name, players=seats).rules
    if not isinstance(rules, BoutRules):
        raise TypeError("a game of attack and defence was expected")
    plan = plan_of(rules, seats, "H")
    cards = list(plan.deck.card)
    rng.shuffle(cards)
    size = rules.hand_size
    hands = [sum(cards[seat * size : (seat + 1) * size]) for seat in range(seats)]
    return Sim.at_start(plan, hands, cards[seats * size :], rng.randrange(seats))


def _dealt(seats: int, count: int, rng: random.Random) -> list[Sim]:
    return [deal("throw_in", seats, rng) for _ in range(count)]


def _stepped(rng: random.Random) -> Callable[[Sim], int]:
    """Random moves by compiled code, as a search makes them; how many they were."""
    chance, found = chance_of(rng), np.zeros(moves.ACTIONS_MOST, np.int64)
    return lambda sim: _random_game(sim.plan.numbers, sim.numbers, found, chance)


@compiled
def _random_game(rules: Numbers, pos: Numbers, found: Numbers, chance: Chance) -> int:
    steps, many = 0, moves.actions(rules, pos, found)
    while many:
        many = moves.advance(rules, pos, found, below(chance, many))
        steps += 1
    return steps


def _walked(chance: Callable[[], float], sim: Sim) -> int:
    """The same with every move made from Python."""
    steps, many, walk = 0, len(sim.actions()), sim.walk()
    while many:
        many = walk(int(chance() * many))
        steps += 1
    return steps


def _known(seats: int) -> Knowledge:
    table = Table(ruleset("throw_in", players=seats), ("bench",) * seats, "bench")
    seat = table.to_act[0]
    return Knowledge(table.view(seat), table.history(seat))


def _flat(known: Knowledge, games: int) -> Callable[[], Round]:
    chance = chance_of(random.Random(1))
    actions = known.deal(chance).choices()
    deals = max(1, games // len(actions))

    def play() -> int:
        Flat(known.plan, chance, actions).grow(known.unknown, deals)
        return deals * len(actions)

    return lambda: _timed(play)


def _tree(known: Knowledge, games: int) -> Callable[[], Round]:
    def play() -> int:
        Tree(known.plan, chance_of(random.Random(1)), games).grow(known.unknown, games)
        return games

    return lambda: _timed(play)


def _timed_on(sims: list[Sim], work: Callable[[Sim], int]) -> Round:
    return _timed(lambda: sum(work(sim) for sim in sims))


def _rolled(sim: Sim) -> int:
    sim.roll()
    return 1


def _timed(work: Callable[[], int]) -> Round:
    started = time.process_time()
    count = work()
    return Round(count, time.process_time() - started)
