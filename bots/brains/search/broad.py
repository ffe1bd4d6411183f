"""Flat Monte-Carlo through the rules themselves: slow, and good for every ruleset."""

import time
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, Protocol

import msgspec

from bots.brains.greedy import greedy_answer
from bots.brains.registry import Answer, View
from bots.brains.search.retold import Random
from games.rules import engine
from games.rules.cards import to_cards
from games.rules.engine import AnyState
from games.rules.errors import Refusal
from games.rules.events import Result, Seat
from games.rules.moves import Move
from games.rules.patterns import Pattern
from games.rules.shuffle import Entropy
from games.rules.state import State

# Moves after which a roll-out is given up as a draw.
PATIENCE: Final = 300


class Dealer(Protocol):
    """Whoever gives a search the states that seat `me` holds possible, and their chance."""

    me: Seat

    def deal(self, random: Random) -> AnyState:
        """One of them."""
        ...

    def chance(self, random: Random) -> Entropy:
        """Chance for what comes after it."""
        ...


class Broad:
    """A search from one position. `grow` rolls every move out once, on one deal."""

    def __init__(self, view: View, retold: Dealer, random: Random, moves: list[Answer]) -> None:
        self.moves = moves
        self.rewards = dict.fromkeys(range(len(moves)), 0.0)
        self.deals = 0
        self._retold = retold
        self._random = random
        self._named = {"ruleset": view["ruleset"], "options": view["options"]}

    def grow(self, until: float | None = None) -> None:
        """A deal for all moves alike, so that luck does not favour one of them.

        After the first one a deal that is not done by then (monotonic time) does not count.
        """
        found = []
        for worth in self._each():
            if self.deals and until is not None and time.monotonic() > until:
                return
            found.append(worth)
        for number, worth in enumerate(found):
            self.rewards[number] += worth
        self.deals += 1

    def worths(self) -> list[float]:
        """What each move is worth on a new deal."""
        return list(self._each())

    def _each(self) -> Iterator[float]:
        start, chance = self._retold.deal(self._random), self._retold.chance(self._random)
        for number in range(len(self.moves)):
            yield self._worth(start, number, chance)

    def ranked(self) -> list[tuple[int, int, float]]:
        """The moves by number, best first: move, roll-outs, mean reward."""
        done = max(1, self.deals)
        found = [(number, self.deals, reward / done) for number, reward in self.rewards.items()]
        return sorted(found, key=lambda told: (-told[2], told[0]))

    def _worth(self, state: AnyState, number: int, chance: Entropy) -> float:
        me = self._retold.me
        try:
            state = engine.play(state, me, as_move(self.moves[number]), chance).state
        except Refusal:
            return 0.0
        for _ in range(PATIENCE):
            if state.result is not None:
                return reward(state.result, me, state.seats)
            state = greedy_step(state, self._named, chance)
        return 0.5


def greedy_step(state: AnyState, named: Mapping[str, Any], chance: Entropy) -> AnyState:
    """The state after the move that greedy makes for whoever is to act first."""
    seat = state.to_act[0]
    answer = greedy_answer(_seen(state, seat, engine.legal_moves(state, seat), named))
    return engine.play(state, seat, as_move(answer), chance).state


def _seen(
    state: AnyState, seat: Seat, patterns: Sequence[Pattern], named: Mapping[str, Any]
) -> dict[str, Any]:
    """As much of a view as greedy looks at."""
    you = {"seat": seat, "legal_moves": [_plain(pattern) for pattern in patterns]}
    seen: dict[str, Any] = {"you": you, "talon_count": len(state.talon), **named}
    if isinstance(state, State):
        return seen | {"trump": state.trump, "table": [{"beat": beat} for _, beat in state.table]}
    you["hand"] = to_cards(state.hands[seat])
    seats = [{"hand_count": hand.bit_count()} for hand in state.hands]
    return seen | {"top_card": state.pile[-1] if state.pile else None, "seats": seats}


@lru_cache(maxsize=16_384)
def _plain(pattern: Pattern) -> dict[str, Any]:
    built: dict[str, Any] = msgspec.to_builtins(pattern)
    return built


def as_move(answer: Answer) -> Move:
    """A brain's answer as the engine takes it."""
    return Move(
        answer["type"],
        tuple(answer.get("cards", ())),
        tuple(answer.get("slots", ())),
        answer.get("target"),
        answer.get("suit"),
    )


def reward(result: Result, seat: Seat, seats: int) -> float:
    """What a result is worth to a seat, 0 to 1: not to be the durak, or else its place."""
    durak = result.durak
    if result.points is None:
        if durak is None:
            return 0.5
        return 0.0 if seat in (durak if isinstance(durak, tuple) else (durak,)) else 1.0
    at = next(number for number, group in enumerate(result.places) if seat in group)
    worse = sum(len(group) for group in result.places[at + 1 :])
    return (worse + (len(result.places[at]) - 1) / 2) / (seats - 1)
