"""The engine: a state and three functions, for whichever family the rules are of.

``legal_moves(state, seat)`` says what a seat may do, ``decide(state, seat, move)`` turns a move
into events or refuses it, ``evolve(state, event)`` folds an event onto the state. `start` deals,
`play` decides and evolves at once.
No clock, no chance and no I/O: chance comes in as `Entropy`, and its outcome stands in the events.
"""

from typing import TypeAlias, TypeVar, overload

from games.rules.bout import decide as bout_decide
from games.rules.bout import evolve as bout_evolve
from games.rules.bout import legal as bout_legal
from games.rules.bout import setup as bout_setup
from games.rules.events import Event, Next, Previous, Seat
from games.rules.moves import Move
from games.rules.patterns import Pattern
from games.rules.rulesets.schema import BoutRules, Rules
from games.rules.shedding import decide as shedding_decide
from games.rules.shedding import evolve as shedding_evolve
from games.rules.shedding import legal as shedding_legal
from games.rules.shedding import setup as shedding_setup
from games.rules.shedding.state import SheddingState
from games.rules.shuffle import NO_ENTROPY, Entropy
from games.rules.state import State

__all__ = [
    "NO_ENTROPY",
    "AnyState",
    "Pattern",
    "Played",
    "Previous",
    "SheddingState",
    "State",
    "decide",
    "empty_state",
    "evolve",
    "fold",
    "legal_moves",
    "next_dealer",
    "play",
    "standing",
    "start",
]

AnyState: TypeAlias = State | SheddingState
Played: TypeAlias = bout_decide.Played | shedding_decide.Played
S = TypeVar("S", State, SheddingState, State | SheddingState)


def empty_state(rules: Rules, seats: int) -> AnyState:
    """The state of a game before its first event."""
    if isinstance(rules, BoutRules):
        return State(rules=rules, seats=seats)
    return SheddingState(rules=rules, seats=seats)


def start(
    rules: Rules, seats: int, entropy: Entropy, previous: Previous | None = None
) -> tuple[Event, ...]:
    """The events from the start of a game to the first decision.

    `previous` is the last game of the same match, if any: it decides who deals and who begins.
    """
    if isinstance(rules, BoutRules):
        return bout_setup.start(rules, seats, entropy, previous)
    return shedding_setup.start(rules, seats, entropy, previous)


def next_dealer(rules: Rules, seats: int, previous: Previous) -> Seat:
    """Who deals the game after `previous` (C1-04, U11)."""
    if isinstance(rules, BoutRules):
        return bout_setup.next_dealer(rules, seats, previous)
    return shedding_setup.next_dealer(rules, seats, previous)


def legal_moves(state: AnyState, seat: Seat) -> tuple[Pattern, ...]:
    """Every legal move of a seat. A move is accepted if and only if a pattern covers it."""
    if isinstance(state, State):
        return bout_legal.legal_moves(state, seat)
    return shedding_legal.legal_moves(state, seat)


def decide(
    state: AnyState, seat: Seat, move: Move, entropy: Entropy = NO_ENTROPY
) -> tuple[Event, ...]:
    """The events of a move; the last one says what follows. Raises Refusal and MalformedMove.

    `entropy` orders fresh slots and shuffles what is recycled; other moves need none.
    """
    if isinstance(state, State):
        return bout_decide.decide(state, seat, move, entropy)
    return shedding_decide.decide(state, seat, move, entropy)


@overload
def play(
    state: State, seat: Seat, move: Move, entropy: Entropy = NO_ENTROPY
) -> bout_decide.Played: ...
@overload
def play(
    state: SheddingState, seat: Seat, move: Move, entropy: Entropy = NO_ENTROPY
) -> shedding_decide.Played: ...
@overload
def play(state: AnyState, seat: Seat, move: Move, entropy: Entropy = NO_ENTROPY) -> Played: ...
def play(state: AnyState, seat: Seat, move: Move, entropy: Entropy = NO_ENTROPY) -> Played:
    """Decide a move and fold its events at once: what `decide` and then `evolve` would give."""
    if isinstance(state, State):
        return bout_decide.play(state, seat, move, entropy)
    return shedding_decide.play(state, seat, move, entropy)


def evolve(state: S, event: Event) -> S:
    """The state after an event; inside a move nobody may act."""
    if isinstance(state, State):
        return bout_evolve.evolve(state, event)
    return shedding_evolve.evolve(state, event)


def fold(state: S, events: tuple[Event, ...]) -> S:
    """The state after several events."""
    for event in events:
        state = evolve(state, event)
    return state


def standing(state: AnyState) -> Next:
    """What follows an event that leaves the game as it stands."""
    if isinstance(state, State):
        return Next(state.phase, state.to_act, state.attacker, state.defender)
    return Next(state.phase, state.to_act)
