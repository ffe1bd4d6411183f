"""A game on a table: the cards, the seats and what they do, move by move."""

from collections import Counter
from typing import Any

from tests.reference import ending, listing, playing, refusals, seating
from tests.reference.moves import Refused

NO_RESULT = {"durak": None, "draw": False, "winner": None, "reason": None}


class Table:
    """One game, changed in place by `play`.

    `position` is what is dealt: `hands`, `talon`, `trump`, `attacker`, and if need be `turn_up`,
    `dealer`, `first_bout`, `discard_count`, `lowest_trump_owner`. `options` holds every option of
    the rulebook 3.1. `table` lists pairs of an attack card and its cover or None.
    """

    def __init__(self, position: dict[str, Any], options: dict[str, Any]) -> None:
        self.options = options
        self.hands: list[list[str]] = [list(hand) for hand in position["hands"]]
        self.seats = len(self.hands)
        self.talon: list[str] = list(position["talon"])
        self.trump: str | None = position["trump"]
        self.turn_up: str | None = position.get("turn_up", self._usual_turn_up())
        self.dealer: int = position.get("dealer") or 0
        self.first_bout: bool = position.get("first_bout", False)
        self.discard_count: int = position.get("discard_count", 0)
        self.lowest_trump_owner: int | None = position.get("lowest_trump_owner")
        self.out: list[int] = []
        self.shed_with: dict[int, list[str]] = {}
        self.moves = 0
        self.seen: Counter[Any] = Counter()
        self.result: dict[str, Any] | None = None
        ending.open_bout(self, position["attacker"])

    # The bout on the table; `open_bout` sets all of it anew.
    attacker: int
    defender: int
    defender_held: int
    phase: str
    table: list[list[str | None]]
    passed: list[int]
    emptied: list[int]
    shown: list[str]
    plays: list[dict[str, Any]]
    barred: list[int]

    def _usual_turn_up(self) -> str | None:
        has_open_card = self.options["trump_source"] in ("turn_up", "draw_until_suit")
        return self.talon[-1] if self.talon and has_open_card else None

    def play(self, seat: int, move: dict[str, Any]) -> None:
        """Make a move. Raises Refused and leaves everything as it was if it is not allowed."""
        code = refusals.why_not(self, seat, move)
        if code is not None:
            raise Refused(code)
        playing.make(self, seat, move)
        self.moves += 1
        if self.moves >= self.options["max_moves"] and self.result is None:
            ending.finish_drawn(self, "max_moves")

    def to_act(self) -> list[int]:
        """The seats that may act now, apart from calls."""
        return seating.to_act(self)

    def all_moves(self, seat: int, most: int = 4) -> list[dict[str, Any]]:
        """Every single move that is allowed, of at most `most` cards, calls apart."""
        return listing.all_moves(self, seat, most)

    def callable_cards(self, seat: int) -> list[str]:
        """Every card that others beat with or threw in during this bout (3.7, 11)."""
        return listing.callable_cards(self, seat)

    def snapshot(self) -> dict[str, Any]:
        """The game as the referee writes positions, and the rest of its result."""
        result = self.result or NO_RESULT
        return {
            "hands": [list(hand) for hand in self.hands],
            "trump": self.trump,
            "talon": list(self.talon),
            "turn_up": self.turn_up,
            "phase": self.phase,
            "to_act": self.to_act(),
            "attacker": self.attacker,
            "defender": self.defender,
            "table": [{"attack": attack, "beat": cover} for attack, cover in self.table],
            "passed": list(self.passed),
            "discard_count": self.discard_count,
            "first_bout": self.first_bout,
            "out_in_order": list(self.out),
            "emptied": list(self.emptied),
            "shown": list(self.shown),
            "plays": list(self.plays),
            "barred": list(self.barred),
            "lowest_trump_owner": self.lowest_trump_owner,
            "game_over": self.result is not None,
            **result,
        }
