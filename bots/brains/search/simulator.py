"""One game of attack and defence on numbers: no events, no checks, a single card a step.

What the numbers mean, and what an action is, stands with the compiled code that plays on them.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final

import numpy as np

from bots.brains.search.compiled import layout as at
from bots.brains.search.compiled import moves, rollouts
from bots.brains.search.compiled.building import Numbers
from bots.brains.search.deck import Bits, Deck, deck_of
from games.rules.rulesets.schema import BoutRules

_SCOPES: Final = {"all": at.EVERYBODY, "neighbours": at.NEIGHBOURS, "leader": at.LEADER}


class Plan:
    """What stays the same all through a game: its rules and deck, and both as `numbers`."""

    __slots__ = ("deck", "numbers", "rules", "seats")

    def __init__(self, rules: BoutRules, seats: int, trump: str | None) -> None:
        self.rules = rules
        self.seats = seats
        self.deck: Deck = deck_of(rules.deck_size, trump, rules.self_only_suit)
        self.numbers = _numbers(rules, seats, self.deck)


class Sim:
    """A position. `numbers` hold it; what is read of them by name is a number or a list.

    The talon is drawn from its end; `durak` is None, a seat, or DRAW.
    """

    __slots__ = ("numbers", "plan")

    def __init__(self, plan: Plan, numbers: Numbers) -> None:
        self.plan = plan
        self.numbers = numbers

    @classmethod
    def at_start(
        cls, plan: Plan, hands: Sequence[Bits], talon: Sequence[Bits], attacker: int
    ) -> "Sim":
        """The first move of a game."""
        sim = cls(plan, np.zeros(at.POSITION, np.int64))
        sim.numbers[at.DURAK] = at.NOBODY
        sim.numbers[at.MOVES] = 1
        sim.place(hands, talon)
        moves.open_bout(plan.numbers, sim.numbers, attacker)
        return sim

    def place(self, hands: Sequence[Bits], talon: Sequence[Bits]) -> None:
        """Put all cards that are not on the table somewhere else."""
        numbers = self.numbers
        numbers[at.HANDS : at.HANDS + len(hands)] = hands
        numbers[at.TALON : at.TALON + len(talon)] = talon
        numbers[at.LEFT] = len(talon)

    def clone(self) -> "Sim":
        """A copy that shares nothing that changes."""
        return Sim(self.plan, self.numbers.copy())

    def actions(self) -> tuple[int, ...]:
        """Every action of single cards, take or pass among them."""
        many = moves.actions(self.plan.numbers, self.numbers, _FOUND)
        return tuple(_FOUND[:many].tolist())

    def choices(self) -> tuple[int, ...]:
        """Those that a search looks at: leads of several cards of a rank are among them."""
        many = moves.choices(self.plan.numbers, self.numbers, _FOUND)
        return tuple(_FOUND[:many].tolist())

    def step(self, action: int) -> None:
        """Make an action of whoever is to act."""
        moves.step(self.plan.numbers, self.numbers, action)

    def walk(self) -> Callable[[int], int]:
        """The quickest way to make moves from here on: by their numbers among `actions()`.

        Each call makes one and tells how many actions there are then, 0 at the end of the game.
        """
        found = np.zeros(moves.ACTIONS_MOST, np.int64)
        moves.actions(self.plan.numbers, self.numbers, found)
        return partial(moves.advance, self.plan.numbers, self.numbers, found)

    def greedy_action(self) -> int:
        """What greedy does."""
        return rollouts.greedy_action(self.plan.numbers, self.numbers)

    def roll(self) -> int:
        """The durak, or DRAW, when everybody goes on greedily; the position stays."""
        return rollouts.roll(self.plan.numbers, self.numbers.copy())

    @property
    def hands(self) -> list[Bits]:
        """The cards of every seat."""
        return self._list(at.HANDS, self.plan.seats)

    @property
    def talon(self) -> list[Bits]:
        """The talon, the card that is drawn first at its end."""
        return self._list(at.TALON, self.numbers.item(at.LEFT))

    @property
    def durak(self) -> int | None:
        """Who lost, if the game is over."""
        durak = self.numbers.item(at.DURAK)
        return None if durak == at.NOBODY else durak

    @property
    def phase(self) -> int:
        """What is to be done."""
        return self.numbers.item(at.PHASE)

    @property
    def actor(self) -> int:
        """Who is to act."""
        return self.numbers.item(at.ACTOR)

    @property
    def attacker(self) -> int:
        """Who led the bout, or passed it on."""
        return self.numbers.item(at.ATTACKER)

    @property
    def defender(self) -> int:
        """Who is attacked."""
        return self.numbers.item(at.DEFENDER)

    @property
    def open(self) -> Bits:
        """The attack cards not yet beaten."""
        return self.numbers.item(at.OPEN)

    @property
    def table(self) -> Bits:
        """All cards of the bout."""
        return self.numbers.item(at.TABLE)

    @property
    def room(self) -> int:
        """How many cards may still be thrown in."""
        return self.numbers.item(at.LIMIT) - self.numbers.item(at.COUNT)

    @property
    def alive(self) -> list[int]:
        """The seats that are not out."""
        out = self.numbers.item(at.OUT)
        return [seat for seat in range(self.plan.seats) if not out >> seat & 1]

    def _list(self, start: int, count: int) -> list[int]:
        found: list[int] = self.numbers[start : start + count].tolist()
        return found


# Where actions are put before they are told; a process thinks one thought at a time.
_FOUND: Final[Numbers] = np.zeros(moves.ACTIONS_MOST, np.int64)


def _numbers(rules: BoutRules, seats: int, deck: Deck) -> Numbers:
    """The rules as the compiled code reads them."""
    most = rules.attack_limit or rules.deck_size
    numbers = np.zeros(at.RULES, np.int64)
    dials: dict[int, int] = {
        at.SEATS: seats,
        at.HAND_SIZE: rules.hand_size,
        at.MOST: most,
        at.FIRST: min(rules.first_attack_limit or most, most),
        at.FIRST_BOUT: rules.first_limit_scope == "first_bout",
        at.NEVER: rules.throw_in == "never",
        at.ON_TAKE: rules.throw_in == "on_take",
        at.LEAD_RANKS: rules.throw_in_ranks == "lead",
        at.LEAD_MAX: rules.lead_max_cards,
        at.SCOPE: _SCOPES[rules.throw_in_scope],
        at.TRANSFER: rules.transfer,
        at.TRANSFER_FIRST: rules.transfer_first_bout,
        at.LEADER_FIRST: rules.refill_order == "leader_clockwise_defender_last",
        at.REPETITION: rules.repetition_draw or 0,
        at.MAX_MOVES: rules.max_moves,
        at.PLAIN: deck.plain,
        at.PACK: deck.all,
    }
    for place, value in dials.items():
        numbers[place] = value
    for number, bit in enumerate(deck.card):
        numbers[at.BEAT + number] = deck.beat[bit]
        numbers[at.RANK + number] = deck.rank[bit]
    return numbers
