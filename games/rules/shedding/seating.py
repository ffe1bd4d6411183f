"""Who sits where, and who comes next."""

from games.rules.events import Seat
from games.rules.shedding.state import SheddingState


def active(state: SheddingState) -> list[Seat]:
    """The seats that are still in the game."""
    return [seat for seat in range(state.seats) if seat not in state.out]


def others_after(state: SheddingState, seat: Seat) -> list[Seat]:
    """The other seats in the game, clockwise from `seat`."""
    seats, out = state.seats, state.out
    circle = [(seat + step) % seats for step in range(1, seats)]
    return [other for other in circle if other not in out] if out else circle


def next_after(state: SheddingState, seat: Seat) -> Seat:
    """The next seat in the game clockwise; `seat` itself if no other is left."""
    others = others_after(state, seat)
    return others[0] if others else seat
