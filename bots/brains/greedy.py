"""A brain that parts with its cheapest cards first."""

import random
from collections.abc import Sequence
from typing import Final

from bots.brains.patterns import Pattern, bounded, card_cost, cheapest, smallest
from bots.brains.registry import Answer, History, View, brain
from bots.brains.shedding import shed

# With this many cards still to draw, beating is too dear if it costs such a trump.
_LONG_TALON: Final = 6
_DEAR_TRUMP: Final = card_cost("QS", "S")


# The moves that greedy understands, with the fields that their patterns have.
_CARD_FIELDS: Final = frozenset({"type", "cards", "min", "max"})
_KNOWN: Final[dict[str, frozenset[str]]] = {
    "attack": _CARD_FIELDS,
    "throw_in": _CARD_FIELDS,
    "transfer": _CARD_FIELDS,
    "beat": _CARD_FIELDS | {"target"},
    "take": frozenset({"type"}),
    "pass": frozenset({"type"}),
}
# What is tried first where one's own cards are not seen.
_UNSEEN: Final = {"attack": 0, "pass": 1, "beat": 2, "take": 3}
Moves = dict[str, list[Pattern]]


@brain(
    "greedy",
    version=2,
    title={"en": "Greedy: the cheapest card that helps", "ru": "Жадный: самая дешёвая карта"},
    families=("bout", "shedding"),
)
class Greedy:
    """Leads and throws in cheap plain cards, beats with the least, takes when that is dearer.

    With a hand that only others see it tries to beat with any card, and throws none in.
    In shedding games it lays what costs most points or harms the next player most, by the
    effects of that game, and names the suit that it holds.
    """

    def choose(self, view: View, history: History, rng: random.Random, budget: int) -> Answer:
        """The cheapest useful move; the first pattern's smallest where none is understood."""
        return greedy_answer(view)


def greedy_answer(view: View) -> Answer:
    """What greedy plays. It looks at hand, patterns, trump, table and counts, at nothing else."""
    patterns: Sequence[Pattern] = view["you"]["legal_moves"]
    if "top_card" in view:
        return shed(view, patterns)
    if any("slots" in pattern for pattern in patterns):
        return _unseen(patterns)
    moves: Moves = {}
    for pattern in patterns:
        if frozenset(pattern) == _KNOWN.get(pattern["type"]):
            moves.setdefault(pattern["type"], []).append(pattern)
    if "attack" in moves:
        return _attack(moves["attack"], view["trump"])
    if "throw_in" in moves:
        return _throw_in(view, moves)
    if "beat" in moves or "transfer" in moves:
        return _defend(view, moves)
    return smallest(patterns[0])


def _unseen(patterns: Sequence[Pattern]) -> Answer:
    """With a hand that only others see: what is wrong costs no more than taking, a throw-in apart.

    A card that may not be thrown in takes all of the table to who threw it in, so none is tried.
    """
    best = min(patterns, key=lambda pattern: _UNSEEN.get(pattern["type"], len(_UNSEEN)))
    return smallest(best)


def _attack(leads: Sequence[Pattern], trump: str | None) -> Answer:
    """The lowest plain rank, with all its plain cards at once."""
    pattern = min(leads, key=lambda p: card_cost(cheapest(p["cards"], trump)[0], trump))
    cards = cheapest(pattern["cards"], trump)
    return bounded(pattern, [card for card in cards if card[1] != trump] or cards[:1])


def _throw_in(view: View, moves: Moves) -> Answer:
    pattern = moves["throw_in"][0]
    worth = [c for c in cheapest(pattern["cards"], view["trump"]) if _may_go(view, c)]
    if "pass" in moves and not worth:
        return smallest(moves["pass"][0])
    return bounded(pattern, worth)


def _may_go(view: View, card: str) -> bool:
    """Whether a card may be thrown in: plain ones always, trumps when no more can be drawn."""
    return card[1] != view["trump"] or not view["talon_count"]


def _defend(view: View, moves: Moves) -> Answer:
    moved = _transfer(moves, view["trump"])
    if moved is not None:
        return moved
    plan = _plan(view, moves.get("beat", ()))
    if "take" in moves and (not plan or _too_dear(view, plan)):
        return smallest(moves["take"][0])
    if not plan:
        return smallest(moves.get("beat", moves.get("transfer", []))[0])
    return min(plan, key=lambda step: card_cost(step[0], view["trump"]))[1]


def _transfer(moves: Moves, trump: str | None) -> Answer | None:
    """Pass the bout on with the cheapest plain card, if there is one."""
    for pattern in moves.get("transfer", ()):
        plain = [card for card in cheapest(pattern["cards"], trump) if card[1] != trump]
        if plain:
            return bounded(pattern, plain[:1])
    return None


Plan = list[tuple[str, Answer]]


def _plan(view: View, beats: Sequence[Pattern]) -> Plan:
    """How to beat every open card, each with the least card left for it; empty if impossible.

    The card with the fewest answers is served first.
    """
    if len(beats) < sum(1 for pair in view["table"] if pair["beat"] is None):
        return []
    used: set[str] = set()
    plan: Plan = []
    for pattern in sorted(beats, key=lambda p: len(p["cards"])):
        left = [card for card in cheapest(pattern["cards"], view["trump"]) if card not in used]
        if not left:
            return []
        used.add(left[0])
        plan.append((left[0], bounded(pattern, left[:1])))
    return plan


def _too_dear(view: View, plan: Plan) -> bool:
    """Early in the game a high trump is worth more than the cards on the table."""
    if view["talon_count"] < _LONG_TALON:
        return False
    return any(card_cost(card, view["trump"]) >= _DEAR_TRUMP for card, _ in plan)
