"""A million players and ten million results, by COPY, straight into the tables of scores.

Everybody plays four-seated rated games of one ruleset in the running season, against others in
every round; one player, who is busy, sits in every hundredth game besides, nine of ten of which
are private. Logs there are none: nothing that reads scores looks at them. Ratings are written with
their triggers on, so that the counts of the boards come about as they do on a server; everything
else without, and without the indexes, which are made afterwards.
"""

import math
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

import msgspec
import psycopg
from django.core.management.base import OutputWrapper
from django.utils import timezone

from games.management.progress import ProgressBar
from games.models.results import OVERALL
from games.projections.seasons import season_of

LADDER: Final = "throw_in"
SEATS, BUSY_EVERY, BLOCK = 4, 100, 20_000
BYTES: Final = "\\\\x" + "5a" * 32
_TABLES: Final = {
    "games_player": "id, name, name_key, kind, password, language, created_at",
    "games_game": (
        "id, creator_id, ruleset, options, visibility, rated, invite, match_id, game_number, seats,"
        " status, version, head_hash, server_seed, chain_secret, bot_secret, created_at,"
        " finished_at"
    ),
    "games_gameresult": (
        "game_id, seat, player_id, ladder, place, players, shared, is_durak, drew, unrated,"
        " private, finished_at"
    ),
    "games_gamefinish": "game_id, ladder, finished_at, ladder_seq, overall_seq, rated_at",
    "games_ratingchange": (
        "game_id, player_id, ladder, season, seq, place, mu_before, sigma_before, mu_after,"
        " sigma_after, rating_before, rating_after, finished_at"
    ),
    "games_ladder": "id, games, seasons",
    "games_rating": (
        "player_id, ladder, season, kind, mu, sigma, rating, uncertainty, provisional, games,"
        " durak_count, first_places, draws, points, updated_seq, updated_at"
    ),
}
_COUNTED: Final = "games_rating"
# What boards and histories read, what they read most of all at the end: it all but fits.
_ASKED: Final = (
    *("games_ratingchange", "games_gameresult", "games_gamefinish", "games_meeting"),
    *("games_player", "games_rating", "games_boardcount"),
)
_WARMED: Final = """
    SELECT sum(pg_prewarm(part)) FROM unnest(%s::text[]) AS name,
        LATERAL (SELECT name::regclass UNION SELECT indexrelid FROM pg_index
                 WHERE indrelid = name::regclass) AS parts (part)
"""
_BEGUN: Final = "SELECT FROM games_player WHERE id = %s"
_INDEXES: Final = """
    SELECT indexname, indexdef FROM pg_indexes
    WHERE tablename = ANY(%s) AND indexname NOT IN (SELECT conname FROM pg_constraint)
"""


class Crowd(NamedTuple):
    """How many players and results there are, and the season they are of."""

    players: int
    results: int
    season: str
    begin: datetime
    end: datetime

    @property
    def games(self) -> int:
        """How many games gave the results."""
        return self.results // SEATS


def crowd_of(players: int, results: int) -> Crowd:
    """So many, within the running season as far as it has come."""
    now = timezone.now()
    begin = now
    for day in range(1, 100):
        if season_of(now - timedelta(days=day)) != season_of(now):
            break
        begin = now - timedelta(days=day)
    return Crowd(players, results, season_of(now), begin, now)


def player_id(number: int) -> UUID:
    """The id of a player; the busy one is number 0."""
    return UUID(int=(0x01900000_0000_7000_8000 << 48) + number)


def crowd_ready(players: int, results: int, folder: Path, superuser_url: str) -> Crowd:
    """The crowd that a folder has kept, or else a new one, loaded.

    Raises SystemExit if the folder has another one, or half a crowd.
    """
    note = folder / "crowd.json"
    crowd = crowd_of(players, results)
    if not note.exists():
        crowd_load(crowd, superuser_url)
        note.write_bytes(msgspec.json.encode(crowd))
        return crowd
    kept = msgspec.json.decode(note.read_bytes(), type=Crowd)
    if kept[:2] != crowd[:2]:
        raise SystemExit(f"{folder} has {kept.players:,} players and {kept.results:,} results")
    return kept


def crowd_warm(superuser_url: str) -> None:
    """Read into memory what is asked for all day long where so many play."""
    with psycopg.connect(superuser_url, autocommit=True) as connection:
        connection.execute("CREATE EXTENSION IF NOT EXISTS pg_prewarm")
        connection.execute(_WARMED, [list(_ASKED)])


def crowd_load(crowd: Crowd, superuser_url: str) -> None:
    """Fill the tables, and tell on stderr how far it is."""
    with psycopg.connect(superuser_url, autocommit=True) as connection:
        if connection.execute(_BEGUN, [player_id(0)]).fetchone() is not None:
            raise SystemExit("a load that was broken off is in the folder: remove it first")
        connection.execute("SET synchronous_commit = off; SET maintenance_work_mem = '1GB'")
        dropped = connection.execute(_INDEXES, [list(_TABLES)]).fetchall()
        for index, _ in dropped:
            connection.execute(f"DROP INDEX {index}")
        for table, rows in _rows(crowd).items():
            role = "origin" if table == _COUNTED else "replica"
            connection.execute(f"SET session_replication_role = {role}")
            _copy(connection, table, rows)
        for index, definition in dropped:
            _told(f"index {index}", partial(connection.execute, definition))
        _told("statistics", lambda: connection.execute("VACUUM (ANALYZE)"))


class _Rows(NamedTuple):
    total: int
    lines: Callable[[], Iterable[str]]


def _rows(crowd: Crowd) -> dict[str, _Rows]:
    games, seats = crowd.games, crowd.games * SEATS
    made = {
        "games_player": _Rows(crowd.players, lambda: _players(crowd)),
        "games_game": _Rows(games, lambda: _games(crowd)),
        "games_gameresult": _Rows(seats, lambda: _results(crowd)),
        "games_gamefinish": _Rows(games, lambda: _finishes(crowd)),
        "games_ratingchange": _Rows(seats * 2, lambda: _changes(crowd)),
        "games_ladder": _Rows(2, lambda: _ladders(crowd)),
        "games_rating": _Rows(crowd.players * 2, lambda: _ratings(crowd)),
    }
    assert made.keys() == _TABLES.keys()
    return made


def _copy(connection: psycopg.Connection, table: str, rows: _Rows) -> None:
    bar, began, done = ProgressBar(OutputWrapper(sys.stderr), table, "rows"), time.monotonic(), 0
    lines = iter(rows.lines())
    with connection.cursor() as cursor:
        while block := list(islice(lines, BLOCK * 10)):
            with cursor.copy(f"COPY {table} ({_TABLES[table]}) FROM STDIN") as copy:
                for first in range(0, len(block), BLOCK):
                    copy.write("".join(block[first : first + BLOCK]))
                    bar.show(done + first, rows.total)
            done += len(block)
    bar.end()
    _say(f"{table}: {done:,} rows in {time.monotonic() - began:.0f} s")


def _told(name: str, work: Callable[[], object]) -> None:
    began = time.monotonic()
    work()
    _say(f"{name}: {time.monotonic() - began:.0f} s")


def _say(line: str) -> None:
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()


def _players(crowd: Crowd) -> Iterator[str]:
    for number in range(crowd.players):
        name = f"crowd-{number:x}"
        yield f"{_id(number)}\t{name}\t{name}\t{_kind(number)}\t\ten\t{crowd.begin}\n"


def _games(crowd: Crowd) -> Iterator[str]:
    secrets = "\t".join([BYTES] * 4)
    for number, at, seats in _played(crowd):
        own, visibility = _id(number), "private" if _is_private(number) else "public"
        yield (
            f"{own}\t{seats[0]}\t{LADDER}\t{{}}\t{visibility}\tt\t\t{own}\t1\t{SEATS}\tfinished\t40\t"
            f"{secrets}\t{at}\t{at}\n"
        )


def _results(crowd: Crowd) -> Iterator[str]:
    for number, at, seats in _played(crowd):
        own, rest = _id(number), f"f\t\t{'t' if _is_private(number) else 'f'}\t{at}\n"
        for place, player in enumerate(seats, 1):
            shared_durak = f"f\t{'t' if place == SEATS else 'f'}"
            seat = f"{own}\t{place - 1}\t{player}\t{LADDER}\t{place}\t{SEATS}"
            yield f"{seat}\t{shared_durak}\t{rest}"


def _finishes(crowd: Crowd) -> Iterator[str]:
    for number, at, _ in _played(crowd):
        yield f"{_id(number)}\t{LADDER}\t{at}\t{number + 1}\t{number + 1}\t{at}\n"


def _changes(crowd: Crowd) -> Iterator[str]:
    skills = "25\t4\t25\t4"
    for number, at, seats in _played(crowd):
        own = _id(number)
        for place, player in enumerate(seats, 1):
            before = 1200 + (number * 31 + place) % 600
            rest = f"{place}\t{skills}\t{before}\t{before + 10 - place * 4}\t{at}\n"
            for ladder in (LADDER, OVERALL):
                yield f"{own}\t{player}\t{ladder}\t{crowd.season}\t{number + 1}\t{rest}"


def _ladders(crowd: Crowd) -> Iterator[str]:
    for ladder in (LADDER, OVERALL):
        yield f"{ladder}\t{crowd.games}\t{{{crowd.season}}}\n"


def _ratings(crowd: Crowd) -> Iterator[str]:
    chance = random.Random(crowd.players)
    for number in range(crowd.players):
        for ladder in (LADDER, OVERALL):
            mu, sigma, games = chance.gauss(25, 4), chance.uniform(1, 8), chance.randint(1, 130)
            rating, provisional = 1000 + round(30 * (mu - 3 * sigma)), sigma > 5 or games < 15
            yield (
                f"{_id(number)}\t{ladder}\t{crowd.season}\t{_kind(number)}\t{mu:.6f}\t{sigma:.6f}\t"
                f"{rating}\t{round(30 * sigma)}\t{'t' if provisional else 'f'}\t{games}\t"
                f"{games // 4}\t{games // 4}\t0\t0\t{crowd.games}\t{crowd.end}\n"
            )


def _played(crowd: Crowd) -> Iterator[tuple[int, str, Sequence[str]]]:
    """Every game: its number, when it ended, and who sat where, in the order of their places."""
    ids = [_id(number) for number in range(crowd.players)]
    step = (crowd.end - crowd.begin) / max(crowd.games, 1)
    for number in range(crowd.games):
        seats = [ids[one] for one in _table(crowd.players, number)]
        if number % BUSY_EVERY == 0 and ids[0] not in seats:
            seats[number // BUSY_EVERY % SEATS] = ids[0]
        yield number, str(crowd.begin + number * step), seats


def _is_private(game: int) -> bool:
    return game % BUSY_EVERY == 0 and game % (10 * BUSY_EVERY) != 0


def _table(players: int, game: int) -> list[int]:
    """Who plays: everybody once in a round, in a stride that no other round has."""
    first = game * SEATS
    stride = _stride(players, first // players)
    return [(first + seat) * stride % players for seat in range(SEATS)]


def _stride(players: int, game_round: int) -> int:
    stride = 7919 + 2 * game_round
    while math.gcd(stride, players) > 1:
        stride += 1
    return stride


def _id(number: int) -> str:
    return f"01900000-0000-7000-8000-{number:012x}"


def _kind(number: int) -> str:
    return "bot" if number % 50 == 0 else "human"
