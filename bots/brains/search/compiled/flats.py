"""Flat Monte-Carlo: every action is rolled out on the same sampled deals."""

from bots.brains.search.compiled import layout as at
from bots.brains.search.compiled.building import Chance, Numbers, compiled
from bots.brains.search.compiled.deals import Unknown, deal
from bots.brains.search.compiled.moves import step
from bots.brains.search.compiled.rollouts import roll


@compiled
def compare(
    rules: Numbers, unknown: Unknown, actions: Numbers, rewards: Numbers, chance: Chance, times: int
) -> None:
    """Add to the rewards of whoever is to act: two for a game saved, one for a draw."""
    me = unknown.start[at.ACTOR]
    for _ in range(times):
        start = deal(unknown, chance)
        for number, action in enumerate(actions):
            pos = start.copy()
            step(rules, pos, action)
            durak = roll(rules, pos)
            if durak == at.DRAW:
                rewards[number] += 1
            elif durak != me:
                rewards[number] += 2
