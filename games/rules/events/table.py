"""Events of the table: who sits there, what was agreed; no card moves."""

from datetime import datetime
from typing import Final

import msgspec
from msgspec.structs import force_setattr

from games.rules.events.base import Event, Previous, Result, Seat


class GameCreated(Event, frozen=True):
    """A table was opened. Everything that decides the game is fixed here but the seeds.

    `rules` is the complete ruleset and `ruleset_sha256` its hash; `commitment` and
    `chain_commitment` are the hex digests of the secrets of deal and log. `series_length` and
    `match_target` say when the match ends; `previous` is the game before this one in it. `reserved`
    are the accounts that alone may take the seats, until `reserved_until`. A turn has
    `turn_seconds` (None: there is no clock) and what its seat has left of `bank_seconds`;
    `on_timeout` says what happens then: safe_move, bot or forfeit. Who only watches is
    `spectator_delay` moves behind.
    """

    ruleset: str
    options: dict[str, object]
    rules: dict[str, object]
    ruleset_sha256: str
    seats: int
    creator: str
    rated: bool
    visibility: str
    auto_start: bool
    match: str
    game_number: int
    commitment: str
    chain_commitment: str
    series_length: int | None = None
    match_target: int | None = None
    previous: Previous | None = None
    reserved: tuple[str | None, ...] = ()
    reserved_until: datetime | None = None
    turn_seconds: int | None = None
    bank_seconds: int = 0
    on_timeout: str = "safe_move"
    spectator_delay: int = 0

    def __post_init__(self) -> None:
        """Options are told in one order, whichever way they came: asked for, or from a log."""
        ordered = msgspec.json.encode(self.options, order="sorted")
        force_setattr(self, "options", msgspec.json.decode(ordered))


class PlayerJoined(Event, frozen=True):
    """A player took a seat; `brain` names what plays it if it is a bot's, `seed` is in hex."""

    seat: Seat
    player: str
    kind: str
    brain: str | None = None
    client_seed: str = ""


class PlayerLeft(Event, frozen=True):
    """A player gave his seat back before the start."""

    seat: Seat
    player: str


class ClientSeedSet(Event, frozen=True):
    """A player exchanged his half of the deal's chance before the start; the seed is in hex."""

    seat: Seat
    client_seed: str


class SeatResigned(Event, frozen=True):
    """A player gave the game up."""

    seat: Seat


class SeatReplaced(Event, frozen=True):
    """A bot plays a seat from now on."""

    seat: Seat
    brain: str
    reason: str


class SeatReturned(Event, frozen=True):
    """A player took his seat back from the bot."""

    seat: Seat


class SeatTimedOut(Event, frozen=True):
    """A seat's time was up: what is done about it follows. `missed` counts such turns in a row."""

    seat: Seat
    missed: int


class DeadlineExtended(Event, frozen=True):
    """The service was out of order, and the turn is longer by as much of that as lay in it."""

    down_from: datetime
    down_until: datetime


class GameVoided(Event, frozen=True):
    """The game was called off before its deal, or voided later: it counts for nothing.

    `reason` and `by` say why and by whom a game was voided whose cards were dealt; `result` is then
    the one that it had, or that it has none.
    """

    result: Result
    reason: str = ""
    by: str = ""


TABLE_EVENTS: Final[dict[str, type[Event]]] = {
    "game_created": GameCreated,
    "player_joined": PlayerJoined,
    "player_left": PlayerLeft,
    "client_seed_set": ClientSeedSet,
    "seat_resigned": SeatResigned,
    "seat_replaced": SeatReplaced,
    "seat_returned": SeatReturned,
    "seat_timed_out": SeatTimedOut,
    "deadline_extended": DeadlineExtended,
    "game_voided": GameVoided,
}
