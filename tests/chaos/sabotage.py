"""Promises broken on purpose, so that whoever judges a run can be judged.

`python -m tests.chaos --kills 1 --sabotage lost` has to end with 1. What is broken is broken with
care: all that stands beside it is put right, so that only the promise itself can tell.
"""

from collections.abc import Callable, Mapping
from typing import Any, Final, LiteralString

import psycopg

from tests.chaos.ledger import Ledger
from tests.chaos.readers import Reader

# A stream is robbed of its event with this number.
STOLEN: Final = 7
_CUT: Final[LiteralString] = """
    DELETE FROM games_gameevent WHERE game_id = %(game)s::uuid AND seq >= %(first)s
"""
_REPEAT: Final[LiteralString] = """
    INSERT INTO games_gameevent (game_id, seq, type, schema_version, data, at, hash)
    SELECT game_id, seq + %(behind)s, type, schema_version, data, at, sha256(hash)
    FROM games_gameevent WHERE game_id = %(game)s::uuid AND seq BETWEEN %(first)s AND %(last)s
"""
_AGREE: Final[LiteralString] = """
    UPDATE games_game g SET version = e.seq, head_hash = e.hash, snapshot = NULL
    FROM (
        SELECT seq, hash FROM games_gameevent WHERE game_id = %(game)s::uuid
        ORDER BY seq DESC LIMIT 1) e
    WHERE g.id = %(game)s::uuid
"""
_AT: Final[LiteralString] = "SELECT id::text, version FROM games_game"


def move_lost(ledger: Ledger, url: str) -> None:
    """One log ends before an acknowledged move."""
    _change(url, _CUT, _last_moves(ledger, url)[0])


def move_doubled(ledger: Ledger, url: str) -> None:
    """The last acknowledged move of each game stands at the end of its log once more."""
    for move in _last_moves(ledger, url):
        _change(url, _REPEAT, move)


def event_skipped(_ledger: Ledger, _url: str) -> None:
    """A stream tells all but one of its events; it is robbed while it is read."""


SABOTAGE: Final[Mapping[str, Callable[[Ledger, str], None]]] = {
    "lost": move_lost,
    "doubled": move_doubled,
    "skipped": event_skipped,
}


class Robbed(Reader):
    """A reader whose streams lose one event on the way."""

    def take_message(self, message: Mapping[str, Any]) -> None:
        """All but that one."""
        if message.get("seq") != STOLEN:
            super().take_message(message)


def _last_moves(ledger: Ledger, url: str) -> list[dict[str, Any]]:
    """The last acknowledged move of each game that has one: its events, and what lies behind it."""
    with psycopg.connect(url) as connection:
        versions: dict[str, int] = dict(connection.execute(_AT).fetchall())
    moves = {}
    for ack in ledger.acks:
        if ack.events:
            first, last = ack.events[0].seq, ack.events[-1].seq
            behind = versions[ack.game] - first + 1
            moves[ack.game] = {"game": ack.game, "first": first, "last": last, "behind": behind}
    return list(moves.values())


def _change(url: str, statement: LiteralString, move: Mapping[str, Any]) -> None:
    with psycopg.connect(url) as connection:
        connection.execute(statement, move)
        connection.execute(_AGREE, move)
