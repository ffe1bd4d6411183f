"""The decisions of a game, found in its events, each with what its seat was shown."""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import msgspec

from bots.brains.registry import Answer
from games.rules import game as games
from games.rules.bout.held import slots_of
from games.rules.engine import AnyState
from games.rules.events import TABLE_EVENTS, TYPE_OF, Event, Seat, SeatTimedOut
from games.rules.game import Game
from games.rules.moves import Move
from games.rules.record.game import move_of
from games.rules.state import State
from games.rules.views import Sitter, redact, view_for

By = Literal["player", "bot", "clock"]


class Turn(msgspec.Struct, frozen=True):
    """A move that was made: the `number`-th, told from event `seq` on, in the game as it was.

    `by` says who made it for its seat.
    """

    number: int
    seq: int
    seat: Seat
    by: By
    move: Answer
    game: Game

    @property
    def state(self) -> AnyState:
        """The cards before the move."""
        if self.game.state is None:
            raise ValueError("the cards are not dealt")
        return self.game.state


def turns_of(events: Sequence[Event]) -> Iterator[Turn]:
    """Every move with cards; giving up, handing over and coming back are none."""
    game: Game | None = None
    due = clocked = False
    number = 0
    for seq, event in enumerate(events, 1):
        beside = TYPE_OF[type(event)] in TABLE_EVENTS
        said = move_of(event) if due and not beside else None
        if said is not None and game is not None and game.state is not None:
            number += 1
            by = _by(game, said.seat, clocked=clocked)
            move = _answer(game.state, said.seat, said.move)
            yield Turn(number, seq, said.seat, by, move, game)
        game = games.evolve(game, event)
        clocked = isinstance(event, SeatTimedOut) or (clocked and event.next is None)
        due = due if beside else event.next is not None


class Eyes:
    """What each seat was shown; the same whatever the players' names are."""

    def __init__(self, events: Sequence[Event]) -> None:
        self._events = events
        self._seen: dict[Seat, list[dict[str, Any]]] = {}

    def view(self, turn: Turn) -> dict[str, Any]:
        """The view of the seat whose turn it was."""
        nobody = (Sitter("", "human"),) * len(turn.game.chairs)
        view: dict[str, Any] = _plain(view_for(turn.game, turn.seat, nobody, as_brain=True))
        return view

    def history(self, turn: Turn) -> list[dict[str, Any]]:
        """The events before the turn as its seat was told them."""
        seen = self._seen.setdefault(turn.seat, [])
        for seq in range(len(seen) + 1, turn.seq):
            seen.append(_plain({"seq": seq, **redact(self._events[seq - 1], turn.seat)}))
        return seen[: turn.seq - 1]


def _by(game: Game, seat: Seat, *, clocked: bool) -> By:
    if clocked:
        return "clock"
    return "player" if game.chairs[seat].brain is None else "bot"


def _answer(state: AnyState, seat: Seat, move: Move) -> Answer:
    """The move as it was sent: by slot where the owner cannot see the face."""
    named = slots_of(state, seat, move.cards) if isinstance(state, State) else ()
    if named and move.type != "call":
        move = msgspec.structs.replace(move, cards=(), slots=named)
    answer: Answer = _plain(move)
    return answer


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))
