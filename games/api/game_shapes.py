"""Shapes of games on the wire: what goes out is built by the eyes of the rules."""

from datetime import datetime
from typing import Annotated, Any, Literal
from uuid import UUID

import msgspec
from msgspec import Meta

from games.api.bodies import Body
from games.api.tickets import TicketText

Status = Literal["open", "running", "finished"]
Visibility = Literal["public", "private"]
OnTimeout = Literal["safe_move", "bot", "forfeit"]
SeatNumber = Annotated[int, Meta(ge=0, lt=6)]


class BotSeat(Body, frozen=True):
    """A bot for a seat, by the name of its brain."""

    brain: Annotated[str, Meta(max_length=40)]


class BotChoice(Body, frozen=True):
    """A bot for a seat: one of the server's by its `brain`, or a third party's by its name."""

    brain: Annotated[str, Meta(max_length=40)] | None = None
    player: Annotated[str, Meta(max_length=100)] | None = None


class NewGame(Body, frozen=True):
    """A table to open. Bots take the last seats; with as many bots as seats you only watch."""

    ruleset: Annotated[str, Meta(max_length=80)]
    seats: Annotated[int, Meta(ge=0)]
    options: dict[str, Any] = {}
    bots: Annotated[list[BotSeat], Meta(max_length=52)] = []
    rated: bool = False
    visibility: Visibility = "public"
    turn_seconds: (
        Annotated[
            int,
            Meta(ge=1, description="for each turn; null: no clock. `/limits` has the bounds"),
        ]
        | None
    ) = None
    bank_seconds: Annotated[
        int, Meta(ge=0, description="for each seat and game, used when a turn takes longer")
    ] = 0
    on_timeout: OnTimeout = "safe_move"
    spectator_delay: Annotated[
        int, Meta(ge=0, description="moves by which those who only watch are behind")
    ] = 0
    client_seed: Annotated[str, Meta(description="at most 64 bytes of UTF-8")] = ""
    auto_start: bool = True
    series_length: (
        Annotated[int, Meta(ge=1, le=99, description="odd: the match is the best of so many games")]
        | None
    ) = None
    match_target: (
        Annotated[int, Meta(ge=1, le=10_000, description="so many points lose the match")] | None
    ) = None


class Join(Body, frozen=True):
    """The invite of a private game, and the seed that the seat adds to the shuffle."""

    invite: Annotated[str, Meta(max_length=100)] = ""
    client_seed: Annotated[str, Meta(description="at most 64 bytes of UTF-8")] = ""


class Nothing(Body, frozen=True):
    """No fields."""


class ViewQuery(msgspec.Struct, frozen=True):
    """`at`: the view at an earlier version; `seat`: another seat's view once the game is over."""

    at: Annotated[int, Meta(ge=1)] | None = None
    seat: SeatNumber | None = None


class EventsQuery(msgspec.Struct, frozen=True):
    """Events with a `seq` above `after`, as a page or as a stream."""

    after: Annotated[int, Meta(ge=0, description="the last `seq` that is known already")] = 0
    limit: Annotated[int, Meta(ge=1, description="of a page; more than 1000 is 1000")] = 100
    wait: Annotated[int, Meta(ge=0, le=60, description="seconds that a page may take")] = 0
    snapshot: Annotated[bool, Meta(description="the view first, then what follows it")] = False
    ticket: TicketText | None = None


class MoveBody(msgspec.Struct, frozen=True, rename={"kind": "type"}):
    """A move: a pattern of `legal_moves` with between `min` and `max` of its cards."""

    kind: str
    card: str | None = None
    cards: list[str] | None = None
    slot: int | None = None
    slots: list[int] | None = None
    target: str | None = None
    suit: str | None = None
    expected_version: int | None = None


class MatchItem(msgspec.Struct, frozen=True):
    """The match that the game belongs to, and its number there from 1."""

    id: UUID
    game_number: int


class MatchTerms(MatchItem, frozen=True):
    """The same, and what ends the match: so many games, or so many points."""

    series_length: int | None
    match_target: int | None


class PatternView(msgspec.Struct, frozen=True):
    """A family of legal moves; API.md tells how to read it."""

    type: str
    target: str | msgspec.UnsetType = msgspec.UNSET
    cards: list[str] | msgspec.UnsetType = msgspec.UNSET
    slots: list[int] | msgspec.UnsetType = msgspec.UNSET
    first: list[str] | msgspec.UnsetType = msgspec.UNSET
    min: int | msgspec.UnsetType = msgspec.UNSET
    max: int | msgspec.UnsetType = msgspec.UNSET
    suits: list[str] | msgspec.UnsetType = msgspec.UNSET
    suit_required: bool | msgspec.UnsetType = msgspec.UNSET


class SlotView(msgspec.Struct, frozen=True):
    """A card of one's own that only the others see, by the number it is played with."""

    slot: int


class YouView(msgspec.Struct, frozen=True):
    """What only the viewer's seat knows; with hands face out its own cards are slots."""

    seat: int
    hand: list[str | SlotView]
    legal_moves: list[PatternView]


class ClockView(msgspec.Struct, frozen=True):
    """The terms of the clock, as the table was opened with them."""

    turn_seconds: int
    bank_seconds: int
    on_timeout: OnTimeout


class SeatView(msgspec.Struct, frozen=True):
    """A seat as the viewer sees it; `bot` names the brain that plays it.

    `shown` are cards of the hand that everybody has seen; `hand` is there with hands face out.
    `bank_seconds` is what is left of its time bank at tables that have one, once cards are dealt.
    A free seat with the status `reserved` is kept for the player named by `reserved_for`.
    """

    seat: int
    player: str | None
    kind: str | None
    bot: str | None
    hand_count: int
    status: str
    place: int | None
    bank_seconds: float | msgspec.UnsetType = msgspec.UNSET
    shown: list[str] | msgspec.UnsetType = msgspec.UNSET
    hand: list[str] | msgspec.UnsetType = msgspec.UNSET
    reserved_for: str | msgspec.UnsetType = msgspec.UNSET


class PairView(msgspec.Struct, frozen=True):
    """An attack card and what beat it."""

    attack: str
    beat: str | None


class ResultView(msgspec.Struct, frozen=True):
    """How the game ended."""

    durak: int | list[int] | None
    draw: bool
    winner: int | None
    places: list[list[int]]
    reason: str
    points: dict[str, int] | None
    epaulettes: int | msgspec.UnsetType = msgspec.UNSET
    match_losers: list[int] | msgspec.UnsetType = msgspec.UNSET


class FairnessView(msgspec.Struct, frozen=True):
    """The commitment to the server's seed, in hex."""

    commitment: str


class PenaltyView(msgspec.Struct, frozen=True):
    """A penalty that may be passed on: cards to draw, turns to miss."""

    draw: int
    skip: int


class GameView(msgspec.Struct, frozen=True):
    """A game as its viewer may see it; `you` is null for those who only watch.

    Games of attack and defence have `trump`, `turn_up`, `table`, `attacker` and `defender`;
    shedding games have `top_card`, `named_suit`, `pending` and `ace_right` (the seat that inherited
    the right of an ace) in their place.
    """

    id: UUID
    version: int
    status: Status
    ruleset: str
    options: dict[str, Any]
    ruleset_sha256: str
    match: MatchTerms
    rated: bool
    visibility: Visibility
    server_time: datetime
    created_at: datetime
    you: YouView | None
    seats: list[SeatView]
    phase: str | None
    to_act: list[int]
    deadline: datetime | None
    dealer: int | None
    talon_count: int | None
    discard_count: int | None
    passed: list[int] | None
    fairness: FairnessView
    result: ResultView | None
    clock: ClockView | None
    trump: str | msgspec.UnsetType | None = msgspec.UNSET
    turn_up: str | msgspec.UnsetType | None = msgspec.UNSET
    table: list[PairView] | msgspec.UnsetType = msgspec.UNSET
    attacker: int | msgspec.UnsetType | None = msgspec.UNSET
    defender: int | msgspec.UnsetType | None = msgspec.UNSET
    top_card: str | msgspec.UnsetType | None = msgspec.UNSET
    named_suit: str | msgspec.UnsetType | None = msgspec.UNSET
    pending: PenaltyView | msgspec.UnsetType | None = msgspec.UNSET
    ace_right: int | msgspec.UnsetType | None = msgspec.UNSET
    invite: str | msgspec.UnsetType = msgspec.UNSET
    reserved_until: datetime | msgspec.UnsetType = msgspec.UNSET
    spectator_delay: int | msgspec.UnsetType = msgspec.UNSET
    voided: (
        Annotated[str, Meta(description="why a referee has voided the game: it does not count")]
        | msgspec.UnsetType
    ) = msgspec.UNSET
    discard: list[str] | msgspec.UnsetType = msgspec.UNSET


class NextView(msgspec.Struct, frozen=True):
    """What follows a move; in shedding games nobody attacks or defends.

    `bank_seconds` is there at tables with time banks: what each seat has left.
    """

    phase: str
    to_act: list[int]
    attacker: int | None
    defender: int | None
    deadline: datetime | None
    legal_moves: list[PatternView]
    bank_seconds: list[float] | msgspec.UnsetType = msgspec.UNSET


class EventView(msgspec.Struct, frozen=True):
    """An event as its viewer may see it, unseen cards as `??`."""

    seq: int
    type: str
    at: datetime
    seat: int | None
    data: dict[str, Any]
    hash: str
    next: NextView | msgspec.UnsetType = msgspec.UNSET


class EventsView(msgspec.Struct, frozen=True):
    """A page of the log; go on with `after=next_after` unless `finished`."""

    events: list[EventView]
    next_after: int
    finished: bool
    view: GameView | msgspec.UnsetType = msgspec.UNSET


class MoveView(msgspec.Struct, frozen=True):
    """What a move did."""

    version: int
    events: list[EventView]
    view: GameView


class WrittenEvent(msgspec.Struct, frozen=True):
    """The form in which an older release wrote an event, which is the one that was hashed."""

    schema_version: int
    facts: dict[str, Any]


class LoggedEvent(msgspec.Struct, frozen=True):
    """An event of a finished game, nothing hidden."""

    seq: int
    type: str
    schema_version: int
    at: datetime
    seat: int | None
    data: dict[str, Any]
    hash: str
    next: dict[str, Any] | msgspec.UnsetType = msgspec.UNSET
    stored: WrittenEvent | msgspec.UnsetType = msgspec.UNSET


class ReplayView(msgspec.Struct, frozen=True):
    """A finished game in full: rules, seeds, the initial order of the pack, the log."""

    schema_version: int
    id: UUID
    ruleset: str
    options: dict[str, Any]
    rules: dict[str, Any]
    ruleset_sha256: str
    seats: list[str | None]
    algorithm: str
    initial_pack: list[str]
    server_seed: str
    client_seeds: list[str]
    chain_secret: str
    head: str
    result: ResultView
    events: list[LoggedEvent]
