"""The exact value of a position of two seats without a talon, where nothing is hidden.

Values are for whoever is asked: 1 the other becomes the durak, 0 a draw, -1 he does. Leading or
throwing in several cards at once is never better than one after the other, so only that is looked
at. Games in which bouts are passed on are left out: there a position can come back, here it cannot.
"""

from typing import Final

from bots.brains.search.compiled import layout as at
from bots.brains.search.deck import Bits, split
from bots.brains.search.simulator import Plan, Sim

NODES: Final = 60_000
_LEAD, _DEFEND, _ADD, _TAKE = range(4)
Key = tuple[int, Bits, Bits, Bits, Bits, int]


class TooDeepError(Exception):
    """The position is not solved within the given number of nodes."""


def is_solvable(sim: Sim) -> bool:
    """Whether the endgame solver knows this kind of position."""
    rules, numbers = sim.plan.numbers, sim.numbers
    usual = not rules[[at.NEVER, at.ON_TAKE, at.LEAD_RANKS, at.TRANSFER]].any()
    settled = rules[at.FIRST] == rules[at.MOST] or numbers[[at.BOUTS, at.DISCARDED]].all()
    return bool(usual and settled and not numbers[at.LEFT] and len(sim.alive) == 2)


class Solver:
    """Solves positions of one game; what was found is kept. `nodes` counts what was looked at."""

    def __init__(self, plan: Plan, most: int = NODES) -> None:
        self.nodes = 0
        self.most = most
        self._memo: dict[Key, int] = {}
        self._limit = plan.numbers.item(at.MOST)
        self._beat, self._rank = plan.deck.beat, plan.deck.rank

    def values(self, sim: Sim) -> dict[int, int]:
        """The value of every action for whoever is to act. Raises TooDeepError."""
        return {action: self._after(sim, action) for action in sim.choices()}

    def _after(self, sim: Sim, action: int) -> int:
        actor, after = sim.actor, sim.clone()
        after.step(action)
        if after.durak is not None:
            return 0 if after.durak < 0 else 1 if after.durak != actor else -1
        value = self.value(after)
        return value if after.actor == actor else -value

    def value(self, sim: Sim) -> int:
        """The value for whoever is to act. Raises TooDeepError."""
        a, d = sim.hands[sim.attacker], sim.hands[sim.defender]
        room = sim.room
        if sim.phase == at.ATTACK:
            return self._lead(a, d)
        if sim.phase == at.DEFEND:
            return -self._defend(a, d, sim.table, sim.open, room)
        if sim.phase == at.THROW_IN:
            return self._add(a, d, sim.table, room)
        return self._take(a, d, sim.table, room)

    def _count(self) -> None:
        self.nodes += 1
        if self.nodes > self.most:
            raise TooDeepError

    def _closed(self, a: Bits, d: Bits, beaten: bool) -> int:
        """The value for the attacker of the bout that is over."""
        if not a:
            return 1 if d else 0
        if not d:
            return -1
        return -self._lead(d, a) if beaten else self._lead(a, d)

    def _lead(self, a: Bits, d: Bits) -> int:
        key = (_LEAD, a, d, 0, 0, 0)
        if (known := self._memo.get(key)) is not None:
            return known
        self._count()
        room = min(d.bit_count(), self._limit)
        best = -1
        for card in split(a):
            value = self._defend(a ^ card, d, card, card, room - 1)
            if value > best:
                best = value
                if best == 1:
                    break
        self._memo[key] = best
        return best

    def _defend(self, a: Bits, d: Bits, table: Bits, todo: Bits, room: int) -> int:
        """The value for the attacker while `todo` is not beaten."""
        key = (_DEFEND, a, d, table, todo, room)
        if (known := self._memo.get(key)) is not None:
            return known
        self._count()
        worst = self._beats(a, d, table, todo, room)
        if worst > -1:
            worst = min(worst, self._take(a, d, table, room))
        self._memo[key] = worst
        return worst

    def _beats(self, a: Bits, d: Bits, table: Bits, todo: Bits, room: int) -> int:
        card, worst = todo & -todo, 2
        rest = todo ^ card
        for beater in split(d & self._beat[card]):
            left, laid = d ^ beater, table | beater
            if rest:
                value = self._defend(a, left, laid, rest, room)
            else:
                value = self._add(a, left, laid, room)
            if value < worst:
                worst = value
                if worst == -1:
                    break
        return worst

    def _fit(self, table: Bits) -> Bits:
        fit = 0
        for card in split(table):
            fit |= self._rank[card]
        return fit

    def _add(self, a: Bits, d: Bits, table: Bits, room: int) -> int:
        """All is beaten: the attacker throws in or not."""
        fitting = a & self._fit(table) if room > 0 else 0
        if not fitting:
            return self._closed(a, d, True)
        key = (_ADD, a, d, table, 0, room)
        if (known := self._memo.get(key)) is not None:
            return known
        self._count()
        best = -1
        for card in split(fitting):
            value = self._defend(a ^ card, d, table | card, card, room - 1)
            if value > best:
                best = value
                if best == 1:
                    break
        if best < 1:
            best = max(best, self._closed(a, d, True))
        self._memo[key] = best
        return best

    def _take(self, a: Bits, d: Bits, table: Bits, room: int) -> int:
        """The defender takes: the attacker adds what he likes."""
        fitting = a & self._fit(table) if room > 0 else 0
        if not fitting:
            return self._closed(a, d | table, False)
        key = (_TAKE, a, d, table, 0, room)
        if (known := self._memo.get(key)) is not None:
            return known
        self._count()
        best = -1
        for group in _subsets(fitting):
            if group.bit_count() <= room:
                best = max(best, self._closed(a ^ group, d | table | group, False))
                if best == 1:
                    break
        self._memo[key] = best
        return best


def _subsets(cards: Bits) -> list[Bits]:
    """Every subset of a set, the whole set first, the empty one last."""
    found, part = [cards], cards
    while part:
        part = (part - 1) & cards
        found.append(part)
    return found
