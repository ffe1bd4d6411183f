"""Whom a write tells what, by what it did to the game."""

from collections.abc import Iterator, Sequence
from datetime import datetime

import msgspec

from games.models import Notice
from games.rules.events import Event, GameCreated, Seat
from games.rules.game import Game


class Told(msgspec.Struct, frozen=True):
    """A seat that a write told something; `hooked` says that its player has webhooks."""

    seat: Seat
    player: str
    kind: int
    deadline: datetime | None = None
    hooked: bool = False


def notices_of(before: Game | None, after: Game, events: Sequence[Event]) -> tuple[Told, ...]:
    """What the events that led from `before` to `after` tell the owners of seats.

    Bots of the house are told nothing, and no seat of a turn while a brain plays it.
    """
    return (
        *_started(before, after),
        *_turns(before, after, events),
        *_finished(before, after),
        *_offered(events),
    )


def _started(before: Game | None, after: Game) -> Iterator[Told]:
    if after.state is not None and (before is None or before.state is None):
        yield from _everybody(after, Notice.Kind.GAME_STARTED)


def _finished(before: Game | None, after: Game) -> Iterator[Told]:
    if after.result is not None and (before is None or before.result is None):
        yield from _everybody(after, Notice.Kind.GAME_FINISHED)


def _turns(before: Game | None, after: Game, events: Sequence[Event]) -> Iterator[Told]:
    """Who may act and knew nothing of it: he did not wait already, or has just done something."""
    acted = {getattr(event, "seat", None) for event in events}
    waited = set() if before is None else {*_awaited(before)} - acted
    deadline = _deadline(events)
    for seat in _awaited(after):
        player = after.chairs[seat].player
        if seat not in waited and player is not None:
            yield Told(seat, player, Notice.Kind.YOUR_TURN, deadline)


def _offered(events: Sequence[Event]) -> Iterator[Told]:
    """The players for whom seats of a rematch are kept, its opener left out."""
    created = events[0]
    if not isinstance(created, GameCreated):
        return
    for seat, player in enumerate(created.reserved):
        if player is not None and player != created.creator:
            yield Told(seat, player, Notice.Kind.REMATCH_OFFERED, created.reserved_until)


def _everybody(game: Game, kind: int) -> Iterator[Told]:
    for seat, chair in enumerate(game.chairs):
        if chair.player is not None and not chair.house:
            yield Told(seat, chair.player, kind)


def _awaited(game: Game) -> list[Seat]:
    return [seat for seat in game.to_act if game.chairs[seat].brain is None]


def _deadline(events: Sequence[Event]) -> datetime | None:
    """Until when the turn has to be made, as the game's own events say it."""
    follows = events[-1].next
    return None if follows is None or follows.clock is None else follows.clock.deadline
