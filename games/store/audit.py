"""Whether a log is what was written: its numbers, its chain, its snapshot, the rules.

Everything is read from the rows; nothing that could have been changed with them is trusted, but
what the chain ties down.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from uuid import UUID

import msgspec
from django.db import connection

from games.rules import game as games
from games.rules.events import Event, GameCreated
from games.rules.game import Game, entropy_of
from games.rules.match import previous_of
from games.rules.rejudge import FalseEvent, rejudge
from games.rules.shuffle import commitment
from games.store.anchor import Anchor
from games.store.chain import GENESIS, chain_commitment, link
from games.store.codec import UnknownEvent, canonical, decode_event
from games.store.log import replay, thaw

BATCH: Final = 100
# What folding raises where events are of the right types and of no game.
_UNFOLDABLE: Final = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)
# One statement sees one moment: the row of each game and then its events, which it may outgrow.
_STORED: Final = """
    WITH g AS MATERIALIZED (SELECT * FROM games_game WHERE id > %s ORDER BY id LIMIT %s)
    SELECT id, 0 AS seq, NULL, version, NULL, jsonb_build_object(
            'status', status, 'visibility', visibility, 'rated', rated, 'ruleset', ruleset,
            'seats', seats, 'match', match_id, 'game_number', game_number)::text,
        head_hash, snapshot, chain_secret, server_seed
    FROM g
    UNION ALL
    SELECT e.game_id, e.seq, e.type, e.schema_version,
        to_char(e.at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'), e.data::text, e.hash,
        NULL, NULL, NULL
    FROM games_gameevent e WHERE e.game_id IN (SELECT id FROM g)
    ORDER BY 1, 2
"""
_BEFORE: Final = """
    SELECT id FROM games_game WHERE match_id = %s AND game_number = %s ORDER BY id DESC
"""
_ORPHANS: Final = """
    SELECT DISTINCT game_id FROM games_gameevent e
    WHERE NOT EXISTS (SELECT FROM games_game g WHERE g.id = e.game_id)
"""


class Fault(msgspec.Struct, frozen=True):
    """The first event of a game that is not as it was written, and why."""

    game: UUID
    seq: int
    reason: str


class Row(msgspec.Struct, frozen=True):
    """An event as it is stored; `at` and `data` as text."""

    seq: int
    type: str
    version: int
    at: str
    data: str
    hash: bytes


class Stored(msgspec.Struct, frozen=True):
    """A game as it is stored, with all its events."""

    id: UUID
    version: int
    head: bytes
    snapshot: bytes | None
    chain_secret: bytes
    server_seed: bytes
    columns: dict[str, object]
    rows: list[Row]


def stored_games(after: UUID, limit: int = BATCH) -> list[Stored]:
    """The next games in the order of their ids, all as of one moment."""
    found: list[Stored] = []
    with connection.cursor() as cursor:
        cursor.execute(_STORED, [after, limit])
        for game_id, seq, kind, version, at, data, digest, *head in cursor.fetchall():
            if seq == 0:
                snapshot, chain_secret, server_seed = head
                found.append(
                    Stored(
                        game_id,
                        version,
                        digest,
                        snapshot,
                        chain_secret,
                        server_seed,
                        msgspec.json.decode(data),
                        [],
                    )
                )
            else:
                found[-1].rows.append(Row(seq, kind, version, at, data, digest))
    return found


def orphans() -> list[UUID]:
    """Games of which only events are left."""
    with connection.cursor() as cursor:
        cursor.execute(_ORPHANS)
        return [row[0] for row in cursor.fetchall()]


def chain_fault(game: Stored) -> Fault | None:
    """The first event that is missing, misplaced or not what its hash was made of."""
    key, previous = str(game.id), GENESIS
    for seq, row in enumerate(game.rows, 1):
        if row.seq != seq:
            return Fault(game.id, seq, f"missing: the next event is {row.seq}")
        facts = canonical(msgspec.json.decode(row.data))
        content = canonical([row.type, row.version, row.at]) + facts
        previous = link(key, seq, previous, game.chain_secret, content)
        if previous != row.hash:
            return Fault(game.id, seq, "its hash is not of this content in this place")
    return _head_fault(game, previous)


def _head_fault(game: Stored, last: bytes) -> Fault | None:
    if not game.rows:
        return Fault(game.id, 1, "the log is empty")
    if len(game.rows) != game.version:
        seq = min(len(game.rows), game.version) + 1
        return Fault(game.id, seq, f"there are {len(game.rows)} events of {game.version}")
    if last != game.head:
        return Fault(game.id, game.version, "the game's head has another hash")
    return None


def anchor_fault(game: Stored, anchor: Anchor) -> Fault | None:
    """Whether the log still holds the event that was once anchored as its head."""
    if len(game.rows) < anchor.seq:
        return Fault(game.id, len(game.rows) + 1, f"cut: there were {anchor.seq} events")
    if game.rows[anchor.seq - 1].hash != anchor.hash:
        return Fault(game.id, anchor.seq, "another event was anchored here")
    return None


def content_fault(game: Stored, *, rules: bool) -> Fault | None:
    """The first event that cannot be read, or is not what commitments, snapshot or rules say.

    Without `rules` no move is decided again.
    """
    folded = judged_game(game, rules=rules)
    if isinstance(folded, Fault):
        return folded
    if (reason := _other_columns(game, folded)) is not None:
        return Fault(game.id, game.version, reason)
    snapshot = thaw(game.snapshot)
    if snapshot is not None and snapshot != folded:
        return Fault(game.id, game.version, "the snapshot is not the fold of the log")
    return None


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
        return Fault(game.id, error.seq, error.reason)
    except _UNFOLDABLE as error:
        return Fault(game.id, _unfoldable(game), f"it cannot be folded: {error}")


def _judged(game: Stored, events: Sequence[Event]) -> Game:
    return rejudge(events, lambda folded: entropy_of(folded, str(game.id), game.server_seed))


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
    """What the game's row says that its log does not."""
    rightly = {
        "status": folded.status,
        "visibility": folded.visibility,
        "rated": folded.rated,
        "ruleset": folded.ruleset,
        "seats": len(folded.chairs),
        "match": folded.match,
        "game_number": folded.game_number,
    }
    others = [name for name, value in rightly.items() if game.columns[name] != value]
    return f"the game's row has another {', '.join(others)}" if others else None


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
    terms = ("ruleset", "options", "rated", "visibility", "series_length", "match_target")
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


def faults(
    batch: Sequence[Stored], anchors: Mapping[UUID, Anchor], *, rules: bool
) -> Iterator[Fault]:
    """The first fault of each game that has one, compared with its anchor if there is one."""
    for game in batch:
        fault = chain_fault(game)
        if fault is None and game.id in anchors:
            fault = anchor_fault(game, anchors[game.id])
        fault = fault or content_fault(game, rules=rules)
        if fault is None and rules:
            fault = match_fault(game)
        if fault is not None:
            yield fault
