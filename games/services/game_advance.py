"""The one way to change a game: lock its head, decide, append, commit, and tell the others."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final
from uuid import UUID

import msgspec
from django.db import transaction
from django.utils import timezone
from msgspec.structs import replace

from games import signals
from games.projections.ratings import ratings_apply
from games.projections.results import finished_game, results_record
from games.rules import engine
from games.rules.events import Event, PlayerJoined, PlayerLeft, Seat
from games.rules.game import Game, entropy_of, fold
from games.rules.rulesets.schema import needs_chance
from games.rules.shuffle import Entropy
from games.services.errors import ServiceError
from games.services.time_owed import spared
from games.store import log
from games.store.anchor import Anchor, anchor_heads
from games.store.cursors import executed
from games.store.log import Head, Stored

_DUE: Final = """
    INSERT INTO due_turn (game_id, version, due_at, lease_until, attempts, brain)
    VALUES (%s, %s, %s, NULL, 0, %s)
    ON CONFLICT (game_id) DO UPDATE
    SET version = excluded.version, due_at = excluded.due_at, lease_until = NULL, attempts = 0,
        brain = excluded.brain
"""
_DONE: Final = "DELETE FROM due_turn WHERE game_id = %s"


class Outcome(msgspec.Struct, frozen=True):
    """A game after a write, the events that the write added, and when."""

    head: Head
    added: Sequence[Stored]
    at: datetime


Decide = Callable[[Head], Sequence[Event]]
Record = Callable[[Outcome], None]


def game_advance(game_id: UUID, decide: Decide, record: Record | None = None) -> Outcome:
    """Append what `decide` makes of the locked head; it may add nothing, or raise a refusal.

    `record` is called within the transaction: what it writes is there if and only if the events
    are. Raises ServiceError game.not_found. Bots' turns, results and ratings follow from the
    events.
    """
    with transaction.atomic(savepoint=False):
        head = log.lock(game_id)
        if head is None:
            raise ServiceError("game.not_found")
        outcome = advance(head, decide(head))
        if record is not None:
            record(outcome)
        return outcome


def advance(head: Head, events: Sequence[Event], at: datetime | None = None) -> Outcome:
    """Append events to a locked game, in the transaction that holds its lock.

    They happened `at`: when the head was read, unless somebody says otherwise.
    """
    at = at or head.read_at or timezone.now()
    if not events:
        return Outcome(head, (), at)
    after, added = log.append(head, (*spared(head, events, at), *events), at)
    if any(isinstance(event, PlayerJoined | PlayerLeft) for event in events):
        after = replace(log.load(head.id) or after, told=after.told)
    settle(head.game, after, at)
    return Outcome(after, added, at)


def settle(before: Game | None, head: Head, at: datetime) -> None:
    """Within the write's transaction: who owes a move, the results of a finished game."""
    game = head.game
    _owe_turn(before, head, at)
    if game.result is not None and not game.is_void and game.voided is None:
        results_record(game=finished_game(head.id, game, at))
    transaction.on_commit(lambda: _announce(head), robust=True)


def chance(head: Head) -> Entropy:
    """Chance for fresh slots and shuffled piles, from the game's own secret; others need none."""
    if not needs_chance(head.game.rules):
        return engine.NO_ENTROPY
    return entropy_of(head.game, str(head.id), log.server_seed(head.id))


def bot_to_act(game: Game) -> tuple[Seat, str] | None:
    """The first seat to act that a brain plays, and the brain."""
    for seat in game.to_act:
        brain = game.chairs[seat].brain
        if brain is not None:
            return seat, brain
    return None


def start_events(head_id: UUID, game: Game, server_seed: bytes) -> tuple[Event, ...]:
    """The events of the deal, from the committed seed and the seats' own."""
    entropy = entropy_of(game, str(head_id), server_seed)
    return engine.start(game.rules, len(game.chairs), entropy, game.previous)


def with_start(game_id: UUID, game: Game, events: Sequence[Event]) -> tuple[Event, ...]:
    """The events, and the deal behind them if they fill the table and it starts by itself."""
    after = fold(game, tuple(events))
    full = all(chair.player is not None for chair in after.chairs)
    if not (full and after.auto_start and after.status == "open"):
        return tuple(events)
    return (*events, *start_events(game_id, after, log.server_seed(game_id)))


def _owe_turn(before: Game | None, head: Head, at: datetime) -> None:
    due = bot_to_act(head.game)
    if due is not None:
        executed(_DUE, [head.id, head.game.version, at, due[1]])
    elif before is not None and bot_to_act(before) is not None:
        executed(_DONE, [head.id])


def _announce(head: Head) -> None:
    # One listener's trouble keeps no other from hearing.
    anchor_heads([Anchor(head.id, head.game.version, head.hash)])
    news = {"game_id": head.id, "version": head.game.version}
    signals.game_advanced.send_robust(None, **news, told=head.told)
    due = bot_to_act(head.game)
    if due is not None:
        seat, brain = due
        signals.turn_due.send_robust(None, seat=seat, brain=brain, **news)
    if head.game.result is not None and not head.game.is_void:
        ratings_apply(head.id)
