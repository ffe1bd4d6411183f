"""Deciding shedding moves: from a legal move to the events that it causes."""

from collections.abc import Callable
from typing import Final

import msgspec

from games.rules.errors import Refusal
from games.rules.events import Event, Next, Seat
from games.rules.moves import Move
from games.rules.shedding.flow import draw, end, lay, name_suit, pass_on
from games.rules.shedding.judge import why_not
from games.rules.shedding.state import SheddingState
from games.rules.shedding.story import Story
from games.rules.shuffle import NO_ENTROPY, Entropy


class Played(msgspec.Struct, frozen=True):
    """A move that was made: its events, and the state after the last of them."""

    events: tuple[Event, ...]
    state: SheddingState


def decide(
    state: SheddingState, seat: Seat, move: Move, entropy: Entropy = NO_ENTROPY
) -> tuple[Event, ...]:
    """The events of a move; the last one says what follows. Raises Refusal and MalformedMove.

    `entropy` shuffles the pile where it is not just turned over.
    """
    return tuple(_story(state, seat, move, entropy).events)


def play(state: SheddingState, seat: Seat, move: Move, entropy: Entropy = NO_ENTROPY) -> Played:
    """Decide a move and fold its events at once: what `decide` and then `evolve` would give."""
    story = _story(state, seat, move, entropy)
    return Played(tuple(story.events), story.state)


def _story(state: SheddingState, seat: Seat, move: Move, entropy: Entropy) -> Story:
    code = why_not(state, seat, move)
    if code is not None:
        raise Refusal(code)
    story = Story(state, entropy)
    end(story, _MOVES[move.type](story, seat, move))
    return story


_MOVES: Final[dict[str, Callable[[Story, Seat, Move], Next]]] = {
    "play": lay,
    "draw": draw,
    "pass": pass_on,
    "name_suit": name_suit,
}
