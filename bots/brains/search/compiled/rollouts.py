"""Playing a position to its end with greedy moves: what a position is worth, roughly and fast."""

from bots.brains.search.compiled import layout as at
from bots.brains.search.compiled.bits import place
from bots.brains.search.compiled.building import Numbers, compiled
from bots.brains.search.compiled.moves import may_transfer, step


@compiled
def roll(rules: Numbers, pos: Numbers) -> int:
    """The durak, or DRAW, when everybody goes on greedily. The position is left at the end."""
    while pos[at.DURAK] == at.NOBODY:
        step(rules, pos, greedy_action(rules, pos))
    return int(pos[at.DURAK])


@compiled
def greedy_action(rules: Numbers, pos: Numbers) -> int:
    """The cheapest lead, beater, transfer or throw-in; trumps are thrown in without a talon only.

    A defender who cannot beat the cheapest open card takes.
    """
    hand, phase = pos[at.HANDS + pos[at.ACTOR]], pos[at.PHASE]
    if phase == at.ATTACK:
        return int(hand & -hand)
    if phase != at.DEFEND:
        fitting = hand & pos[at.FIT] & rules[at.PLAIN if pos[at.LEFT] else at.PACK]
        return int(fitting & -fitting)
    if rules[at.TRANSFER] and not pos[at.BEATEN]:
        same = hand & pos[at.LEAD] & rules[at.PLAIN]
        if same and may_transfer(rules, pos):
            return int(-(same & -same))
    beaters = hand & rules[at.BEAT + place(pos[at.OPEN])]
    return int(beaters & -beaters)
