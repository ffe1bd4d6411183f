"""Games between players of known strength: real ones of bots with errors, and drawn by lot."""

import random
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import msgspec

from bots.brains import brain_get
from games.rules import engine
from games.rules.engine import AnyState
from games.rules.events import Result, Seat
from games.rules.moves import parse_move
from games.rules.rulesets.registry import Ruleset, ruleset
from games.rules.shuffle import Entropy

# The order in which the seats of a table came, the first out first; seats that drew together.
Order = tuple[tuple[Seat, ...], ...]
Contest = Callable[[Sequence[float], random.Random], Order]
# How much luck there is in a synthetic game, where strengths are spread with a deviation of 1.
LUCK: Final = 1.5
DRAWS: Final = 0.08
TEAMS: Final = {4: "partners"}


class Played(NamedTuple):
    """A game of a simulated season: who sat where, and the order in which they came."""

    players: tuple[int, ...]
    order: Order


class World(NamedTuple):
    """A way to play: how strong players are made, and how a game between them is played."""

    name: str
    strengths: Callable[[int, random.Random], list[float]]
    contest: Contest


def season(
    world: World, strengths: Sequence[float], games: int, sizes: Sequence[int], rng: random.Random
) -> Iterator[Played]:
    """Mixed tables until everybody has played `games` games in the mean."""
    seats = 0
    while seats < games * len(strengths):
        size = rng.choice(sizes)
        table = tuple(rng.sample(range(len(strengths)), size))
        yield Played(table, world.contest([strengths[player] for player in table], rng))
        seats += size


def erring(players: int, rng: random.Random) -> list[float]:
    """Strengths of greedy bots: minus the share of their moves that are made at random."""
    return [-rng.random() for _ in range(players)]


def normal(players: int, rng: random.Random) -> list[float]:
    """Strengths from a normal distribution."""
    return [rng.gauss(0.0, 1.0) for _ in range(players)]


def drawn_by_lot(strengths: Sequence[float], rng: random.Random) -> Order:
    """Everybody performs about as well as he is; the last two may draw."""
    shown = [strength + rng.gauss(0.0, LUCK) for strength in strengths]
    order = sorted(range(len(strengths)), key=lambda seat: -shown[seat])
    if rng.random() < DRAWS:
        return (*((seat,) for seat in order[:-2]), tuple(order[-2:]))
    return tuple((seat,) for seat in order)


def real_game(
    strengths: Sequence[float], rng: random.Random, ruleset_id: str = "throw_in"
) -> Order:
    """A game of throw-in durak, played with the engine by greedy bots that err."""
    return order_of(_result(_rules(ruleset_id, len(strengths)), strengths, rng))


def team_game(strengths: Sequence[float], rng: random.Random) -> Order:
    """The same, in teams where the table is one of four."""
    return real_game(strengths, rng, TEAMS.get(len(strengths), "throw_in"))


def order_of(result: Result) -> Order:
    """Who came before whom; all duraks of a team are last together."""
    durak = result.durak
    if durak is None or isinstance(durak, int):
        return result.places
    left = (tuple(seat for seat in group if seat not in durak) for group in result.places)
    return (*(group for group in left if group), tuple(durak))


def _result(rules: Ruleset, strengths: Sequence[float], rng: random.Random) -> Result:
    seats = len(strengths)
    state: AnyState = engine.empty_state(rules.rules, seats)
    entropy = Entropy(rng.randbytes(32), "bench", (b"",) * seats)
    for event in engine.start(rules.rules, seats, entropy):
        state = engine.evolve(state, event)
    while (result := state.result) is None:
        seat = state.to_act[0]
        brain = _RANDOM if rng.random() < -strengths[seat] else _GREEDY
        answer = brain.choose(_view(state, seat), (), rng, 0)
        state = engine.play(state, seat, parse_move(rules.family, answer), entropy).state
    return result


def _view(state: Any, seat: Seat) -> dict[str, Any]:
    """As much of a view as these brains look at."""
    return {
        "you": {"legal_moves": msgspec.to_builtins(engine.legal_moves(state, seat))},
        "trump": state.trump,
        "talon_count": len(state.talon),
        "table": [{"beat": pair.beat} for pair in state.table],
    }


def _rules(ruleset_id: str, seats: int) -> Ruleset:
    return ruleset(ruleset_id, players=seats)


_RANDOM: Final = brain_get("random").brain
_GREEDY: Final = brain_get("greedy").brain
REAL: Final = World("bots with errors, mixed tables", erring, real_game)
TEAM: Final = World("the same, tables of four in teams", erring, team_game)
SYNTHETIC: Final = World("drawn by lot, mixed tables", normal, drawn_by_lot)
