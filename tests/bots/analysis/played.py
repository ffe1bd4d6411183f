"""Games played to the end in memory."""

import random

from bots.brains import brain_get
from bots.table import Table
from games.rules.rulesets.registry import ruleset

GREEDY = brain_get("greedy").brain


def ended(name: str, seats: int, seed: int, **options: object) -> Table:
    """A game of greedy in every seat but the last, where random plays."""
    rng = random.Random(seed)
    table = Table(ruleset(name, options, players=seats), ("any",) * seats, str(seed))
    while table.result is None:
        seat = table.to_act[0]
        brain = brain_get("random").brain if seat == seats - 1 else GREEDY
        table.play(seat, brain.choose(table.view(seat), (), rng, 1))
    return table
