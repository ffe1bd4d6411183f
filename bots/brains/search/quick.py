"""Greedy roll-outs in loops over local names: what `rollout.roll` gives, several times as fast.

For tables where cards are thrown in by everybody after all is beaten, and bouts are not passed on.
"""

from collections.abc import Callable
from itertools import accumulate
from operator import or_

from bots.brains.search.deck import Bits, Deck
from bots.brains.search.rollout import greedy_action, roll
from bots.brains.search.simulator import ATTACK, CIRCLES, DEFEND, DRAW, TAKE, Plan, Sim


def roller(plan: Plan) -> Callable[[Sim], int]:
    """The fastest way to roll out at this table; the simulator may be left anywhere."""
    if not is_quick(plan):
        return roll
    return roll_two if plan.seats == 2 else roll_many


def is_quick(plan: Plan) -> bool:
    """Whether the loops of this module play by these rules."""
    usual = not (plan.never or plan.on_take or plan.lead_ranks or plan.transfer)
    return usual and (plan.seats == 2 or plan.scope == "all")


def roll_two(sim: Sim) -> int:
    """The durak of a table of two, or DRAW; `sim` is left as it is."""
    plan, attacker, table = sim.plan, sim.attacker, sim.table
    deck, rank, plain, most = plan.deck, plan.deck.rank, plan.deck.plain, plan.limit
    first, only, size = plan.first_limit, plan.first_scope_bout, plan.hand_size
    a, d = sim.hands[attacker], sim.hands[1 - attacker]
    drawn, left = [0, *accumulate(sim.talon, or_)], len(sim.talon)
    fit, todo, room = sim.fit, sim.open, sim.limit - sim.count
    taking, more = sim.phase == TAKE, _addable(sim)
    fresh = not (sim.bouts if only else sim.discarded)
    while True:
        if not table:
            room, limit = d.bit_count(), first if fresh else most
            room = room - 1 if room < limit else limit - 1
            todo = table = a & -a
            a ^= todo
            fit = rank[todo]
        a, d, taking = _bout(deck, a, d, table, fit, todo, room, more, taking)
        table = 0
        if fresh:
            fresh = taking and not only
        if left:
            a, d, left = _filled(a, d, size, drawn, left)
        if not left:
            if not a:
                return 1 - attacker if d else DRAW
            if not d:
                return attacker
            more = deck.all
        else:
            more = plain
        if taking:
            taking = False
        else:
            a, d, attacker = d, a, 1 - attacker


def _addable(sim: Sim) -> Bits:
    """What may still be thrown in greedily: nothing by who has passed."""
    if sim.passed and sim.phase != DEFEND:
        return 0
    return sim.plan.deck.plain if sim.talon else sim.plan.deck.all


def _bout(
    deck: Deck, a: Bits, d: Bits, table: Bits, fit: Bits, todo: Bits, room: int, more: Bits,
    taking: bool,
) -> tuple[Bits, Bits, bool]:  # fmt: skip
    """Both hands after the bout, and whether it was taken."""
    beat, rank = deck.beat, deck.rank
    while not taking:
        while todo:
            card = todo & -todo
            beaters = d & beat[card]
            if not beaters:
                taking = True
                break
            beater = beaters & -beaters
            d ^= beater
            table |= beater
            fit |= rank[beater]
            todo ^= card
        else:
            fitting = a & fit & more
            if not fitting or room <= 0:
                return a, d, False
            todo = fitting & -fitting
            a ^= todo
            table |= todo
            room -= 1
    fitting = a & fit & more
    while fitting and room > 0:
        card = fitting & -fitting
        fitting ^= card
        a ^= card
        table |= card
        room -= 1
    return a, d | table, True


def _filled(a: Bits, d: Bits, size: int, drawn: list[Bits], left: int) -> tuple[Bits, Bits, int]:
    """Both hands after drawing, and how many cards are left; ``drawn[n]`` are the last n."""
    need = size - a.bit_count()
    if need > 0:
        rest = left - need if need < left else 0
        a |= drawn[left] ^ drawn[rest]
        left = rest
    need = size - d.bit_count()
    if need > 0:
        rest = left - need if need < left else 0
        d |= drawn[left] ^ drawn[rest]
        left = rest
    return a, d, left


def roll_many(sim: Sim) -> int:
    """The durak of a larger table, or DRAW; the simulator is left at the end."""
    while sim.durak is None:
        if sim.phase == ATTACK:
            _play_bout(sim)
        else:
            sim.step(greedy_action(sim))
    return sim.durak


def _play_bout(sim: Sim) -> None:
    """A whole bout; the simulator closes it."""
    hands, attacker, defender, deck = sim.hands, sim.attacker, sim.defender, sim.plan.deck
    beat, rank = deck.beat, deck.rank
    more, room = deck.plain if sim.talon else deck.all, sim.limit_for(defender)
    throwers = [seat for seat in CIRCLES[sim.plan.seats, attacker] if seat != defender]
    card = hands[attacker] & -hands[attacker]
    hands[attacker] ^= card
    table, fit, d, taken = card, rank[card], hands[defender], False
    while True:
        room -= 1
        if not taken:
            beaters = d & beat[card]
            beater = beaters & -beaters
            taken = not beater
            if beater:
                d ^= beater
                table |= beater
                fit |= rank[beater]
        for seat in throwers if room > 0 else ():
            if fitting := hands[seat] & fit & more:
                card = fitting & -fitting
                hands[seat] ^= card
                table |= card
                break
        else:
            break
    hands[defender] = d
    sim.emptied = [seat for seat, hand in enumerate(hands) if not hand]
    sim.moves += table.bit_count()
    sim.table = table
    sim.close(taken)
