"""What all events share, and what several of them tell."""

import msgspec

Seat = int


class Next(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What follows a move: the phase, who may act, and who attacks whom."""

    phase: str
    to_act: tuple[Seat, ...] = ()
    attacker: Seat | None = None
    defender: Seat | None = None


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a game ended. `places` lists the seats of the first place, of the second, and so on.

    `epaulettes` is there only where they are counted: with how many sixes the durak was finished.
    `match_losers` are seats that lose the match at once, whatever the points, if any do.
    """

    durak: Seat | tuple[Seat, ...] | None
    draw: bool
    winner: Seat | None
    places: tuple[tuple[Seat, ...], ...]
    reason: str
    points: dict[str, int] | None = None
    epaulettes: int | msgspec.UnsetType = msgspec.UNSET
    match_losers: tuple[Seat, ...] | msgspec.UnsetType = msgspec.UNSET


class Previous(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the next game of a match needs to know of the last one."""

    dealer: Seat
    durak: Seat | None
    winner: Seat | None
    draw: bool


class Event(
    msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True, forbid_unknown_fields=True
):
    """Any event. A fact that is not declared is an error: no log is read by halves."""

    next: Next | None = None
