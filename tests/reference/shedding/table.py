"""A game on a table: the cards, the seats and what they do, move by move."""

from collections.abc import Callable
from typing import Any

from tests.reference.moves import Refused
from tests.reference.shedding import ending, listing, playing, refusals

NO_RESULT = {
    "durak": None,
    "draw": False,
    "winner": None,
    "reason": None,
    "stalemate": False,
    "points": None,
    "match_losers": None,
}
Cards = list[str]


class Table:
    """One game, changed in place by `play`.

    `position` has `hands`, `discard_pile` (the top card last), `talon` (the next card first) and
    `to_act`, and if need be `named_suit`, `dealer`, `out_in_order`. `options` holds every dial of
    the rulebook's 3.2. `shuffle` is asked how a pile lies that is shuffled when it is turned over.
    """

    def __init__(
        self,
        position: dict[str, Any],
        options: dict[str, Any],
        shuffle: Callable[[Cards], Cards] = list,
    ) -> None:
        self.options = options
        self.shuffle = shuffle
        self.hands: list[Cards] = [list(hand) for hand in position["hands"]]
        self.seats = len(self.hands)
        self.discard_pile: Cards = list(position["discard_pile"])
        self.talon: Cards = list(position["talon"])
        to_act = position["to_act"]
        self.to_act: int = to_act if isinstance(to_act, int) else to_act[0]
        self.dealer: int = position.get("dealer") or 0
        # Who follows the card that the dealer opened.
        self.first_player = self.to_act
        self.named_suit: str | None = position.get("named_suit")
        self.phase = "play"
        # The card drawn last in this turn: no other may be played.
        self.drawn: str | None = None
        # The suit of an ace that who is to act may cover and then name a suit.
        self.ace_suit: str | None = None
        # A penalty that who is to act may pass on.
        self.pending: dict[str, int] | None = None
        self.passed: list[int] = []
        self.out: list[int] = list(position.get("out_in_order", []))
        self.last_card: dict[int, str] = {}
        self.moves = 0
        self.result: dict[str, Any] | None = None

    def play(self, seat: int, move: dict[str, Any]) -> None:
        """Make a move. Raises Refused and leaves everything as it was if it is not allowed."""
        code = refusals.why_not(self, seat, move)
        if code is not None:
            raise Refused(code)
        playing.make(self, seat, move)
        self.moves += 1
        if self.moves >= self.options["max_moves"] and self.result is None:
            ending.finish_stale(self, "max_moves")

    def active(self) -> list[int]:
        """The seats that hold cards."""
        return [seat for seat in range(self.seats) if self.hands[seat]]

    def _ace_right(self) -> int | None:
        """Who has the right of an ace that another seat laid (C5-V4c)."""
        inherited = self.ace_suit is not None and self.phase != "ace_chain"
        return self.to_act if inherited else None

    def all_moves(self, seat: int) -> list[dict[str, Any]]:
        """Every single move that is allowed."""
        return listing.all_moves(self, seat)

    def snapshot(self) -> dict[str, Any]:
        """The game as the referee writes positions, and the rest of its result."""
        result = self.result or NO_RESULT
        return {
            "hands": [list(hand) for hand in self.hands],
            "discard_pile": list(self.discard_pile),
            "talon": list(self.talon),
            "phase": self.phase,
            "to_act": [] if self.result else [self.to_act],
            "dealer": self.dealer,
            "named_suit": self.named_suit,
            "drawn": self.drawn,
            "pending": self.pending,
            "ace_right": self._ace_right(),
            "passed": list(self.passed),
            "out_in_order": list(self.out),
            "last_cards": [self.last_card.get(seat) for seat in self.out],
            "discard_count": len(self.discard_pile),
            "game_over": self.result is not None,
            **result,
        }
