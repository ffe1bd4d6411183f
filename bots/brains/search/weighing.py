"""What every move of a position is worth, all of them on the same deals and equally often.

A search that looks for the best move leaves bad ones soon. Here each move gets a search of its own
behind it, so that their shares can be compared; where an endgame is solved they are exact.
"""

import random
from collections.abc import Callable, Sequence
from math import sqrt
from statistics import fmean, pstdev

import msgspec

from bots.brains.greedy import greedy_answer
from bots.brains.registry import Answer, History, View
from bots.brains.search.broad import Broad
from bots.brains.search.choices import choices
from bots.brains.search.claims import is_claimed, rules_of
from bots.brains.search.compiled.building import Chance
from bots.brains.search.compiled.layout import DRAW
from bots.brains.search.endgame import Solver, TooDeepError, is_solvable
from bots.brains.search.knowledge import Knowledge, chance_of
from bots.brains.search.laying import lay
from bots.brains.search.retold import Random, Retold
from bots.brains.search.simulator import Sim
from bots.brains.search.sizes import FACE_OUT, ON_BITS, ON_RULES
from bots.brains.search.thinking import answer_of
from bots.brains.search.tree import Tree
from games.rules.cards import BIT
from games.rules.engine import AnyState
from games.rules.rulesets.schema import is_face_out, needs_chance
from games.rules.shuffle import Entropy
from games.rules.state import State


class Weighed(msgspec.Struct, frozen=True):
    """Moves, the share of games that each saves, and how sure that is.

    `errors` are the standard errors of the distance of each share to that of the first best move.
    `exact` shares are 1, 0.5 or 0 and have no errors; nothing was played then (`deals` is 0).
    """

    moves: tuple[Answer, ...]
    shares: tuple[float, ...]
    errors: tuple[float, ...]
    deals: int = 0
    exact: bool = False

    @property
    def best(self) -> int:
        """The number of the first of the best moves."""
        return self.shares.index(max(self.shares))


class Scales:
    """Weighs the moves of one seat's turn; `made` is the move that it made, or one of them.

    `moves` are those a search would look at and the one made, which has the number `made`.
    """

    def __init__(self, view: View, history: History, made: Answer) -> None:
        self._view, self._history = view, history
        self.on_bits = is_claimed(rules_of(history))
        self._knowledge = Knowledge(view, history) if self.on_bits else None
        found = [self._plain(move) for move in (*self._found(), made)]
        self.moves = [move for number, move in enumerate(found) if move not in found[:number]]
        self.made = self.moves.index(found[-1])

    @property
    def is_certain(self) -> bool:
        """Whether the seat knew where every card was, as far as that can be told."""
        return self._knowledge is not None and self._knowledge.is_certain

    def blind(self, rng: random.Random) -> Weighed:
        """The moves on deals that the seat held possible."""
        if self._knowledge is None:
            return _through_rules(self._view, Retold(self._view, self._history), rng, self.moves)
        knowledge = self._knowledge
        chance = chance_of(rng)
        if knowledge.is_certain:
            return _seen(knowledge, knowledge.deal(chance), chance, self.moves)
        return _on_bits(knowledge, lambda: knowledge.deal(chance), chance, self.moves)

    def open(self, state: AnyState, rng: random.Random) -> Weighed:
        """The moves with all cards known, which lie as in `state`."""
        if self._knowledge is None:
            shown = _Truth(Retold(self._view, self._history), state)
            return _through_rules(self._view, shown, rng, self.moves)
        if not isinstance(state, State):
            raise TypeError("a game of attack and defence was expected")
        bit = self._knowledge.plan.deck.bit
        hands = [sum(bit[card] for card in bit if hand & BIT[card]) for hand in state.hands]
        talon = [bit[card] for card in reversed(state.talon)]
        truth = self._knowledge.truth(hands, talon)
        return _seen(self._knowledge, truth, chance_of(rng), self.moves)

    def _plain(self, move: Answer) -> Answer:
        """The same move with nothing empty; where their order means nothing, cards have one."""
        plain = {name: value for name, value in move.items() if value}
        if self._knowledge is not None and "cards" in plain:
            deck = self._knowledge.plan.deck
            plain["cards"] = deck.cards(deck.of(plain["cards"]))
        return plain

    def _found(self) -> list[Answer]:
        if self._knowledge is None:
            patterns = self._view["you"]["legal_moves"]
            return choices(patterns, greedy_answer(self._view))
        # Which actions there are does not depend on what is hidden.
        start = self._knowledge.deal(chance_of(random.Random(0)))
        return [answer_of(start, action) for action in start.choices()]


class _Truth:
    """Deals the cards as they really lie."""

    def __init__(self, retold: Retold, state: AnyState) -> None:
        self.me = retold.me
        self.rules = retold.rules
        self._retold = retold
        self._state = state

    def deal(self, _random: Random) -> AnyState:
        return self._state

    def chance(self, random: Random) -> Entropy:
        return self._retold.chance(random)


def _on_bits(
    knowledge: Knowledge, deal: Callable[[], Sim], chance: Chance, moves: list[Answer]
) -> Weighed:
    """The moves with a tree behind each, all of them grown from the same deals."""
    deals, me = _deals(ON_BITS, moves), knowledge.me
    branches = [(move, Tree(knowledge.plan, chance, deals)) for move in moves]

    def worth(start: Sim, move: Answer, tree: Tree) -> float:
        after = start.clone()
        lay(after, move)
        durak = tree.play(after, me)
        return 0.5 if durak == DRAW else float(durak != me)

    def worths() -> list[float]:
        start = deal()
        return [worth(start, *branch) for branch in branches]

    return _sampled(moves, worths, deals)


def _seen(knowledge: Knowledge, sim: Sim, chance: Chance, moves: list[Answer]) -> Weighed:
    """The moves of one certain position: exact if it can be solved."""
    if is_solvable(sim):
        try:
            return _solved(sim, moves)
        except TooDeepError:
            pass
    return _on_bits(knowledge, lambda: sim, chance, moves)


def _solved(sim: Sim, moves: list[Answer]) -> Weighed:
    solver = Solver()
    shares = tuple((_value(solver, sim, move) + 1) / 2 for move in moves)
    return Weighed(tuple(moves), shares, (0.0,) * len(moves), exact=True)


def _value(solver: Solver, sim: Sim, move: Answer) -> int:
    after = sim.clone()
    lay(after, move)
    return solver.value(after, sim.actor)


def _through_rules(
    view: View, dealer: Retold | _Truth, rng: random.Random, moves: list[Answer]
) -> Weighed:
    broad = Broad(view, dealer, rng.random, moves)
    # Greedy goes on in one way only, where chance has no part in it.
    fixed = isinstance(dealer, _Truth) and not needs_chance(dealer.rules)
    bounds = FACE_OUT if is_face_out(dealer.rules) else ON_RULES
    return _sampled(moves, broad.worths, 1 if fixed else _deals(bounds, moves))


def _deals(bounds: tuple[int, int, int], moves: list[Answer]) -> int:
    most, least, games = bounds
    return max(least, min(most, games // len(moves)))


def _sampled(moves: list[Answer], worths: Callable[[], list[float]], deals: int) -> Weighed:
    rows = list(zip(*(worths() for _ in range(deals)), strict=True))
    shares = tuple(fmean(row) for row in rows)
    best = rows[shares.index(max(shares))]
    errors = tuple(_error(best, row) for row in rows)
    return Weighed(tuple(moves), shares, errors, deals)


def _error(best: Sequence[float], row: Sequence[float]) -> float:
    apart = [one - other for one, other in zip(best, row, strict=True)]
    return pstdev(apart) / sqrt(len(apart))
