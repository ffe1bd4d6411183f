"""The rules alone, on one core: random play-outs, and deciding and evolving known moves.

Times are CPU times of this process, so that whoever else uses the machine counts little.
"""

import random
import time
from collections.abc import Callable, Sequence
from functools import cache
from typing import Final, NamedTuple

from bench import eights, yardstick
from bench.measure import Ratio, Round, Section, compare, interleave, summarise
from bench.yardstick import below
from games.rules import engine
from games.rules.engine import AnyState, Pattern
from games.rules.events import Seat
from games.rules.moves import Move
from games.rules.rulesets.registry import ruleset
from games.rules.rulesets.schema import Rules
from games.rules.shuffle import Entropy
from games.rules.state import TAKE

RULESET, SHEDDING = "throw_in", "mau_mau"
STEPS_WANTED: Final = 150_000
TABLE_WANTED: Final = 60_000
PLAYOUTS, YARDSTICK = "random play-outs, 2 players", "durakgame, the same"
TABLE: Final = "random play-outs, 6 players"
MAU_MAU, EIGHTS = f"mau_mau play-outs, {eights.PLAYERS} players", "OpenSpiel crazy_eights, the same"
STEPS = {seats: f"decide + evolve, {seats} players" for seats in (2, 6)}


# A step is a move judged, told and folded; a play-out also deals, lists what is legal, chooses.
NOTES: Final = [
    "rates are per second of CPU time",
    "durakgame changes one state in place and checks nothing; it has no steps to time alone",
    "OpenSpiel is C++ called from Python, and its rules differ: a rate to know, not to beat",
]


class Recorded(NamedTuple):
    """A game dealt, and the moves that were then made."""

    dealt: AnyState
    moves: Sequence[tuple[Seat, Move]]


def measure(*, rounds: int, games: int) -> Section:
    """Measure in `rounds` rounds of `games` games for each contender."""
    rng = random.Random("bench")
    contenders = {
        PLAYOUTS: lambda: _timed(lambda: sum(playout(2, rng) for _ in range(games))),
        YARDSTICK: lambda: _timed(lambda: sum(yardstick.playout(rng) for _ in range(games))),
        TABLE: lambda: _timed(lambda: sum(playout(6, rng) for _ in range(games))),
        MAU_MAU: lambda: _timed(
            lambda: sum(playout(eights.PLAYERS, rng, SHEDDING) for _ in range(games))
        ),
        EIGHTS: lambda: _timed(lambda: sum(eights.playout(rng) for _ in range(games))),
    }
    for seats, name in STEPS.items():
        contenders[name] = _stepper([record(seats, rng) for _ in range(games)])
    played = interleave(contenders, rounds)
    rows = [summarise(name, "moves/s", done) for name, done in played.items()]
    rates = {row.name: row.rate for row in rows}
    ratios = [
        compare(played, STEPS[2], YARDSTICK, 1.2, binding=True),
        compare(played, PLAYOUTS, YARDSTICK),
        compare(played, MAU_MAU, EIGHTS),
        *(
            Ratio(f"{name} / {wanted:,} a second", rates[name] / wanted, wanted=1.0)
            for name, wanted in ((STEPS[2], STEPS_WANTED), (TABLE, TABLE_WANTED))
        ),
    ]
    return Section("Engine, one core", rows, ratios, NOTES)


def playout(seats: int, rng: random.Random, ruleset_id: str = RULESET) -> int:
    """Deal and play at random to the end; how many moves that took."""
    state, moves = deal(seats, rng, ruleset_id), 0
    while state.to_act:
        seat = state.to_act[0]
        state = step(state, seat, choose(state, engine.legal_moves(state, seat), rng))
        moves += 1
    return moves


def record(seats: int, rng: random.Random) -> Recorded:
    """A random play-out with its moves."""
    dealt = state = deal(seats, rng)
    moves = []
    while state.to_act:
        seat = state.to_act[0]
        move = choose(state, engine.legal_moves(state, seat), rng)
        moves.append((seat, move))
        state = step(state, seat, move)
    return Recorded(dealt, moves)


def deal(seats: int, rng: random.Random, ruleset_id: str = RULESET) -> AnyState:
    """A game dealt by the project's own shuffle, before the first move."""
    rules = _rules(ruleset_id, seats)
    entropy = Entropy(rng.randbytes(32), "bench", (b"",) * seats)
    dealt = engine.start(rules, seats, entropy)
    state: AnyState = engine.empty_state(rules, seats)
    for event in dealt:
        state = engine.evolve(state, event)
    return state


@cache
def _rules(ruleset_id: str, seats: int) -> Rules:
    return ruleset(ruleset_id, players=seats).rules


def step(state: AnyState, seat: Seat, move: Move) -> AnyState:
    """Judge a move and fold its events: one step of the engine."""
    return engine.play(state, seat, move).state


def choose(state: AnyState, patterns: Sequence[Pattern], rng: random.Random) -> Move:
    """A random pattern, a card and a suit of it; nothing is added to a bout being taken."""
    pattern = patterns[-1] if state.phase == TAKE else patterns[below(len(patterns), rng)]
    cards = (pattern.cards[below(len(pattern.cards), rng)],) if pattern.cards else ()
    suit = pattern.suits[below(len(pattern.suits), rng)] if pattern.suits else None
    return Move(pattern.type, cards, target=pattern.target, suit=suit)


def _stepper(games: Sequence[Recorded]) -> Callable[[], Round]:
    return lambda: _timed(lambda: sum(_replayed(game) for game in games))


def _replayed(game: Recorded) -> int:
    state = game.dealt
    for seat, move in game.moves:
        state = step(state, seat, move)
    return len(game.moves)


def _timed(work: Callable[[], int]) -> Round:
    started = time.process_time()
    count = work()
    return Round(count, time.process_time() - started)
