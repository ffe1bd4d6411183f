"""The game as a whole, folded from its log: who sits where, what was agreed, and the cards."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, Literal

import msgspec
from msgspec.structs import replace

from games.rules import engine
from games.rules.engine import AnyState
from games.rules.events import (
    CARD_EVENTS,
    TYPE_OF,
    ClientSeedSet,
    Clock,
    DeadlineExtended,
    Event,
    GameCreated,
    GameFinished,
    GameStarted,
    GameVoided,
    Next,
    PlayerJoined,
    PlayerLeft,
    Previous,
    Result,
    Seat,
    SeatReplaced,
    SeatResigned,
    SeatReturned,
)
from games.rules.rulesets.schema import Rules, family_of, rules_as_agreed
from games.rules.shuffle import Entropy
from games.rules.state import FINISHED

Status = Literal["open", "running", "finished"]


class Chair(msgspec.Struct, frozen=True, omit_defaults=True):
    """A seat at the table: the account that owns it and the brain that plays it, if one does.

    `house` marks a seat that was a bot's from the start: nobody can come back to it.
    `client_seed` is in hex, `seeded_at` the version at which it came. `reserved` is the account
    that alone may take the seat.
    """

    player: str | None = None
    kind: str = "human"
    brain: str | None = None
    house: bool = False
    client_seed: str = ""
    seeded_at: int | None = None
    resigned: bool = False
    reserved: str | None = None

    @property
    def owner(self) -> str | None:
        """The account that has the seat, or for which it is kept."""
        return self.player or self.reserved


class Game(msgspec.Struct, frozen=True, omit_defaults=True):
    """One game at the version of its last event. `clock` is that of the last finished move.

    `ends` are the versions at which the deal and the last moves ended, where who watches is
    `spectator_delay` moves behind. `voided` says why the game counts for nothing. `overdue` are the
    seats that have missed a turn, and lost their seat to a bot by it, since the last move.
    """

    ruleset: str
    options: dict[str, object]
    rules: Rules
    ruleset_sha256: str
    creator: str
    rated: bool
    visibility: str
    auto_start: bool
    match: str
    game_number: int
    commitment: str
    chain_commitment: str
    chairs: tuple[Chair, ...]
    version: int = 1
    status: Status = "open"
    state: AnyState | None = None
    result: Result | None = None
    series_length: int | None = None
    match_target: int | None = None
    previous: Previous | None = None
    reserved_until: datetime | None = None
    turn_seconds: int | None = None
    bank_seconds: int = 0
    on_timeout: str = "safe_move"
    clock: Clock | None = None
    spectator_delay: int = 0
    ends: tuple[int, ...] = ()
    voided: str | None = None
    overdue: tuple[Seat, ...] = ()

    @property
    def family(self) -> str:
        """The ruleset family."""
        return family_of(self.rules)

    @property
    def to_act(self) -> tuple[Seat, ...]:
        """The seats that may act now; nobody before the start and after the end."""
        return self.state.to_act if self.state is not None else ()

    @property
    def deadline(self) -> datetime | None:
        """When the time of the turn is up; None inside a move, and where nobody is waited for."""
        return self.clock.deadline if self.clock is not None and self.to_act else None

    @property
    def is_void(self) -> bool:
        """Whether the game ended before anybody came in any place."""
        return self.result is not None and not self.result.places

    @property
    def shown_version(self) -> int:
        """The version that who only watches may see: of a running game maybe an earlier one."""
        return self.ends[0] if self.ends and self.status == "running" else self.version

    def is_handed_over(self, seat: Seat) -> bool:
        """Whether a brain plays the seat of a player, who may come back to it."""
        chair = self.chairs[seat]
        return chair.brain is not None and not chair.house

    def seat_of(self, player: str) -> Seat | None:
        """The seat that an account owns, if it is at this table."""
        for seat, chair in enumerate(self.chairs):
            if chair.player == player and not chair.house:
                return seat
        return None

    def free_seat(self, player: str) -> Seat | None:
        """The first free seat that is kept for an account, or for nobody."""
        for seat, chair in enumerate(self.chairs):
            if chair.player is None and chair.reserved in (None, player):
                return seat
        return None

    def exists_for(self, player: str | None) -> bool:
        """Whether an account may know of the game: of private ones only who is at the table."""
        if self.visibility == "public":
            return True
        if player is None:
            return False
        kept = any(chair.reserved == player for chair in self.chairs)
        return kept or self.creator == player or self.seat_of(player) is not None


def entropy_of(game: Game, game_id: str, server_seed: bytes) -> Entropy:
    """The chance of a game: the committed seed and the seats' own."""
    seeds = tuple(bytes.fromhex(chair.client_seed) for chair in game.chairs)
    return Entropy(server_seed, game_id, seeds)


def evolve(game: Game | None, event: Event) -> Game:
    """The game after its next event; the first event must be `game_created`."""
    if isinstance(event, GameCreated):
        return _created(event)
    if game is None:
        raise ValueError("a log begins with game_created")
    changes = _FOLDS[type(event)](game, event) if type(event) in _FOLDS else {}
    if TYPE_OF[type(event)] in CARD_EVENTS:
        before = game.state or engine.empty_state(game.rules, len(game.chairs))
        changes["state"] = engine.evolve(before, event)
        changes["overdue"] = ()
    elif game.state is not None:
        # The same seats go on, once everything that happened with this event is told.
        to_act = event.next.to_act if event.next else ()
        changes["state"] = replace(game.state, to_act=to_act)
    if event.next is not None and event.next.clock is not None:
        changes["clock"] = event.next.clock
    told = event.next is not None and not isinstance(event, DeadlineExtended)
    if told and game.spectator_delay:
        changes["ends"] = (*game.ends, game.version + 1)[-game.spectator_delay - 1 :]
    if isinstance(event, GameVoided) and game.state is not None:
        end = GameFinished(result=event.result, next=Next(FINISHED))
        changes["state"] = engine.evolve(game.state, end)
    return replace(game, version=game.version + 1, **changes)


def fold(game: Game | None, events: tuple[Event, ...]) -> Game:
    """The game after several events. Raises ValueError if there is nothing to fold."""
    for event in events:
        game = evolve(game, event)
    if game is None:
        raise ValueError("an empty log")
    return game


def _created(event: GameCreated) -> Game:
    return Game(
        ruleset=event.ruleset,
        options=event.options,
        rules=rules_as_agreed(event.rules),
        ruleset_sha256=event.ruleset_sha256,
        creator=event.creator,
        rated=event.rated,
        visibility=event.visibility,
        auto_start=event.auto_start,
        match=event.match,
        game_number=event.game_number,
        commitment=event.commitment,
        chain_commitment=event.chain_commitment,
        chairs=tuple(Chair(reserved=owner) for owner in event.reserved or (None,) * event.seats),
        series_length=event.series_length,
        match_target=event.match_target,
        previous=event.previous,
        reserved_until=event.reserved_until,
        turn_seconds=event.turn_seconds,
        bank_seconds=event.bank_seconds,
        on_timeout=event.on_timeout,
        spectator_delay=event.spectator_delay,
    )


def _joined(game: Game, event: PlayerJoined) -> dict[str, Any]:
    chair = Chair(
        player=event.player,
        kind=event.kind,
        brain=event.brain,
        house=event.brain is not None,
        client_seed=event.client_seed,
        seeded_at=game.version + 1,
        reserved=game.chairs[event.seat].reserved,
    )
    return _seated(game, event.seat, chair)


def _left(game: Game, event: PlayerLeft) -> dict[str, Any]:
    return _seated(game, event.seat, Chair(reserved=game.chairs[event.seat].reserved))


def _seeded(game: Game, event: ClientSeedSet) -> dict[str, Any]:
    seed = {"client_seed": event.client_seed, "seeded_at": game.version + 1}
    return _seated(game, event.seat, replace(game.chairs[event.seat], **seed))


def _started(game: Game, event: GameStarted) -> dict[str, Any]:
    return {"status": "running"}


def _resigned(game: Game, event: SeatResigned) -> dict[str, Any]:
    return _seated(game, event.seat, replace(game.chairs[event.seat], resigned=True))


def _replaced(game: Game, event: SeatReplaced) -> dict[str, Any]:
    changes = _seated(game, event.seat, replace(game.chairs[event.seat], brain=event.brain))
    if event.reason == "timeout":
        changes["overdue"] = (*game.overdue, event.seat)
    return changes


def _returned(game: Game, event: SeatReturned) -> dict[str, Any]:
    return _seated(game, event.seat, replace(game.chairs[event.seat], brain=None))


def _finished(game: Game, event: GameFinished) -> dict[str, Any]:
    return {"status": "finished", "result": event.result}


def _voided(game: Game, event: GameVoided) -> dict[str, Any]:
    return {"status": "finished", "result": event.result, "voided": event.reason or None}


def _seated(game: Game, seat: Seat, chair: Chair) -> dict[str, Any]:
    return {"chairs": (*game.chairs[:seat], chair, *game.chairs[seat + 1 :])}


_FOLDS: Final[dict[type[Event], Callable[[Game, Any], dict[str, Any]]]] = {
    PlayerJoined: _joined,
    PlayerLeft: _left,
    ClientSeedSet: _seeded,
    GameStarted: _started,
    SeatResigned: _resigned,
    SeatReplaced: _replaced,
    SeatReturned: _returned,
    GameFinished: _finished,
    GameVoided: _voided,
}
