"""Clocks: until when a turn lasts, what it costs, and what happens when the time is up.

Nothing here reads a clock. Times come in with the events that are stored at them, and what follows
from both is stamped onto the last event of each move, so that a log can be checked without asking
what time it was.

The seats that are waited for are the defender, if he may act, else all who may. They share a turn:
it lasts `turn_seconds` and then as long as their time banks do. Every move begins a new turn.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Final

from msgspec.structs import replace

from games.rules import engine
from games.rules.events import (
    CARD_EVENTS,
    TYPE_OF,
    Clock,
    DeadlineExtended,
    Event,
    GameFinished,
    Next,
    Seat,
    SeatReplaced,
    SeatResigned,
    SeatReturned,
    SeatTimedOut,
)
from games.rules.game import Game, evolve, fold
from games.rules.record.game import move_of
from games.rules.safe_move import safe_move
from games.rules.scoring import resigned_result
from games.rules.shuffle import Entropy
from games.rules.state import FINISHED

# A seat that missed so many turns in a row is handed to a bot.
MISSES: Final = 3
_TICK: Final = timedelta(milliseconds=1)


def stamped(game: Game, events: Sequence[Event], at: datetime) -> tuple[Event, ...]:
    """The events as they are stored at this moment: each `next` has the clock that follows.

    `game` is the one before them. Without a clock they stay as they are.
    """
    if game.turn_seconds is None:
        return tuple(events)
    moment, told = at.astimezone(UTC), list[Event]()
    for group in _groups(events):
        told += _stamp(game, group, moment)
        if len(told) < len(events):
            game = fold(game, tuple(told[-len(group) :]))
    return tuple(told)


def bare(event: Event) -> Event:
    """An event as the rules made it, without a clock."""
    if event.next is None or event.next.clock is None:
        return event
    return replace(event, next=replace(event.next, clock=None))


def awaited(game: Game) -> tuple[Seat, ...]:
    """The seats that the table waits for."""
    return _awaited(game.to_act, getattr(game.state, "defender", None))


def time_up(game: Game, at: datetime) -> tuple[Seat, ...]:
    """The seats that are waited for whose turn and bank are over at this moment."""
    clock = game.clock
    if clock is None or clock.deadline is None:
        return ()
    free = _free_until(game, clock)
    return tuple(seat for seat in awaited(game) if free + _bank(clock, seat) <= at)


def missed_turn(game: Game, seat: Seat, brain: str, entropy: Entropy) -> tuple[Event, ...]:
    """What happens to a seat whose time is up (rulebook 3.7, 14), as the rules make it.

    A bot that takes a seat over is `brain`. A seat that a bot plays already always moves safely;
    so does one that its player took back from the bot without moving: nobody who comes back time
    and again holds up the table.
    Raises ValueError if the cards are not dealt.
    """
    if game.state is None:
        raise ValueError("the game has not begun")
    missed = 1 + (game.clock.missed[seat] if game.clock and game.clock.missed else 0)
    miss = SeatTimedOut(seat=seat, missed=missed)
    if game.chairs[seat].brain is None:
        if game.on_timeout == "forfeit":
            return (miss, SeatResigned(seat=seat), _forfeited(game, seat, brain))
        is_late = game.on_timeout == "bot" or missed >= MISSES
        if is_late and seat not in game.overdue:
            return (miss, _handed_over(game, seat, brain))
    return (miss, *engine.decide(game.state, seat, safe_move(game.state, seat), entropy))


def turns_run_out(game: Game, at: datetime, brain: str, entropy: Entropy) -> tuple[Event, ...]:
    """What happens at a moment to all seats whose time is up: nothing, if none is late.

    Of several each misses its turn, until a move of theirs leads to another decision.
    """
    events, now = list[Event](), game
    for seat in time_up(game, at):
        if seat not in awaited(now) or _decision(now) != _decision(game):
            break
        missed = missed_turn(now, seat, brain, entropy)
        events += missed
        now = fold(now, stamped(now, missed, at))
    return tuple(events)


def _decision(game: Game) -> tuple[object, ...]:
    """What there is to be decided: the same while some only do without."""
    state = game.state
    return game.status, state and state.phase, getattr(state, "bouts", None)


def extensions(game: Game, outages: Iterable[tuple[datetime, datetime]]) -> list[Event]:
    """The events that give the running turn back what outages (from, until) took of it.

    Outages that ended before the turn began, or prolonged it already, take nothing.
    """
    clock, state = game.clock, game.state
    if clock is None or clock.deadline is None or state is None:
        return []
    follows = engine.standing(state)
    return [
        DeadlineExtended(down_from=began, down_until=ended, next=follows)
        for began, ended in sorted(outages)
        if ended > clock.since
    ]


def false_time(log: Iterable[tuple[Event, datetime]]) -> tuple[int, str] | None:
    """The first event (from 1) whose clock does not follow from the times of the log, and why."""
    game, group, seq = None, list[Event](), 0
    for seq, (event, at) in enumerate(log, 1):
        group.append(event)
        if game is None:
            game, group = evolve(None, event), []
        elif event.next is not None:
            if (reason := _false(game, group, at)) is not None:
                return seq, reason
            game, group = fold(game, tuple(group)), []
    return None


def _false(game: Game, group: Sequence[Event], at: datetime) -> str | None:
    made = stamped(game, [bare(event) for event in group], at)
    if made[-1] != group[-1]:
        return "its clock does not follow from the times of the events"
    first = group[0]
    if isinstance(first, SeatTimedOut) and first.seat not in time_up(game, at):
        return f"the time of seat {first.seat} was not up"
    return None


def _groups(events: Sequence[Event]) -> Iterator[Sequence[Event]]:
    """The events by moves; each but perhaps the last ends with a `next`."""
    begin = 0
    for end, event in enumerate(events, 1):
        if event.next is not None or end == len(events):
            yield events[begin:end]
            begin = end


def _stamp(game: Game, group: Sequence[Event], at: datetime) -> Sequence[Event]:
    last = group[-1]
    if last.next is None:
        return group
    return (*group[:-1], replace(last, next=replace(last.next, clock=_after(game, group, at))))


def _after(game: Game, group: Sequence[Event], at: datetime) -> Clock:
    """The clock after a move, or after what happened beside the moves."""
    first, follows = group[0], group[-1].next or Next(FINISHED)
    if game.clock is None:
        bank = game.bank_seconds * 1000
        return _turn(game, Clock(at, banks=(bank,) * len(game.chairs) if bank else ()), follows)
    if isinstance(first, DeadlineExtended):
        return _extended(game.clock, first)
    clock = _counted(game, _charged(game, first, at), group)
    if any(isinstance(event, SeatTimedOut) or _is_of_cards(event) for event in group):
        return _turn(game, replace(clock, since=at), follows)
    return clock


def _turn(game: Game, clock: Clock, follows: Next) -> Clock:
    """The clock of a turn that begins at `clock.since`."""
    seats = _awaited(follows.to_act, follows.defender)
    if not seats:
        return replace(clock, deadline=None)
    seconds = timedelta(seconds=game.turn_seconds or 0)
    return replace(clock, deadline=clock.since + seconds + _least_bank(clock, seats))


def _extended(clock: Clock, event: DeadlineExtended) -> Clock:
    lost = event.down_until - max(event.down_from, clock.since)
    if clock.deadline is None or lost <= timedelta():
        return clock
    return replace(clock, since=event.down_until, deadline=clock.deadline + lost)


def _charged(game: Game, first: Event, at: datetime) -> Clock:
    """The clock once whoever moved has paid for what his turn took beyond `turn_seconds`."""
    clock, seat = game.clock, _mover(first)
    if clock is None or not clock.banks or clock.deadline is None or seat not in awaited(game):
        return clock or Clock(at)
    used = max(0, -((_free_until(game, clock) - at) // _TICK))
    banks = (max(0, bank - used) if one == seat else bank for one, bank in enumerate(clock.banks))
    return replace(clock, banks=tuple(banks))


def _counted(game: Game, clock: Clock, group: Sequence[Event]) -> Clock:
    """The clock with the turns that were missed; whoever acts, or comes anew, has missed none."""
    missed = list(clock.missed) or [0] * len(game.chairs)
    if (seat := _mover(group[0])) is not None:
        missed[seat] = 0
    for event in group:
        if isinstance(event, SeatTimedOut):
            missed[event.seat] = event.missed
        elif isinstance(event, SeatReplaced | SeatReturned):
            missed[event.seat] = 0
    return replace(clock, missed=tuple(missed) if any(missed) else ())


def _mover(first: Event) -> Seat | None:
    """Whose turn ended with the events that begin so."""
    if isinstance(first, SeatTimedOut):
        return first.seat
    said = move_of(first) if _is_of_cards(first) else None
    return None if said is None else said.seat


def _is_of_cards(event: Event) -> bool:
    return TYPE_OF[type(event)] in CARD_EVENTS


def _awaited(to_act: tuple[Seat, ...], defender: Seat | None) -> tuple[Seat, ...]:
    return (defender,) if defender is not None and defender in to_act else to_act


def _bank(clock: Clock, seat: Seat) -> timedelta:
    return timedelta(milliseconds=clock.banks[seat] if clock.banks else 0)


def _least_bank(clock: Clock, seats: tuple[Seat, ...]) -> timedelta:
    return min(_bank(clock, seat) for seat in seats)


def _free_until(game: Game, clock: Clock) -> datetime:
    """Until when the turn costs no bank: the deadline is that of the smallest bank."""
    if clock.deadline is None:
        raise ValueError("nobody is waited for")
    return clock.deadline - _least_bank(clock, awaited(game))


def _handed_over(game: Game, seat: Seat, brain: str) -> Event:
    state = game.state
    follows = None if state is None else engine.standing(state)
    return SeatReplaced(seat=seat, brain=brain, reason="timeout", next=follows)


def _forfeited(game: Game, seat: Seat, brain: str) -> Event:
    """The end of a game of two; with more a bot plays the seat on, as after resigning."""
    if len(game.chairs) == 2:
        return GameFinished(result=resigned_result(seat, "timeout"), next=Next(FINISHED))
    return _handed_over(game, seat, brain)
