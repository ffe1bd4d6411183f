"""Flat Monte-Carlo: every action of the root is rolled out on the same sampled deals."""

from bots.brains.search.knowledge import Knowledge, Random
from bots.brains.search.quick import roller
from bots.brains.search.simulator import DRAW


class Flat:
    """A search from one position. `grow` rolls every action out once, on one deal."""

    def __init__(self, knowledge: Knowledge, random: Random, actions: tuple[int, ...]) -> None:
        self.actions = actions
        self.rewards = dict.fromkeys(actions, 0.0)
        self.deals = 0
        self._knowledge = knowledge
        self._random = random
        self._roll = roller(knowledge.plan)

    def grow(self) -> None:
        """One deal for all actions alike, so that luck does not favour one of them."""
        start = self._knowledge.deal(self._random)
        me, rewards = self._knowledge.me, self.rewards
        for action in self.actions:
            sim = start.clone()
            sim.step(action)
            durak = self._roll(sim) if sim.durak is None else sim.durak
            if durak == DRAW:
                rewards[action] += 0.5
            elif durak != me:
                rewards[action] += 1.0
        self.deals += 1

    def ranked(self) -> list[tuple[int, int, float]]:
        """The actions, best first: action, roll-outs, mean reward."""
        done = max(1, self.deals)
        found = [(action, self.deals, reward / done) for action, reward in self.rewards.items()]
        return sorted(found, key=lambda told: (-told[2], told[0]))
