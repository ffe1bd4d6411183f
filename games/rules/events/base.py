"""What all events share, and what several of them tell."""

from datetime import datetime

import msgspec

Seat = int


class Clock(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The time of a turn. No rule looks at it: it is stamped onto a move when the move is stored.

    `since` is when the turn began, or until when an outage that prolonged it lasted; at `deadline`
    the time of the first seat that is waited for is up. `banks` are the milliseconds that each
    seat has left besides, `missed` counts its missed turns in a row; both are empty where all is 0.
    """

    since: datetime
    deadline: datetime | None = None
    banks: tuple[int, ...] = ()
    missed: tuple[int, ...] = ()


class Next(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """What follows a move: the phase, who may act, who attacks whom, and until when."""

    phase: str
    to_act: tuple[Seat, ...] = ()
    attacker: Seat | None = None
    defender: Seat | None = None
    clock: Clock | None = None


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
