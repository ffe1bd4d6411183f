"""What the searching brains are made of: steps of the simulator, roll-outs, iterations."""

import random
import time
from collections.abc import Callable
from typing import Final

from bench.measure import Ratio, Round, Section, interleave, summarise
from bots.brains.search.flat import Flat
from bots.brains.search.knowledge import Knowledge, chance_of, plan_of
from bots.brains.search.simulator import Sim
from bots.brains.search.tree import Tree
from bots.table import Table
from games.rules.rulesets.registry import ruleset
from games.rules.rulesets.schema import BoutRules

STEPS: Final = "random steps, 2 players"
ROLLS: Final = "greedy roll-outs, 2 players"
STEPS_WANTED: Final = 700_000
ROLLS_WANTED: Final = 60_000
NOTES: Final = [
    "rates are per second of CPU time; a roll-out is a whole game from the deal",
    "an iteration deals what is hidden, goes down the tree and rolls out",
]


def measure(*, rounds: int, games: int) -> Section:
    """Measure in `rounds` rounds of `games` games, roll-outs or iterations for each contender."""
    rng = random.Random("search")
    contenders: dict[str, Callable[[], Round]] = {
        STEPS: lambda: _timed(lambda: _steps(_dealt(2, games // 10, rng), rng)),
        ROLLS: lambda: _timed_on(_dealt(2, games, rng), Sim.roll),
        "greedy roll-outs, 4 players": lambda: _timed_on(_dealt(4, games, rng), Sim.roll),
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
        for name, wanted in ((STEPS, STEPS_WANTED), (ROLLS, ROLLS_WANTED))
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


def _steps(sims: list[Sim], rng: random.Random) -> int:
    chance, steps = rng.random, 0
    for sim in sims:
        while sim.durak is None:
            actions = sim.actions()
            sim.step(actions[int(chance() * len(actions))])
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
    return _timed(lambda: len([work(sim) for sim in sims]))


def _timed(work: Callable[[], int]) -> Round:
    started = time.process_time()
    count = work()
    return Round(count, time.process_time() - started)
