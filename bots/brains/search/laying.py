"""Making any move of the rules on the simulator, those of several cards at once among them."""

from bots.brains.registry import Answer
from bots.brains.search.compiled import layout as at
from bots.brains.search.deck import Bits
from bots.brains.search.simulator import Sim


def lay(sim: Sim, move: Answer) -> None:
    """Make a move that the rules allow to whoever is to act; the position is changed."""
    deck = sim.plan.deck
    cards = deck.of(move.get("cards", ()))
    if sim.phase == at.ATTACK or not cards:
        sim.step(cards)
    elif move["type"] == "transfer":
        sim.step(-_last(sim, cards))
    elif sim.phase == at.DEFEND:
        _beat(sim, deck.bit[move["target"]], cards)
    else:
        sim.step(_last(sim, cards))


def _last(sim: Sim, cards: Bits) -> Bits:
    """Lay all of the cards but the cheapest, which is left to a step."""
    cheapest = cards & -cards
    rest = cards ^ cheapest
    numbers = sim.numbers
    numbers[at.HANDS + sim.actor] ^= rest
    numbers[at.TABLE] |= rest
    numbers[at.OPEN] |= rest
    numbers[at.COUNT] += rest.bit_count()
    return cheapest


def _beat(sim: Sim, target: Bits, card: Bits) -> None:
    """Beat any open card; a step knows the cheapest alone."""
    left = sim.open ^ target
    sim.step(card)
    if left:
        sim.numbers[at.OPEN] = left
