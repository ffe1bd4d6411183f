"""What a brain is shown of a turn: now, and again after the end."""

from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from bots.brains.registry import Entry, History
from games.rules.events import Seat
from games.selectors.game_show import event_list, game_view
from games.store import log
from games.store.log import Head


class Turn(msgspec.Struct, frozen=True):
    """One turn of a bot: where, in which seat, by which brain, and what the seat sees."""

    game_id: UUID
    version: int
    seat: Seat
    brain: str
    view: dict[str, Any]


def turn_at(head: Head, seat: Seat, brain: str, since: datetime) -> Turn:
    """The turn of a seat in the game as `head` has it, due `since` its last event.

    The view bears that time, whenever it is made: a turn looked at again looks the same.
    """
    view = as_json(game_view(head, seat, since, as_brain=True))
    return Turn(head.id, head.game.version, seat, brain, view)


def turn_history(turn: Turn, entry: Entry) -> History:
    """All events up to the turn as the seat saw them, if the brain reads them."""
    if not entry.reads_history:
        return ()
    stored = log.events(turn.game_id, limit=turn.version)
    history: History = as_json(event_list(None, stored, turn.seat, as_brain=True))
    return history


def as_json(value: Any) -> Any:
    """The value as a client would have it: plain dicts, lists and texts."""
    return msgspec.json.decode(msgspec.json.encode(value))
