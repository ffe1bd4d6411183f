"""The log: verifying it, what an event takes on the disk, appending to it.

Games are played in memory and written through the store, many at once and a few moves at a time, so
that pages fill as they do on a server. Verifying is measured in CPU time of this process, the
reading of the rows included, beside SHA-256 and HMAC of the same bytes and nothing else. Appends
are those of moves one after the other on one connection, lock and commit included, beside bare
psycopg with the same statements: `BEGIN`, the lock with all that it reads, the append with its
notices and all other columns, `COMMIT`, each answered before the next is sent. The statements and
their parameters are those that the store was seen to send, none left out; psycopg prepares them on
either side. Nothing but the client stands between the two. So the bare session has the timeouts of
the store's, which the database watches in each statement, gets its parameters ready-made before
the clock runs, and looks at no more of an answer than whether there are rows to fetch.
"""

import hashlib
import hmac
import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple
from uuid import UUID

import psycopg
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone

from bench.cpu import cpu_seconds
from bench.engine import choose
from bench.exchange import Exchange
from bench.measure import Ratio, Round, Section, compare, interleave, summarise
from bench.rehearsal import clone, recorded
from bench.servers import POSTGRES, Servers
from games.models import Player
from games.rules import engine
from games.rules.events import Event
from games.rules.game import entropy_of
from games.services.game_create import Table, game_create
from games.services.player_register import player_register
from games.store import log
from games.store.anchored import Anchored
from games.store.audit import chain_fault, faults
from games.store.codec import canonical
from games.store.stored import Stored, stored_games

RULESETS: Final = ("throw_in", "transfer", "mau_mau", "english_durak")
# Games that are played at once, and moves of one game in a row while they are written.
AT_ONCE, IN_A_ROW = 16, 5
MOVES, ALL_MOVES = 40, 100_000
CHAIN, RULES = "verify_log, chain only", "verify_log, rules too"
HASHES = "SHA-256 and HMAC of the same bytes"
STORE, PSYCOPG = "store: lock, append, commit", "bare psycopg, the same statements"
CHAIN_WANTED, RULES_WANTED, BYTES_WANTED, STORE_WANTED = 100_000, 10_000, 400, 0.85
BYTES: Final = f"{BYTES_WANTED} bytes / those of an event"

Move = tuple[Event, ...]
NO_ANCHORS: Final = Anchored()


class Plan(NamedTuple):
    """How much: games to verify, rounds of that, games to append to in a round, rounds of that."""

    games: int
    verified: int
    appended: int
    rounds: int


FULL: Final = Plan(games=384, verified=5, appended=4, rounds=25)
QUICK: Final = Plan(games=8, verified=1, appended=1, rounds=1)


def measure(servers: Servers, plan: Plan) -> list[Section]:
    """The tables of verifying and of appending."""
    rng = random.Random("log")
    player = player_register(name=f"log-{rng.getrandbits(40):010x}").player
    for first in range(0, plan.games, AT_ONCE):
        _write(player, range(first, min(first + AT_ONCE, plan.games)), rng)
    return [_verifying(plan), _appending(servers, plan, player, rng)]


def _verifying(plan: Plan) -> Section:
    hashed = [_hashed(game) for batch in _batches() for game in batch]
    played = interleave(
        {
            CHAIN: lambda: _timed(_check_chains),
            RULES: lambda: _timed(_check_all),
            HASHES: lambda: _timed(lambda: sum(map(_hash, hashed))),
        },
        plan.verified,
    )
    rows = [summarise(name, "events/s", rounds) for name, rounds in played.items()]
    rates = {row.name: row.rate for row in rows}
    size, count = _size()
    ratios = [
        Ratio(f"{CHAIN} / {CHAIN_WANTED:,} a second", rates[CHAIN] / CHAIN_WANTED, wanted=1.0),
        Ratio(f"{RULES} / {RULES_WANTED:,} a second", rates[RULES] / RULES_WANTED, wanted=1.0),
        compare(played, CHAIN, HASHES),
        Ratio(BYTES, BYTES_WANTED * count / size, None, 1.0, True),
    ]
    notes = [f"{count:,} events take {size / count:.0f} bytes each on the disk, indexes included"]
    return Section("The log, one core", rows, ratios, notes)


def _appending(servers: Servers, plan: Plan, player: Player, rng: random.Random) -> Section:
    start, moves = _opened(player, "throw_in", rng)
    model = clone(start, 1)[0]
    exchanges = [_recorded(model, move) for move in moves]
    with _bare() as bare:
        ours = [partial(partial, _append, move) for move in moves]
        theirs = [partial(_replaying, bare, exchange) for exchange in exchanges]
        played = interleave(
            {
                STORE: partial(_appends, servers, plan, start, ours),
                PSYCOPG: partial(_appends, servers, plan, start, theirs),
            },
            plan.rounds,
        )
    rows = [summarise(name, "appends/s", rounds) for name, rounds in played.items()]
    ratio = compare(played, STORE, PSYCOPG, STORE_WANTED, binding=True)
    return Section("Durable appends, one connection", rows, [ratio])


def _write(player: Player, numbers: Sequence[int], rng: random.Random) -> None:
    """Games that are played to their ends, all at once."""
    opened = [_opened(player, RULESETS[n % len(RULESETS)], rng, ALL_MOVES) for n in numbers]
    for begun in range(0, max(len(moves) for _, moves in opened), IN_A_ROW):
        for game_id, moves in opened:
            if added := moves[begun : begun + IN_A_ROW]:
                _append(tuple(event for move in added for event in move), game_id)


def _opened(
    player: Player, ruleset: str, rng: random.Random, most: int = MOVES
) -> tuple[UUID, list[Move]]:
    """A game that was dealt, and what happens in its first moves."""
    table = Table(ruleset=ruleset, seats=2, bots=("random", "random"))
    head = game_create(creator=player.id, kind=player.kind, table=table).head
    state = head.game.state
    assert state is not None
    entropy = entropy_of(head.game, str(head.id), log.server_seed(head.id))
    moves: list[Move] = []
    while state.to_act and len(moves) < most:
        seat = state.to_act[0]
        made = engine.play(
            state, seat, choose(state, engine.legal_moves(state, seat), rng), entropy
        )
        moves.append(made.events)
        state = made.state
    return head.id, moves


def _batches() -> Iterator[list[Stored]]:
    after = UUID(int=0)
    while batch := stored_games(after):
        yield batch
        after = batch[-1].id


def _check_chains() -> int:
    return sum(_sound(game) for batch in _batches() for game in batch)


def _sound(game: Stored) -> int:
    fault = chain_fault(game)
    if fault is not None:
        raise RuntimeError(str(fault))
    return len(game.rows)


def _check_all() -> int:
    count = 0
    for batch in _batches():
        for fault in faults(batch, NO_ANCHORS, rules=True):
            raise RuntimeError(str(fault))
        count += sum(len(game.rows) for game in batch)
    return count


def _hashed(game: Stored) -> tuple[bytes, list[bytes]]:
    """The secret of a game, and the bytes that each event's hash is made of."""
    made = [canonical([row.type, row.version, row.at]) + row.data.encode() for row in game.rows]
    return game.chain_secret, made


def _hash(hashed: tuple[bytes, list[bytes]]) -> int:
    secret, made = hashed
    for text in made:
        hashlib.sha256(hmac.digest(secret, text[:8], "sha256") + text).digest()
    return len(made)


def _size() -> tuple[int, int]:
    """Bytes on the disk, and how many events take them."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM games_gameevent")
        cursor.execute(
            "SELECT pg_total_relation_size('games_gameevent'), count(*) FROM games_gameevent"
        )
        size, count = cursor.fetchone()
        return size, count


def _append(move: Move, game_id: UUID) -> None:
    with transaction.atomic():
        head = log.lock(game_id)
        assert head is not None
        log.append(head, move, timezone.now())


def _recorded(game_id: UUID, move: Move) -> Exchange:
    with recorded() as statements:
        _append(move, game_id)
    return Exchange(0, game_id, "", "", {}, b"", statements, 0, b"")


def _bare() -> psycopg.Connection:
    timeouts = settings.DATABASES["default"]["OPTIONS"]["options"]
    return psycopg.connect(os.environ["DATABASE_URL"], autocommit=True, options=timeouts)


def _replaying(bare: psycopg.Connection, exchange: Exchange, game: UUID) -> Callable[[], None]:
    """The transaction of an exchange, for another game."""
    blocks = exchange.blocks(game)
    return partial(_replay, bare, [one for _, statements in blocks for one in statements])


def _replay(bare: psycopg.Connection, statements: Sequence[tuple[str, list[Any]]]) -> None:
    with bare.transaction():
        for sql, parameters in statements:
            cursor = bare.execute(sql, parameters)
            if cursor.pgresult is not None and cursor.pgresult.nfields:
                cursor.fetchall()


def _appends(
    servers: Servers,
    plan: Plan,
    start: UUID,
    ways: Sequence[Callable[[UUID], Callable[[], None]]],
) -> Round:
    """The same moves in a few games that are equal to `start`, one after the other."""
    appends = [way(game) for game in clone(start, plan.appended) for way in ways]
    database = servers.pid(POSTGRES)
    theirs, mine, began = cpu_seconds([database]), time.process_time(), time.perf_counter()
    for append in appends:
        append()
    seconds, spent = time.perf_counter() - began, time.process_time() - mine
    cpu = {"client": spent, "db": cpu_seconds([database]) - theirs}
    return Round(len(appends), seconds, (), cpu)


def _timed(work: Callable[[], int]) -> Round:
    started = time.process_time()
    count = work()
    return Round(count, time.process_time() - started)
