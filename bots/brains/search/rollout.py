"""Playing a position to its end with greedy moves: what a position is worth, roughly and fast."""

from bots.brains.search.simulator import ATTACK, DEFEND, Sim


def roll(sim: Sim) -> int:
    """The durak, or DRAW, when everybody goes on greedily. The simulator is left at the end."""
    while sim.durak is None:
        sim.step(greedy_action(sim))
    return sim.durak


def greedy_action(sim: Sim) -> int:
    """The cheapest lead, beater, transfer or throw-in; trumps are thrown in without a talon only.

    A defender who cannot beat every open card takes.
    """
    hand, phase = sim.hands[sim.actor], sim.phase
    if phase == ATTACK:
        return hand & -hand
    deck = sim.plan.deck
    if phase != DEFEND:
        fitting = hand & sim.fit & (deck.plain if sim.talon else deck.all)
        return fitting & -fitting
    if sim.plan.transfer and not sim.beaten:
        same = hand & sim.lead & deck.plain
        if same and sim.may_transfer():
            return -(same & -same)
    beaters = hand & deck.beat[sim.open & -sim.open]
    return beaters & -beaters
