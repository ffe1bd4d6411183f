"""The log: verifying it, what an event takes on the disk, appending to it.

Games are played in memory and written through the store, so that there are many of them soon.
Verifying is measured in CPU time of this process, the reading of the rows included, beside the
same hashes made of the same bytes and nothing else. Appends are those of moves one after the
other on one connection, lock and commit included, beside bare psycopg with the same statements.
"""

import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Final, NamedTuple
from uuid import UUID

import psycopg
from django.db import connection, transaction
from django.utils import timezone

from bench.engine import choose
from bench.exchange import Exchange
from bench.measure import Ratio, Round, Section, compare, interleave, summarise
from bench.rehearsal import clone, recorded
from games.models import Player
from games.rules import engine
from games.rules.events import Event
from games.rules.game import entropy_of
from games.services.game_create import Table, game_create
from games.services.player_register import player_register
from games.store import log
from games.store.anchored import Anchored
from games.store.audit import chain_fault, faults
from games.store.chain import GENESIS, link
from games.store.stored import Stored, stored_games

RULESETS: Final = ("throw_in", "transfer", "mau_mau", "english_durak")
MOVES: Final = 40
CHAIN, RULES, HASHES = "verify_log, chain only", "verify_log, rules too", "the hashes alone"
STORE, PSYCOPG = "store: lock, append, commit", "bare psycopg, the same statements"
CHAIN_WANTED, RULES_WANTED, BYTES_WANTED, STORE_WANTED = 100_000, 10_000, 400, 0.85

Move = tuple[Event, ...]
NO_ANCHORS: Final = Anchored()


class Plan(NamedTuple):
    """How much: games to verify, rounds, games to append to in a round."""

    games: int
    rounds: int
    appended: int


FULL: Final = Plan(games=240, rounds=9, appended=12)
QUICK: Final = Plan(games=8, rounds=1, appended=1)


def measure(plan: Plan) -> list[Section]:
    """The tables of verifying and of appending; the servers must be up."""
    rng = random.Random("log")
    player = player_register(name=f"log-{rng.getrandbits(40):010x}").player
    for number in range(plan.games):
        _write(player, RULESETS[number % len(RULESETS)], rng)
    return [_verifying(plan), _appending(plan, player, rng)]


def _verifying(plan: Plan) -> Section:
    batches = list(_batches())
    played = interleave(
        {
            CHAIN: lambda: _timed(_check_chains),
            RULES: lambda: _timed(_check_all),
            HASHES: lambda: _timed(lambda: sum(_hash(game) for batch in batches for game in batch)),
        },
        max(1, plan.rounds // 3),
    )
    rows = [summarise(name, "events/s", rounds) for name, rounds in played.items()]
    rates = {row.name: row.rate for row in rows}
    size, count = _size()
    ratios = [
        Ratio(f"{CHAIN} / {CHAIN_WANTED:,} a second", rates[CHAIN] / CHAIN_WANTED, wanted=1.0),
        Ratio(f"{RULES} / {RULES_WANTED:,} a second", rates[RULES] / RULES_WANTED, wanted=1.0),
        compare(played, CHAIN, HASHES),
        Ratio(f"{BYTES_WANTED} bytes / an event", BYTES_WANTED * count / size, None, 1.0, True),
    ]
    notes = [f"{count:,} events take {size / count:.0f} bytes each on the disk, indexes included"]
    return Section("The log, one core", rows, ratios, notes)


def _appending(plan: Plan, player: Player, rng: random.Random) -> Section:
    start, moves = _opened(player, "throw_in", rng)
    model = clone(start, 1)[0]
    exchanges = [_recorded(model, move) for move in moves]
    bare = psycopg.connect(os.environ["DATABASE_URL"], autocommit=True)
    played = interleave(
        {
            STORE: lambda: _appends(clone(start, plan.appended), moves),
            PSYCOPG: lambda: _bare_appends(bare, clone(start, plan.appended), exchanges),
        },
        plan.rounds,
    )
    bare.close()
    rows = [summarise(name, "appends/s", rounds) for name, rounds in played.items()]
    return Section(
        "Durable appends, one connection",
        rows,
        [compare(played, STORE, PSYCOPG, STORE_WANTED, binding=True)],
    )


def _write(player: Player, ruleset: str, rng: random.Random) -> None:
    """A game that was played to its end."""
    game_id, moves = _opened(player, ruleset, rng, MOVES * 1000)
    events = tuple(event for move in moves for event in move)
    with transaction.atomic():
        head = log.lock(game_id)
        assert head is not None
        log.append(head, events, timezone.now())


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


def _hash(game: Stored) -> int:
    previous, key = GENESIS, str(game.id)
    for row in game.rows:
        previous = link(key, row.seq, previous, game.chain_secret, row.data.encode())
    return len(game.rows)


def _size() -> tuple[int, int]:
    """Bytes on the disk, and how many events take them."""
    with connection.cursor() as cursor:
        cursor.execute("VACUUM games_gameevent")
        cursor.execute(
            "SELECT pg_total_relation_size('games_gameevent'), count(*) FROM games_gameevent"
        )
        size, count = cursor.fetchone()
        return size, count


def _append(game_id: UUID, move: Move) -> None:
    with transaction.atomic():
        head = log.lock(game_id)
        assert head is not None
        log.append(head, move, timezone.now())


def _recorded(game_id: UUID, move: Move) -> Exchange:
    with recorded() as statements:
        _append(game_id, move)
    return Exchange(0, game_id, "", "", {}, b"", statements, 0, b"")


def _appends(games: Sequence[UUID], moves: Sequence[Move]) -> Round:
    def work() -> int:
        for game in games:
            for move in moves:
                _append(game, move)
        return len(games) * len(moves)

    return _clocked(work)


def _bare_appends(
    bare: psycopg.Connection, games: Sequence[UUID], exchanges: Sequence[Exchange]
) -> Round:
    def work() -> int:
        for game in games:
            for exchange in exchanges:
                _replay(bare, exchange, game)
        return len(games) * len(exchanges)

    return _clocked(work)


def _replay(bare: psycopg.Connection, exchange: Exchange, game: UUID) -> None:
    with bare.transaction():
        for _, statements in exchange.blocks(game):
            for sql, parameters in statements:
                cursor = bare.execute(sql, parameters)
                if cursor.description:
                    cursor.fetchall()


def _clocked(work: Callable[[], int]) -> Round:
    started, spent = time.perf_counter(), time.process_time()
    count = work()
    cpu = {"client": time.process_time() - spent}
    return Round(count, time.perf_counter() - started, (), cpu)


def _timed(work: Callable[[], int]) -> Round:
    started = time.process_time()
    count = work()
    return Round(count, time.process_time() - started)
