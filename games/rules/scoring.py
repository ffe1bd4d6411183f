"""Results: who is the durak, who came in which place."""

from games.rules.events import Result, Seat
from games.rules.state import State


def result_of(state: State, left: list[Seat]) -> Result:
    """The result when at most one seat still holds cards (C2-31, C2-33, K16)."""
    if left:
        return _with_durak((*((seat,) for seat in state.out), (left[0],)), left[0])
    if not state.rules.draw_allowed:
        return _with_durak(tuple((seat,) for seat in state.out), state.out[-1])
    together = sum(1 for seat in state.emptied if not state.hands[seat])
    earlier = state.out[: len(state.out) - together]
    places = (*((seat,) for seat in earlier), state.out[len(earlier) :])
    return Result(None, True, winner_of(places), places, "played_out")


def draw_result(state: State, reason: str) -> Result:
    """A draw of all who still hold cards: by repetition or at the limit of moves."""
    rest = tuple(seat for seat in range(state.seats) if seat not in state.out)
    places = (*((seat,) for seat in state.out), rest)
    return Result(None, True, winner_of(places), places, reason)


def _with_durak(places: tuple[tuple[Seat, ...], ...], durak: Seat) -> Result:
    return Result(durak, False, winner_of(places), places, "played_out")


def winner_of(places: tuple[tuple[Seat, ...], ...]) -> Seat | None:
    """The seat that alone came first, if one did."""
    return places[0][0] if len(places[0]) == 1 else None


def resigned_result(seat: Seat) -> Result:
    """The end of a game of two players, one of whom gave up (X02)."""
    winner = 1 - seat
    return Result(seat, False, winner, ((winner,), (seat,)), "resigned")
