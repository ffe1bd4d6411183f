"""Results: who is the durak, who came in which place."""

from collections.abc import Iterable

from msgspec import UNSET

from games.rules.events import Result, Seat
from games.rules.state import State

Places = tuple[tuple[Seat, ...], ...]


def is_over(state: State, left: list[Seat]) -> bool:
    """Whether only one seat is left, or only one team (C2-31, 3.7, 8)."""
    if state.rules.teams == "none":
        return len(left) <= 1
    return len({seat % 2 for seat in left}) <= 1


def result_of(state: State, left: list[Seat]) -> Result:
    """The result when the game is over and `left` still hold cards (C2-31, C2-33, K16)."""
    if left:
        places = (*singly(state.out), tuple(left))
        return _with_durak(state, places, left[0])
    if not state.rules.draw_allowed:
        return _with_durak(state, singly(state.out), state.out[-1])
    together = sum(1 for seat in state.emptied if not state.hands[seat])
    earlier = state.out[: len(state.out) - together]
    places = (*singly(earlier), state.out[len(earlier) :])
    return Result(None, True, winner_of(places), places, "played_out")


def draw_result(seats: int, out: tuple[Seat, ...], reason: str) -> Result:
    """A draw of all of so many seats who are not out: by repetition, stalemate or a limit."""
    rest = tuple(seat for seat in range(seats) if seat not in out)
    places = (*singly(out), rest)
    return Result(None, True, winner_of(places), places, reason)


def resigned_result(seat: Seat, reason: str = "resigned") -> Result:
    """The end of a game of two players, one of whom gave up (X02) or forfeited it."""
    winner = 1 - seat
    return Result(seat, False, winner, ((winner,), (seat,)), reason)


def void_result() -> Result:
    """The end of a game that was never dealt."""
    return Result(None, False, None, (), "aborted")


def annulled_result() -> Result:
    """The end of a game that was voided while it ran."""
    return Result(None, False, None, (), "voided")


def winner_of(places: Places) -> Seat | None:
    """The seat that alone came first, if one did."""
    return places[0][0] if len(places[0]) == 1 else None


def _with_durak(state: State, places: Places, last: Seat) -> Result:
    durak: Seat | tuple[Seat, ...] = last
    if state.rules.teams != "none":
        durak = tuple(seat for seat in range(state.seats) if (seat - last) % 2 == 0)
    epaulettes = _epaulettes(state) if state.rules.epaulettes else UNSET
    winner = _winner_beside(state, last)
    return Result(durak, False, winner, places, "played_out", epaulettes=epaulettes)


def _winner_beside(state: State, last: Seat) -> Seat | None:
    """The first to go out; in team games the first of the team that won (K1)."""
    if state.rules.teams == "none":
        return state.out[0] if state.out else None
    return next((seat for seat in state.out if (seat - last) % 2), None)


def _epaulettes(state: State) -> int:
    """With how many sixes the last to go out finished the durak (X08)."""
    finisher = state.out[-1] if state.out else None
    for seat, cards in zip(state.emptied, state.shed, strict=True):
        if seat == finisher and all(card[0] == "6" for card in cards):
            return len(cards)
    return 0


def singly(seats: Iterable[Seat]) -> Places:
    """The seats in places of their own, in this order."""
    return tuple((seat,) for seat in seats)
