"""Who plays the seats of a record: given up for good, or left to a bot until the player is back."""

from typing import NamedTuple

from games.rules.events import Seat
from games.rules.record.game import Turn


class Sitting(NamedTuple):
    """The seats that were resigned, and those that a bot plays."""

    resigned: set[Seat]
    away: set[Seat]

    def why_not(self, turn: Turn) -> str | None:
        """Why the seat cannot change hands as the turn says; if it can, it has."""
        seat, kind = turn.seat, turn.move.type
        if kind == "resign" and seat in self.resigned:
            return "this seat has been given up already"
        if kind == "bot" and seat in self.away:
            return "a bot plays this seat already"
        if kind == "back" and seat not in self.away - self.resigned:
            return "nobody can come back to this seat"
        self._change(seat, kind)
        return None

    def _change(self, seat: Seat, kind: str) -> None:
        if kind == "resign":
            self.resigned.add(seat)
        elif kind == "bot":
            self.away.add(seat)
        elif kind == "back":
            self.away.remove(seat)
