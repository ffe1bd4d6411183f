"""Compiling what searches think with, before the first turn of a bot asks for it."""

import logging
import random
import time
from functools import cache
from typing import Final

from bots.brains import brain_get
from bots.brains.search.compiled.keeping import is_kept
from bots.brains.search.endgame import Solver
from bots.brains.search.knowledge import plan_of
from bots.brains.search.simulator import Sim
from bots.brains.search.weighing import Scales
from bots.table import Table
from games.rules.rulesets.registry import ruleset
from games.rules.rulesets.schema import BoutRules

logger = logging.getLogger(__name__)

# Brains that search in each of the ways; seconds that nobody needs to be told of.
_EACH_WAY: Final = ("flat", "ismcts")
_SOON: Final = 5.0


@cache
def searches_compile() -> float:
    """Think one thought of each kind, weigh a move, solve an endgame; the seconds that it took.

    Once is enough for a process and its forks. It must not be interrupted: half a compiler does not
    go on from there.
    The first time on a machine that is a quarter of a minute, later what the files take to load.
    """
    started = time.monotonic()
    table = Table(ruleset("throw_in", players=2), _EACH_WAY, "warming")
    seat = table.to_act[0]
    view, history, rng = table.view(seat), table.history(seat), random.Random(0)
    for name in _EACH_WAY:
        move = brain_get(name).brain.choose(view, history, rng, 8)
        Scales(view, history, move).blind(rng)
    _solve()
    seconds = time.monotonic() - started
    if seconds > _SOON:
        kept = "it is kept" if is_kept() else "it cannot be kept"
        logger.warning("compiled the search in %.0f s; %s for the next time", seconds, kept)
    return seconds


def _solve() -> None:
    """Two players with a card each: the smallest endgame there is."""
    rules = ruleset("throw_in", players=2).rules
    assert isinstance(rules, BoutRules)
    plan = plan_of(rules, 2, "H")
    low, high, *_ = plan.deck.card
    Solver().values(Sim.at_start(plan, [low, high], [], 0))
