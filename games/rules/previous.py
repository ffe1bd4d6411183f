"""What one game of a match hands on to the next."""

import msgspec

from games.rules.events import Seat


class Previous(msgspec.Struct, frozen=True):
    """What the next game of a match needs to know of the last one."""

    dealer: Seat
    durak: Seat | None
    winner: Seat | None
    draw: bool
