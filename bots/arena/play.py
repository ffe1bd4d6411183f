"""One game between contestants: what they are asked, what they answer, and who lost."""

import random
from collections.abc import Sequence
from typing import Any

import msgspec

from bots.arena.contestants import Contestant
from bots.brains.registry import Answer
from bots.table import Table
from games.rules.errors import RulesError
from games.rules.events import Result, Seat
from games.rules.rulesets.registry import Ruleset


class FaultError(Exception):
    """A brain failed or answered against the rules."""

    def __init__(self, seat: Seat, reason: str) -> None:
        super().__init__(reason)
        self.seat = seat
        self.reason = reason


class Played(msgspec.Struct, frozen=True):
    """A game that is over: its losers (nobody in a draw), its moves, the seat that broke it off.

    `fault` says what that seat did.
    """

    losers: tuple[Seat, ...]
    moves: int
    faulty: Seat | None = None
    fault: str = ""


def play_game(rules: Ruleset, players: Sequence[Contestant], seed: str) -> Played:
    """One game to its end; deal and chance follow from `seed`, the deal from it alone.

    Whoever fails or answers against the rules has lost at once.
    """
    # Names that give nobody away.
    table = Table(rules, tuple(f"player-{seat}" for seat in range(len(players))), seed)
    chances = [random.Random(f"{seed}.{seat}") for seat in range(len(players))]
    moves = 0
    while table.result is None:
        seat = table.to_act[0]
        try:
            _turn(table, seat, players[seat], chances[seat])
        except FaultError as fault:
            return Played((fault.seat,), moves, fault.seat, fault.reason)
        moves += 1
    return Played(losers_of(table.result), moves)


def losers_of(result: Result) -> tuple[Seat, ...]:
    """The durak, the duraks of a team, or nobody."""
    if result.durak is None:
        return ()
    return (result.durak,) if isinstance(result.durak, int) else result.durak


def think(player: Contestant, view: Any, history: Any, rng: random.Random) -> Answer:
    """What a contestant answers: the one place where the arena asks a brain."""
    return player.entry.brain.choose(view, history, rng, player.budget)


def _turn(table: Table, seat: Seat, player: Contestant, rng: random.Random) -> None:
    history = table.history(seat) if player.entry.reads_history else ()
    try:
        body = think(player, table.view(seat), history, rng)
    except Exception as error:
        raise FaultError(seat, f"{type(error).__name__}: {error}") from error
    try:
        table.play(seat, body)
    except RulesError as refusal:
        raise FaultError(seat, f"{refusal} ({body})") from refusal
