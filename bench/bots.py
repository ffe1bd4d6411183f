"""Brains at a table in memory, on one core: games and moves in a second, beside other projects.

A brain's move is what a worker does for it, without the database: the view of its seat as JSON,
the choice, the rules' judgement, the events folded. Searching brains do without all that inside
their search; a simulator's steps and roll-outs are contenders like the others in `contenders`.
"""

import random
import time
from collections.abc import Callable, Mapping
from typing import Final

from bench import eights, uno
from bench.measure import Ratio, Round, Row, Section, compare, interleave, summarise
from bots.arena.contestants import contestant
from bots.arena.play import play_game
from games.rules.rulesets.registry import ruleset

GREEDY: Final = "greedy v random, throw_in, 2 players"
MAU_MAU_2: Final = "random, mau_mau, 2 players"
MAU_MAU_4: Final = f"random, mau_mau, {eights.PLAYERS} players"
UNO: Final = f"RLCard uno, RandomAgent, {uno.PLAYERS} players"
EIGHTS: Final = f"OpenSpiel crazy_eights, random, {eights.PLAYERS} players"
NOTES: Final = [
    "rates are per second of CPU time, of the same rounds in moves and in games",
    "brains see their seat's JSON view, RLCard's agents a few numbers, OpenSpiel's moves alone",
    "OpenSpiel is C++ called from Python; rules differ: rates to know, not to beat",
]
Play = Callable[[], int]


class Contender:
    """Plays games, so many a round, and counts moves; `games` are the same rounds in games."""

    def __init__(self, play: Play, games: int) -> None:
        self._play = play
        self._count = games
        self.games: list[Round] = []

    def __call__(self) -> Round:
        """One round, in moves."""
        started = time.process_time()
        moves = sum(self._play() for _ in range(self._count))
        seconds = time.process_time() - started
        self.games.append(Round(self._count, seconds))
        return Round(moves, seconds)


def contenders(games: int) -> dict[str, Contender]:
    """Who is measured, each with its games a round; the quick ones play more of them."""
    return {
        GREEDY: Contender(_brains("throw_in", "greedy", "random"), games),
        MAU_MAU_2: Contender(_brains("mau_mau", *["random"] * 2), games),
        MAU_MAU_4: Contender(_brains("mau_mau", *["random"] * eights.PLAYERS), games),
        UNO: Contender(uno.playout, games),
        EIGHTS: Contender(_eights(), 10 * games),
    }


def measure(*, rounds: int, games: int) -> Section:
    """Measure in `rounds` rounds of `games` games for each contender."""
    measured = contenders(games)
    played = interleave(measured, rounds)
    rows: list[Row] = []
    for name, done in played.items():
        rows.append(summarise(name, "moves/s", done))
        rows.append(summarise(name, "games/s", _counted(measured, name)))
    return Section("Brains, one core", rows, _ratios(played), NOTES)


def _ratios(played: Mapping[str, list[Round]]) -> list[Ratio]:
    pairs = [(MAU_MAU_2, UNO), (MAU_MAU_4, EIGHTS), (GREEDY, UNO), (GREEDY, EIGHTS)]
    return [compare(played, one, other) for one, other in pairs]


def _counted(measured: Mapping[str, Contender], name: str) -> list[Round]:
    """The rounds that count: the first of all was to warm up."""
    return measured[name].games[1:]


def _brains(ruleset_id: str, *names: str) -> Play:
    rules = ruleset(ruleset_id, players=len(names))
    players = [contestant(name) for name in names]
    deals = iter(range(10**9))
    return lambda: play_game(rules, players, f"bench.{next(deals)}").moves


def _eights() -> Play:
    rng = random.Random("bench")
    return lambda: eights.playout(rng)
