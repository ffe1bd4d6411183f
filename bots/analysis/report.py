"""What an analysis says. Shares are of games that are saved: 1 none is lost, 0 all are."""

from typing import Annotated, Literal

import msgspec

By = Annotated[str, msgspec.Meta(extra_json_schema={"enum": ["player", "bot", "clock"]})]
Search = Literal["tree", "roll_outs"]
SearchOut = Annotated[str, msgspec.Meta(extra_json_schema={"enum": ["tree", "roll_outs"]})]


class AnalysedMove(msgspec.Struct, frozen=True, omit_defaults=True):
    """A move, as it would be sent."""

    type: str
    cards: tuple[str, ...] = ()
    slots: tuple[int, ...] = ()
    target: str | None = None
    suit: str | None = None


class WeighedMove(msgspec.Struct, frozen=True):
    """A move that was possible: its share by what the seat knew, and with all cards known."""

    move: AnalysedMove
    share: float
    hindsight: float


class Hindsight(msgspec.Struct, frozen=True):
    """The same decision with all cards known: the best move then, and what was lost by another.

    `deals` games were played on behind each move; 0 where the position was solved.
    """

    best: AnalysedMove
    loss: float
    deals: int
    exact: bool


class JudgedMove(msgspec.Struct, frozen=True):
    """A move that was made. Of a forced one nothing but the move is told.

    `seq` is its first event, `at_version` what its seat was shown, `by` who made it for the seat.
    `options` are best first, `best` the first of them, `share` that of the move made. `loss` is
    the share of the best less `share`, or 0 where that is no more than chance may make of it:
    `error` is its standard error, from `deals` deals; both are 0 where the shares are `exact`.
    `came` is what the seat's share then changed by until its next decision that was no forced
    one, or the end.
    """

    number: int
    seq: int
    at_version: int
    seat: int
    by: By
    move: AnalysedMove
    options: tuple[WeighedMove, ...] = ()
    best: AnalysedMove | None = None
    share: float | None = None
    loss: float = 0.0
    error: float = 0.0
    deals: int = 0
    exact: bool = False
    hindsight: Hindsight | None = None
    came: float | None = None

    @property
    def is_forced(self) -> bool:
        """Whether there was nothing to decide."""
        return not self.options


class SeatAnalysis(msgspec.Struct, frozen=True):
    """A seat's game as a sum: result = expected + luck + gained - loss - given_up.

    `result` is 1 for whoever is not the durak, 0.5 in a draw, a place between 1 and 0 where points
    are counted; `expected` what it is on average at such a table. `loss` is by its own moves,
    `gained` by those of the others, `given_up` the share that it had when it gave the game up.
    `luck` is the rest: the deal, the draw, what nobody could know; `deal` is the part of it that
    was there at the seat's first decision. `hindsight_loss` is what its moves lost with all cards
    known. `accuracy` is from 0 (always the worst move) to 100, null if nothing was at stake.
    `worst` and `best` are numbers of decisions: the dearest, and those that kept most.
    """

    seat: int
    result: float
    expected: float
    luck: float
    deal: float
    gained: float
    loss: float
    given_up: float
    hindsight_loss: float
    decisions: int
    accuracy: float | None
    worst: tuple[int, ...]
    best: tuple[int, ...]


class AnalysisResult(msgspec.Struct, frozen=True):
    """A whole game: how it was searched, its seats, its moves in order."""

    search: SearchOut
    seats: tuple[SeatAnalysis, ...]
    decisions: tuple[JudgedMove, ...]
