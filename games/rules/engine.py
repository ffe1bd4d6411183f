"""The engine: a state and three functions.

``legal_moves(state, seat)`` says what a seat may do, ``decide(state, seat, move)`` turns a move
into events or refuses it, ``evolve(state, event)`` folds an event onto the state. `start` deals,
`play` decides and evolves at once.
No clock, no chance and no I/O: chance comes in as `Entropy`, and its outcome stands in the events.
"""

from games.rules.bout.decide import NO_ENTROPY, Played, decide, play
from games.rules.bout.evolve import evolve
from games.rules.bout.legal import Pattern, legal_moves
from games.rules.bout.setup import next_dealer, start
from games.rules.events import Event, Previous
from games.rules.state import State

__all__ = [
    "NO_ENTROPY",
    "Pattern",
    "Played",
    "Previous",
    "State",
    "decide",
    "evolve",
    "fold",
    "legal_moves",
    "next_dealer",
    "play",
    "start",
]


def fold(state: State, events: tuple[Event, ...]) -> State:
    """The state after several events."""
    for event in events:
        state = evolve(state, event)
    return state
