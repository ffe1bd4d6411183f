"""Information-set Monte-Carlo tree search: one tree for all deals that the seat holds possible.

Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4(2), 2012: each
iteration deals anew what is hidden; a child competes only where its action is possible, so its
bound counts how often it was available.
"""

from math import log, sqrt
from typing import Final, Protocol

from bots.brains.search.knowledge import Random
from bots.brains.search.quick import roller
from bots.brains.search.simulator import ATTACK, DRAW, Plan, Sim

EXPLORATION: Final = 0.7


class Node:
    """What is known of an action: visits, reward for who made it, how often it was possible."""

    __slots__ = ("available", "children", "reward", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.reward = 0.0
        self.available = 1
        self.children: dict[int, Node] = {}


class Dealer(Protocol):
    """Whoever gives a search the positions that it starts from."""

    @property
    def plan(self) -> Plan:
        """What stays the same in all of them."""
        ...

    def deal(self, random: Random) -> Sim:
        """A position that the search may change."""
        ...


class Tree:
    """A search from one position. `grow` may be called again; `ranked` tells what came out."""

    def __init__(
        self, dealer: Dealer, random: Random, among: tuple[int, ...] | None = None
    ) -> None:
        self.root = Node()
        self._dealer = dealer
        self._random = random
        self._among = among
        self._roll = roller(dealer.plan)

    def grow(self) -> None:
        """One iteration."""
        self.play()

    def play(self) -> int:
        """Deal, descend, add a node, roll out, count; the durak of that game, or DRAW."""
        random = self._random
        sim = self._dealer.deal(random)
        node, path = self.root, []
        among = self._among
        while sim.durak is None:
            actions = among or (sim.leads() if sim.phase == ATTACK else sim.actions())
            among = None
            children, actor = node.children, sim.actor
            new = [action for action in actions if action not in children]
            if new:
                action = new[int(random() * len(new))] if len(new) > 1 else new[0]
                for other in actions:
                    if other in children:
                        children[other].available += 1
                node = children[action] = Node()
                path.append((node, actor))
                sim.step(action)
                break
            action = _promising(children, actions)
            node = children[action]
            path.append((node, actor))
            sim.step(action)
        durak = sim.durak
        if durak is None:
            durak = self._roll(sim)
        for node, actor in path:
            node.visits += 1
            if durak == DRAW:
                node.reward += 0.5
            elif durak != actor:
                node.reward += 1.0
        return durak

    def ranked(self) -> list[tuple[int, int, float]]:
        """The actions of the root, most visited first: action, visits, mean reward."""
        tried = [(a, n.visits, n.reward / n.visits) for a, n in self.root.children.items()]
        return sorted(tried, key=lambda told: (-told[1], -told[2], told[0]))


def _promising(children: dict[int, Node], actions: tuple[int, ...]) -> int:
    """The action with the highest upper bound; all of them were available once more."""
    best, promising = -1.0, 0
    for action in actions:
        child = children[action]
        visits = child.visits
        child.available = available = child.available + 1
        bound = child.reward / visits + EXPLORATION * sqrt(log(available) / visits)
        if bound > best:
            best, promising = bound, action
    return promising
