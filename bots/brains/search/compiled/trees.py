"""Information-set Monte-Carlo tree search: one tree for all deals that the seat holds possible.

Cowling, Powley, Whitehouse, "Information Set Monte Carlo Tree Search", IEEE TCIAIG 4(2), 2012: each
iteration deals anew what is hidden; a child competes only where its action is possible, so its
bound counts how often it was available.

A tree is an array with a row for each node. The first is the root, whose `USED` tells how many
there are.
"""

from math import log, sqrt
from typing import Final

import numpy as np

from bots.brains.search.compiled import layout as at
from bots.brains.search.compiled.bits import below
from bots.brains.search.compiled.building import Chance, Numbers, compiled
from bots.brains.search.compiled.deals import Unknown, deal
from bots.brains.search.compiled.moves import ACTIONS_MOST, choices, step
from bots.brains.search.compiled.rollouts import greedy_action, roll

EXPLORATION: Final = 0.7
# How often in a hundred somebody else goes on greedily. Without that the tree has all others play
# as if they knew the hand that it is grown for, and that makes it timid.
GREEDY: Final = 60
# Columns. Rewards are those of `ACTOR`, who made the action last: two for a game saved, one for a
# draw. A node knows its first child and its next sibling, 0 for none.
ACTION, VISITS, AVAILABLE, REWARD, ACTOR, PARENT, CHILD, SIBLING = range(8)
COLUMNS: Final = 8
USED: Final = ACTION


@compiled
def grow(
    rules: Numbers, unknown: Unknown, tree: Numbers, among: Numbers, chance: Chance, times: int
) -> None:
    """So many iterations, each from a new deal; the tree needs room for as many nodes."""
    me = unknown.start[at.ACTOR]
    for _ in range(times):
        play(rules, deal(unknown, chance), tree, me, among, chance)


@compiled
def play(
    rules: Numbers, pos: Numbers, tree: Numbers, me: int, among: Numbers, chance: Chance
) -> int:
    """Descend from `pos`, add a node, roll out, count; the durak of that game, or DRAW.

    The tree is grown for seat `me`. The first action is one of `among`, if there are any.
    """
    node, many, found = 0, len(among), np.empty(ACTIONS_MOST, np.int64)
    found[:many] = among
    while pos[at.DURAK] == at.NOBODY:
        many = many or _options(rules, pos, me, found, chance)
        node = _next(tree, node, found[:many], chance)
        tree[node, ACTOR] = pos[at.ACTOR]
        step(rules, pos, tree[node, ACTION])
        if not tree[node, VISITS]:
            break
        many = 0
    durak = roll(rules, pos)
    _count(tree, node, durak)
    return durak


@compiled
def _options(rules: Numbers, pos: Numbers, me: int, found: Numbers, chance: Chance) -> int:
    """Put into `found` what whoever is to act chooses from; how much that is."""
    if pos[at.ACTOR] != me and below(chance, 100) < GREEDY:
        found[0] = greedy_action(rules, pos)
        return 1
    return choices(rules, pos, found)


@compiled
def _next(tree: Numbers, node: int, actions: Numbers, chance: Chance) -> int:
    """A new child for any action that has none, or else the one with the highest upper bound."""
    best, promising, untried, new = -1.0, 0, 0, 0
    for action in actions:
        child = _child(tree, node, action)
        if child:
            tree[child, AVAILABLE] += 1
            bound = _bound(tree[child])
            if bound > best:
                best, promising = bound, child
        else:
            untried += 1
            if not below(chance, untried):
                new = action
    return _added(tree, node, new) if untried else promising


@compiled
def _child(tree: Numbers, node: int, action: int) -> int:
    """The node of an action, or 0."""
    child = tree[node, CHILD]
    while child and tree[child, ACTION] != action:
        child = tree[child, SIBLING]
    return int(child)


@compiled
def _bound(row: Numbers) -> float:
    visits = row[VISITS]
    share = row[REWARD] / (2.0 * visits)
    return float(share + EXPLORATION * sqrt(log(row[AVAILABLE]) / visits))


@compiled
def _added(tree: Numbers, node: int, action: int) -> int:
    tree[0, USED] += 1
    child = tree[0, USED]
    tree[child, ACTION] = action
    tree[child, AVAILABLE] = 1
    tree[child, PARENT] = node
    tree[child, SIBLING] = tree[node, CHILD]
    tree[node, CHILD] = child
    return int(child)


@compiled
def _count(tree: Numbers, node: int, durak: int) -> None:
    """The end of a game, told to every node that led to it."""
    while node:
        tree[node, VISITS] += 1
        if durak == at.DRAW:
            tree[node, REWARD] += 1
        elif durak != tree[node, ACTOR]:
            tree[node, REWARD] += 2
        node = tree[node, PARENT]
