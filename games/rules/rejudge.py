"""A log judged again: whether the rules make just these events of just these moves.

A log can be folded without asking the rules, so that old games replay for ever. Here they are
asked: every deal is dealt and every move decided once more, with the chance of the game. What a
ruleset's id and options stood for when the game began is not asked: its complete rules are there.
Nor is the time: what clocks made of it, `games.rules.clocks.false_time` judges.
"""

from collections.abc import Callable, Iterable, Sequence

from msgspec.structs import replace

from games.rules import engine
from games.rules import game as games
from games.rules.clocks import awaited, bare, missed_turn
from games.rules.errors import Refusal, RulesError
from games.rules.events import (
    TYPE_OF,
    ClientSeedSet,
    DeadlineExtended,
    Event,
    GameCreated,
    GameFinished,
    GameStarted,
    GameVoided,
    Next,
    PlayerJoined,
    PlayerLeft,
    Seat,
    SeatReplaced,
    SeatResigned,
    SeatReturned,
    SeatTimedOut,
)
from games.rules.game import Game
from games.rules.record.game import move_of
from games.rules.rulesets.registry import rules_hash
from games.rules.scoring import annulled_result, resigned_result, void_result
from games.rules.shuffle import Entropy
from games.rules.state import FINISHED

Chance = Callable[[Game], Entropy]


class FalseEvent(RulesError):
    """An event that the rules do not make of what went before; `seq` counts from 1.

    `code` is that of the Refusal, where the rules do not allow the move that the event tells of.
    """

    def __init__(self, seq: int, reason: str, code: str | None = None) -> None:
        super().__init__(f"event {seq}: {reason}")
        self.seq = seq
        self.reason = reason
        self.code = code


def rejudge(log: Iterable[Event], chance: Chance) -> Game:
    """The game that a log tells, once all of it has been decided again.

    `chance` gives the entropy of a game whose seats are taken. What the game before it in its
    match left is taken from the log. Raises FalseEvent at the first event that should not be there.
    """
    judge = _Judge(chance)
    for event in log:
        judge.hear(event)
    return judge.verdict()


class _Judge:
    """Follows a log; `due` are the events still to come of the move that is being told."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._game: Game | None = None
        self._seq = 0
        self._due: Sequence[Event] = ()
        self._to_act: tuple[Seat, ...] = ()
        self._told = True

    def hear(self, event: Event) -> None:
        """The next event. Raises FalseEvent."""
        self._seq += 1
        due = self._due or self._judged(event)
        told = event if self._game is None or self._game.turn_seconds is None else bare(event)
        if told != _filled(due[0], event):
            raise self._false(_difference(told, due[0]))
        self._game, self._due = games.evolve(self._game, event), due[1:]
        self._told = event.next is not None
        if event.next is not None:
            self._to_act = event.next.to_act

    def verdict(self) -> Game:
        """The game at the end of its log. Raises FalseEvent if events are missing."""
        self._seq += 1
        if self._game is None:
            raise self._false("the log is empty")
        if self._due:
            raise self._false(f"{TYPE_OF[type(self._due[0])]} is missing")
        self._demand(self._told or self._game.state is None, "the log ends within a move")
        return self._game

    def _false(self, reason: str) -> FalseEvent:
        return FalseEvent(self._seq, reason)

    def _demand(self, holds: bool, otherwise: str) -> None:
        if not holds:
            raise self._false(otherwise)

    def _demand_seat(self, game: Game, seat: Seat) -> None:
        self._demand(0 <= seat < len(game.chairs), f"there are {len(game.chairs)} seats")

    def _judged(self, event: Event) -> Sequence[Event]:
        """What the rules make of the move that `event` begins, itself included."""
        if self._game is None or isinstance(event, GameCreated):
            return self._created(event)
        if isinstance(event, GameStarted):
            return self._started(self._game)
        if isinstance(event, PlayerJoined | PlayerLeft):
            return self._seated(self._game, event)
        if isinstance(event, ClientSeedSet):
            return self._seeded(self._game, event)
        if isinstance(event, GameVoided):
            return self._voided(self._game, event)
        if isinstance(event, SeatResigned | SeatReplaced | SeatReturned):
            return self._beside(self._game, event)
        if isinstance(event, SeatTimedOut):
            return self._timed_out(self._game, event)
        if isinstance(event, DeadlineExtended):
            return self._extended(self._game, event)
        return self._moved(self._game, event)

    def _created(self, event: Event) -> Sequence[Event]:
        if self._game is not None or not isinstance(event, GameCreated):
            raise self._false("a log begins with game_created, and has one")
        made = games.evolve(None, event)
        sound = rules_hash(made.family, made.rules) == event.ruleset_sha256
        self._demand(sound, "ruleset_sha256 is not the hash of the rules")
        return (event,)

    def _started(self, game: Game) -> Sequence[Event]:
        self._demand(game.status == "open", "the game has begun already")
        self._demand(all(chair.player for chair in game.chairs), "a seat is free")
        return engine.start(game.rules, len(game.chairs), self._chance(game), game.previous)

    def _voided(self, game: Game, event: GameVoided) -> Sequence[Event]:
        if event.reason and game.state is not None:
            self._demand(game.voided is None, "the game is voided already")
            result = game.result or annulled_result()
            return (replace(event, result=result, next=Next(FINISHED)),)
        self._demand(game.status == "open", "only an open game is called off without a reason")
        return (GameVoided(result=void_result()),)

    def _seated(self, game: Game, event: PlayerJoined | PlayerLeft) -> Sequence[Event]:
        self._demand(game.status == "open", "seats are taken and given back before the start")
        self._demand_seat(game, event.seat)
        chair = game.chairs[event.seat]
        rightly = None if isinstance(event, PlayerJoined) else event.player
        kept = chair.reserved in (None, event.player)
        his = chair.player == rightly and kept
        if isinstance(event, PlayerJoined) and event.brain is None:
            his = his and game.seat_of(event.player) is None
        self._demand(his, f"seat {event.seat} is not his to take or to give")
        return (event,)

    def _seeded(self, game: Game, event: ClientSeedSet) -> Sequence[Event]:
        self._demand(game.status == "open", "seeds are given before the start")
        self._demand_seat(game, event.seat)
        chair = game.chairs[event.seat]
        self._demand(chair.player is not None and not chair.house, "no player sits there")
        return (event,)

    def _beside(
        self, game: Game, event: SeatResigned | SeatReplaced | SeatReturned
    ) -> Sequence[Event]:
        """Who plays a seat changes; the same seats go on, as the last of such events says."""
        state = game.state
        if state is None or game.status != "running":
            raise self._false("the game is not running")
        self._demand_seat(game, event.seat)
        self._demand(_may_change(game, event), f"seat {event.seat} cannot change hands so")
        if isinstance(event, SeatResigned) and len(game.chairs) == 2:
            end = GameFinished(result=resigned_result(event.seat), next=Next(FINISHED))
            return (replace(event, next=None), end)
        same = engine.standing(replace(state, to_act=self._to_act))
        follows = bare(event).next
        self._demand(follows in (None, same), "by the rules the same seats go on")
        return (bare(event),)

    def _timed_out(self, game: Game, event: SeatTimedOut) -> Sequence[Event]:
        """What the clock makes of a turn; whether its time was up is not asked here."""
        self._demand(game.turn_seconds is not None, "there is no clock")
        self._demand(event.seat in awaited(game), f"nobody waits for seat {event.seat}")
        return missed_turn(game, event.seat, "", self._chance(game))

    def _extended(self, game: Game, event: DeadlineExtended) -> Sequence[Event]:
        running = game.state is not None and game.deadline is not None
        self._demand(running, "no time is running")
        self._demand(event.down_from < event.down_until, "it ends before it begins")
        follows = None if game.state is None else engine.standing(game.state)
        return (replace(event, next=follows),)

    def _moved(self, game: Game, event: Event) -> Sequence[Event]:
        said = move_of(event)
        if said is None or game.state is None:
            raise self._false(f"{TYPE_OF[type(event)]} does not begin anything here")
        try:
            return engine.decide(game.state, said.seat, said.move, self._chance(game))
        except RulesError as refusal:
            code = refusal.code if isinstance(refusal, Refusal) else None
            reason = f"the rules refuse this move: {refusal}"
            raise FalseEvent(self._seq, reason, code) from None


def _may_change(game: Game, event: SeatResigned | SeatReplaced | SeatReturned) -> bool:
    chair = game.chairs[event.seat]
    if isinstance(event, SeatReturned):
        return chair.brain is not None and not chair.house and not chair.resigned
    if isinstance(event, SeatReplaced):
        return chair.brain is None
    return not chair.resigned


def _filled(due: Event, event: Event) -> Event:
    """The event due; which brain takes a seat over is the table's affair, not the rules'."""
    if isinstance(due, SeatReplaced) and isinstance(event, SeatReplaced):
        return replace(due, brain=event.brain)
    return due


def _difference(found: Event, wanted: Event) -> str:
    if type(found) is not type(wanted):
        return f"by the rules it is {TYPE_OF[type(wanted)]}, not {TYPE_OF[type(found)]}"
    fields = (
        name for name in wanted.__struct_fields__ if getattr(found, name) != getattr(wanted, name)
    )
    return f"by the rules its {next(fields)} is another"
