"""Whether a log is what was written: its numbers, its chain, its snapshot, the rules.

Everything is read from the rows; nothing that could have been changed with them is trusted, but
what the chain ties down.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final
from uuid import UUID

import msgspec
from django.db import connection

from games.rules import game as games
from games.rules.clocks import false_time
from games.rules.events import Event, GameCreated
from games.rules.game import Game, entropy_of
from games.rules.match import previous_of
from games.rules.rejudge import FalseEvent, rejudge
from games.rules.shuffle import commitment
from games.store.anchor import Anchor
from games.store.anchored import Anchored
from games.store.chain import GENESIS, Chain, beginning, chain_commitment, timestamp
from games.store.codec import UnknownEvent, canonical, decode_event
from games.store.log import is_ours, replay, thaw
from games.store.stored import Row, Stored

_BEFORE: Final = """
    SELECT id FROM games_game WHERE match_id = %s AND game_number = %s ORDER BY id DESC
"""
# What folding raises where events are of the right types and of no game.
_UNFOLDABLE: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
# The database holds numbers and depths that JSON readers do not.
_UNREADABLE: Final = (msgspec.DecodeError, RecursionError)
# Longer facts than these characters are a game's own: a deal, what was agreed.
_LONG: Final = 256


class Fault(msgspec.Struct, frozen=True):
    """The first event of a game that is not as it was written, and why.

    `code` is that of the rules, where they refuse the move.
    """

    game: UUID
    seq: int
    reason: str
    code: str | None = None


def chain_fault(game: Stored) -> Fault | None:
    """The first event that is missing, misplaced or not what its hash was made of."""
    chain, previous = Chain(str(game.id), game.chain_secret), GENESIS
    for seq, row in enumerate(game.rows, 1):
        if row.seq != seq:
            return Fault(game.id, seq, f"missing: the next event is {row.seq}")
        previous = chain.link(seq, previous, _content(row))
        if previous != row.hash:
            return Fault(game.id, seq, "its hash is not of this content in this place")
    return _head_fault(game, previous)


def _content(row: Row) -> bytes:
    """What the hash of a row is made of; nothing that has one for what no release has written."""
    try:
        facts = _short(row.data) if len(row.data) < _LONG else _facts(row.data)
    except _UNREADABLE:
        return b""
    return beginning(row.type, row.version) + row.at.encode() + facts


def _facts(data: str) -> bytes:
    return b'"]' + canonical(msgspec.json.decode(data))


# Events of many games say the same: seat 1 passes, and seat 0 is next.
_short = lru_cache(maxsize=1 << 14)(_facts)


def _head_fault(game: Stored, last: bytes) -> Fault | None:
    if not game.rows:
        return Fault(game.id, 1, "the log is empty")
    if len(game.rows) != game.version:
        seq = min(len(game.rows), game.version) + 1
        return Fault(game.id, seq, f"there are {len(game.rows)} events of {game.version}")
    if last != game.head:
        return Fault(game.id, game.version, "the game's head has another hash")
    return None


def anchor_fault(game: Stored, heads: Sequence[Anchor]) -> tuple[Fault, int] | None:
    """Whether the log still holds every event that was once anchored as its head.

    `heads` are in the order in which they were written: after the first that is not there others
    may follow that are, of the log as it was changed. Beside the fault the last event that may be
    the first bad one: between two anchored heads they cannot tell.
    """
    held = 0
    for head in heads:
        if len(game.rows) < head.seq:
            last = max(head.seq for head in heads)
            return Fault(game.id, len(game.rows) + 1, f"cut: there were {last} events"), last
        if game.rows[head.seq - 1].hash != head.hash:
            first = min(held + 1, head.seq)
            return Fault(game.id, first, f"another event {head.seq} was anchored"), head.seq
        held = max(held, head.seq)
    return None


def content_fault(game: Stored, *, rules: bool) -> Fault | None:
    """The first event that cannot be read, or is not what commitments, snapshot or rules say.

    Without `rules` no move is decided again.
    """
    folded = judged_game(game, rules=rules)
    if isinstance(folded, Fault):
        return folded
    reason = _other_columns(game, folded) or _other_snapshot(game, folded)
    return None if reason is None else Fault(game.id, game.version, reason)


def judged_game(game: Stored, *, rules: bool = True) -> Game | Fault:
    """The game of a log that keeps its commitments and, with `rules`, follows from them."""
    try:
        events = [decode_event(row.type, row.version, row.data) for row in game.rows]
        if (reason := _broken_commitment(game, events[0])) is not None:
            return Fault(game.id, 1, reason)
        return _judged(game, events) if rules else games.fold(None, tuple(events))
    except UnknownEvent as error:
        return Fault(game.id, _unreadable(game), str(error))
    except FalseEvent as error:
        return Fault(game.id, error.seq, error.reason, error.code)
    except _UNFOLDABLE as error:
        return Fault(game.id, _unfoldable(game), f"it cannot be folded: {error}")


def _judged(game: Stored, events: Sequence[Event]) -> Game:
    folded = rejudge(events, lambda folded: entropy_of(folded, str(game.id), game.server_seed))
    if folded.turn_seconds is not None:
        times = (datetime.fromisoformat(row.at) for row in game.rows)
        if (found := false_time(zip(events, times, strict=True))) is not None:
            raise FalseEvent(*found)
    return folded


def _unreadable(game: Stored) -> int:
    for row in game.rows:
        try:
            decode_event(row.type, row.version, row.data)
        except UnknownEvent:
            return row.seq
    return 0


def _unfoldable(game: Stored) -> int:
    folded = None
    for row in game.rows:
        try:
            folded = games.evolve(folded, decode_event(row.type, row.version, row.data))
        except _UNFOLDABLE:
            return row.seq
    return game.version


def _other_columns(game: Stored, folded: Game) -> str | None:
    """What the game's row, or those of its seats, say that its log does not."""
    try:
        said = msgspec.json.decode(game.columns)
    except _UNREADABLE:
        return "the game's row cannot be read"
    rightly = _columns(game, folded)
    others = [name for name, value in rightly.items() if canonical(said[name]) != canonical(value)]
    if _is_too_late(said["due_at"], folded.deadline):
        others.append("due_at")
    return f"the game's row has another {', '.join(others)}" if others else None


def _is_too_late(due_at: str | None, deadline: datetime | None) -> bool:
    """Whether a game would be looked at after its deadline, or never, or for no reason."""
    if due_at is None or deadline is None:
        return (due_at is None) != (deadline is None)
    return due_at > timestamp(deadline)


def _columns(game: Stored, folded: Game) -> dict[str, object]:
    chairs = folded.chairs
    kept = folded.reserved_until
    players = [[seat, chair.player] for seat, chair in enumerate(chairs) if chair.player]
    return {
        "status": folded.status,
        "visibility": folded.visibility,
        "rated": folded.rated,
        "ruleset": folded.ruleset,
        "seats": len(chairs),
        "match": folded.match,
        "game_number": folded.game_number,
        "creator": folded.creator,
        "options": folded.options,
        "invite": folded.visibility == "private",
        "reserved": [chair.reserved for chair in chairs if chair.reserved],
        "reserved_until": None if kept is None else timestamp(kept),
        "created_at": game.rows[0].at,
        "finished_at": game.rows[-1].at if folded.status == "finished" else None,
        "players": players or None,
        "turn_seconds": folded.turn_seconds,
        "free_seats": len(chairs) - len(players) if folded.status == "open" else 0,
        "waiting_since": game.rows[-1].at if folded.status == "open" else None,
        "shown_version": folded.shown_version if folded.spectator_delay else None,
        "seats_over": folded.status == "finished" if players else None,
    }


def _other_snapshot(game: Stored, folded: Game) -> str | None:
    if not is_ours(game.snapshot):
        return None
    same = thaw(game.snapshot) == folded
    return None if same else "the snapshot is not the fold of the log"


def _broken_commitment(game: Stored, first: Event) -> str | None:
    if not isinstance(first, GameCreated):
        return "a log begins with game_created"
    key = str(game.id)
    if first.commitment != commitment(game.server_seed, key):
        return "the server seed is not the one committed to"
    if first.chain_commitment != chain_commitment(game.chain_secret, key):
        return "the secret of the chain is not the one committed to"
    return None


def match_fault(game: Stored) -> Fault | None:
    """Whether a game follows from the one before it in its match, as its first event says."""
    first = decode_event(game.rows[0].type, game.rows[0].version, game.rows[0].data)
    if not isinstance(first, GameCreated):
        return None
    if first.game_number == 1:
        begins = first.previous is None and not first.reserved
        return None if begins else Fault(game.id, 1, "no game was before it in its match")
    try:
        reason = _unlike(first, _game_before(first))
    except (UnknownEvent, LookupError, TypeError, ValueError) as error:
        reason = f"cannot be read: {error}"
    return None if reason is None else Fault(game.id, 1, f"the game before it {reason}")


def _unlike(created: GameCreated, before: Game | None) -> str | None:
    """Why a game cannot be the next one of its match; None if it can."""
    if before is None:
        return "is missing"
    if created.previous != previous_of(before):
        return "ended otherwise"
    terms = (
        *("ruleset", "options", "rated", "visibility", "series_length", "match_target"),
        *("turn_seconds", "bank_seconds", "on_timeout", "spectator_delay"),
    )
    others = [name for name in terms if getattr(created, name) != getattr(before, name)]
    if created.seats != len(before.chairs):
        others.append("seats")
    return f"had another {', '.join(others)}" if others else None


def _game_before(created: GameCreated) -> Game | None:
    """The last game of the match that was played."""
    with connection.cursor() as cursor:
        cursor.execute(_BEFORE, [created.match, created.game_number - 1])
        ids = [row[0] for row in cursor.fetchall()]
    return next((game for game in map(replay, ids) if not game.is_void), None)


def faults(batch: Sequence[Stored], anchored: Anchored, *, rules: bool) -> Iterator[Fault]:
    """The first fault of each game that has one, compared with its anchors if there are some."""
    for game in batch:
        fault = _first_fault(game, anchored.of(game.id), rules=rules)
        if fault is None and rules:
            fault = match_fault(game)
        if fault is not None:
            yield fault


def _first_fault(game: Stored, heads: Sequence[Anchor], *, rules: bool) -> Fault | None:
    broken = chain_fault(game)
    if broken is not None:
        # What comes before it holds together, and may still be something else than was written.
        other = anchor_fault(game, [head for head in heads if head.seq < broken.seq])
        return broken if other is None else other[0]
    told = content_fault(game, rules=rules)
    other = anchor_fault(game, heads)
    if other is None:
        return told
    fault, last = other
    return told if told is not None and fault.seq <= told.seq <= last else fault
