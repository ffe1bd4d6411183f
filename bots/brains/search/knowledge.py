"""What a seat knows of a game of attack and defence, from its view and the events it was told."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

import numpy as np

from bots.brains.registry import History, View
from bots.brains.search.claims import rules_of
from bots.brains.search.compiled import deals
from bots.brains.search.compiled import layout as at
from bots.brains.search.compiled.building import Chance, Numbers
from bots.brains.search.compiled.deals import Unknown
from bots.brains.search.deck import Bits, split
from bots.brains.search.simulator import Plan, Sim
from games.rules.cards import HIDDEN, RANKS
from games.rules.rulesets.schema import BoutRules

_PHASES: Final = {
    "attack": at.ATTACK,
    "defend": at.DEFEND,
    "throw_in": at.THROW_IN,
    "take": at.TAKE,
}
Data = Mapping[str, Any]


def chance_of(rng: random.Random) -> Chance:
    """Chance for compiled code, seeded by a generator."""
    return np.array([rng.getrandbits(64)], np.uint64)


@lru_cache(maxsize=256)
def plan_of(rules: BoutRules, seats: int, trump: str | None) -> Plan:
    """The plan of a table; made once."""
    return Plan(rules, seats, trump)


class Knowledge:
    """Where the cards are, as far as seat `me` can tell.

    `known` are the cards each seat certainly holds, `hidden` how many more it holds, `unseen` the
    cards that may be anywhere among those and in the talon, whose `bottom` is the turn-up (or 0).
    `late` cards were in nobody's hand when the cards were dealt: they lie in the talon or where
    a card was drawn.
    """

    def __init__(self, view: View, history: History) -> None:
        rules = rules_of(history)
        if not isinstance(rules, BoutRules):
            raise TypeError("a game of attack and defence was expected")
        self.me: int = view["you"]["seat"]
        self.seats = len(view["seats"])
        self.plan = plan_of(rules, self.seats, view["trump"])
        deck = self.plan.deck
        self.told = _Told(self.plan, self.me, history)
        hand = deck.of(view["you"]["hand"])
        self.known = [*self.told.known]
        self.known[self.me] = hand
        counts = [seat["hand_count"] for seat in view["seats"]]
        self.hidden = [
            count - known.bit_count() for count, known in zip(counts, self.known, strict=True)
        ]
        on_table = [card for pair in view["table"] for card in pair.values() if card]
        self.table = deck.of(on_table)
        self.bottom = deck.bit[view["turn_up"]] if view["turn_up"] and view["talon_count"] else 0
        seen = self.told.discard | self.table | self.bottom | sum(self.known)
        self.unseen = list(split(deck.all & ~seen))
        self.late, self.able = self._late()
        self.unknown = self._unknown(_position(view, self))

    @property
    def is_certain(self) -> bool:
        """Whether the seat knows every hand and the order of the talon."""
        holders = sum(1 for count in self.hidden if count)
        return len(self.unseen) == sum(self.hidden) and holders <= 1

    def deal(self, chance: Chance) -> Sim:
        """A position that this seat cannot tell from the real one, drawn uniformly."""
        return Sim(self.plan, deals.deal(self.unknown, chance))

    def truth(self, hands: Sequence[Bits], talon: Sequence[Bits]) -> Sim:
        """The position if the cards lay like that: `talon` is drawn from its end."""
        sim = Sim(self.plan, self.unknown.start.copy())
        sim.place(hands, talon)
        return sim

    def _unknown(self, start: Numbers) -> Unknown:
        hidden = np.zeros(at.SEATS_MOST, np.int64)
        hidden[: self.seats] = self.hidden
        start[at.HANDS : at.HANDS + self.seats] = self.known
        cards, able = (np.array(numbers, np.int64) for numbers in (self.unseen, self.able))
        return Unknown(start, hidden, cards, able, self.bottom, self.late)

    def _late(self) -> tuple[Bits, list[int]]:
        """The unseen late cards, and the places among the unseen where such may be."""
        told = self.told
        late = told.late & sum(self.unseen)
        able: list[int] = []
        at = 0
        for seat, count in enumerate(self.hidden):
            drawn = max(0, told.drawn[seat] - told.used[seat])
            able += range(at, at + min(drawn, count))
            at += count
        able += range(at, len(self.unseen))
        # Where every place will do, or the log denies what it told, there is nothing to arrange.
        narrow = late.bit_count() <= len(able) < len(self.unseen)
        return (late if narrow else 0), able


class _Told:
    """What the events told: cards known to be held, discarded, or not dealt at the start."""

    def __init__(self, plan: Plan, me: int, history: History) -> None:
        self._deck = plan.deck
        self._me = me
        self.known = [0] * plan.seats
        self.drawn = [0] * plan.seats
        self.used = [0] * plan.seats
        self.discard = self.late = 0
        self.limit = self.bouts = self.discarded = 0
        self.moves = 1
        self.emptied: list[int] = []
        self._counts = [plan.rules.hand_size] * plan.seats
        for event in history:
            teller = _TELLERS.get(event["type"])
            if teller is not None:
                teller(self, event["seat"], event["data"])
            self.moves += event["type"] in _MOVES

    def dealt(self, _seat: int, data: Data) -> None:
        self.__dict__.update(known=[0] * len(self.known), late=0)
        self._counts = [len(hand) for hand in data["hands"]]

    def trump(self, seat: int | None, data: Data) -> None:
        self.late |= self._deck.of(data.get("drawn") or ())
        if seat is not None and data.get("card"):
            self._hold(seat, [data["card"]])

    def attacker(self, seat: int, data: Data) -> None:
        if not data.get("card"):
            return
        card = data["card"]
        self._hold(seat, [card])
        lower = RANKS[: RANKS.index(card[0])]
        trumps = [rank + card[1] for rank in lower if rank + card[1] in self._deck.bit]
        self.late |= self._deck.of(trumps)

    def opened(self, seat: int, data: Data) -> None:
        self.emptied = []
        self.limit = data["limit"]
        self._play(seat, data["cards"])

    def transferred(self, seat: int, data: Data) -> None:
        self.limit = data["limit"]
        self._play(seat, data["cards"])

    def thrown_in(self, seat: int, data: Data) -> None:
        self._play(seat, data["cards"])

    def beaten(self, seat: int, data: Data) -> None:
        self._play(seat, [data["card"]])

    def taken(self, seat: int, data: Data) -> None:
        self.bouts += 1
        self._counts[seat] += len(data["cards"])
        self._hold(seat, data["cards"])

    def cleared(self, _seat: int, data: Data) -> None:
        self.bouts += 1
        self.discarded += len(data["cards"])
        self.discard |= self._deck.of(data["cards"])

    def replenished(self, seat: int, data: Data) -> None:
        self._counts[seat] += len(data["cards"])
        shown = [card for card in data["cards"] if card != HIDDEN]
        self._hold(seat, shown)
        self.drawn[seat] += len(data["cards"]) - len(shown)

    def _hold(self, seat: int, cards: Iterable[str]) -> None:
        self.known[seat] |= self._deck.of(cards)

    def _play(self, seat: int, cards: list[str]) -> None:
        for card in cards:
            bit = self._deck.bit[card]
            if not bit & self.known[seat] and bit & self.late:
                self.used[seat] += 1
            self.known[seat] &= ~bit
        self._counts[seat] -= len(cards)
        if not self._counts[seat]:
            self.emptied.append(seat)


# Each of these is a decision; what follows from one is not.
_MOVES: Final = frozenset(
    {
        *("bout_opened", "card_beaten", "cards_thrown_in", "bout_transferred"),
        *("take_declared", "seat_passed"),
    }
)
_TELLERS: Final[dict[str, Callable[[_Told, Any, Data], None]]] = {
    "cards_dealt": _Told.dealt,
    "trump_turned": _Told.trump,
    "attacker_named": _Told.attacker,
    "bout_opened": _Told.opened,
    "bout_transferred": _Told.transferred,
    "cards_thrown_in": _Told.thrown_in,
    "card_beaten": _Told.beaten,
    "bout_taken": _Told.taken,
    "bout_discarded": _Told.cleared,
    "hand_replenished": _Told.replenished,
}


def _position(view: View, knowledge: Knowledge) -> Numbers:
    """Everything of the position but the cards in hands and talon."""
    told, plan, pairs = knowledge.told, knowledge.plan, view["table"]
    deck, numbers = plan.deck, np.zeros(at.POSITION, np.int64)
    lead = deck.rank[deck.bit[pairs[0]["attack"]]] if pairs else 0
    ranks = {deck.rank[card] for card in split(knowledge.table)}
    found: dict[int, int] = {
        at.PHASE: _PHASES[view["phase"]],
        at.ACTOR: knowledge.me,
        at.ATTACKER: view["attacker"],
        at.DEFENDER: view["defender"],
        at.OUT: sum(1 << seat["seat"] for seat in view["seats"] if seat["status"] == "out"),
        at.PASSED: sum(1 << seat for seat in view["passed"]),
        at.EMPTIED: sum(1 << seat for seat in set(told.emptied)),
        at.BOUTS: told.bouts,
        at.DISCARDED: told.discarded,
        at.MOVES: told.moves,
        at.DURAK: at.NOBODY,
        at.OPEN: deck.of(pair["attack"] for pair in pairs if not pair["beat"]),
        at.TABLE: knowledge.table,
        at.FIT: lead if plan.numbers[at.LEAD_RANKS] else sum(ranks),
        at.LEAD: lead,
        at.COUNT: len(pairs),
        at.LIMIT: told.limit if pairs else 0,
        at.BEATEN: any(pair["beat"] for pair in pairs),
    }
    for place, value in found.items():
        numbers[place] = value
    return numbers
