"""The chain of hashes, recomputed here from the rows alone."""

import hashlib
import hmac
import json
import random
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from games.models import Game, GameEvent
from tests.scores import new_players
from tests.tables import open_table, play_one

Row = tuple[Any, ...]
pytestmark = pytest.mark.django_db


def chain(game_id: str, secret: bytes, rows: list[Row]) -> list[bytes]:
    """The hashes that the log of these rows must have."""
    found = [bytes(32)]
    for seq, kind, version, facts, at in rows:
        number = seq.to_bytes(8, "big")
        nonce = hmac.new(secret, b"durak-nonce-v1" + number, hashlib.sha256).digest()
        link = hashlib.sha256(b"durak-log-v1" + game_id.encode() + number + found[-1] + nonce)
        link.update(text([kind, version, at.strftime("%Y-%m-%dT%H:%M:%S.%fZ")]))
        link.update(text(facts))
        found.append(link.digest())
    return found[1:]


def text(value: Any) -> bytes:
    """Canonical JSON: sorted names, no spaces, UTF-8."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def rows_of(game: Game) -> list[Row]:
    """What the hashes stand for."""
    events = GameEvent.objects.filter(game=game).order_by("seq")
    return list(events.values_list("seq", "type", "schema_version", "data", "at"))


@pytest.fixture
def game() -> Game:
    """A game of some moves."""
    game_id = open_table(new_players(2), client_seed="счастье")
    rng = random.Random(3)
    for _ in range(8):
        play_one(game_id, rng)
    return Game.objects.get(id=game_id)


def test_every_event_is_tied_to_all_before_it(game: Game) -> None:
    stored = GameEvent.objects.filter(game=game).order_by("seq").values_list("hash", flat=True)
    found = chain(str(game.id), bytes(game.chain_secret), rows_of(game))
    assert found == [bytes(digest) for digest in stored]
    assert found[-1] == bytes(game.head_hash)


def test_the_first_event_commits_to_the_secrets(game: Game) -> None:
    created = rows_of(game)[0][3]
    for named, label, secret in (
        ("chain_commitment", b"durak-chain-v1", game.chain_secret),
        ("commitment", b"durak-deal-v1", game.server_seed),
    ):
        digest = hashlib.sha256(label + str(game.id).encode() + bytes(secret)).hexdigest()
        assert created[named] == digest
    assert len({bytes(game.chain_secret), bytes(game.server_seed), bytes(game.bot_secret)}) == 3


def altered(**changes: Any) -> Callable[[list[Row]], list[Row]]:
    """The log with the tenth event changed."""
    names = ("seq", "type", "version", "data", "at")

    def forge(rows: list[Row]) -> list[Row]:
        tenth = dict(zip(names, rows[9], strict=True))
        changed = {name: change(tenth[name]) for name, change in changes.items()}
        return [*rows[:9], tuple((tenth | changed).values()), *rows[10:]]

    return forge


FORGERIES: dict[str, Callable[[list[Row]], list[Row]]] = {
    "removed": lambda rows: rows[:9] + rows[10:],
    "swapped": lambda rows: [rows[1], rows[0], *rows[2:]],
    "another time": altered(at=lambda at: at + timedelta(microseconds=1)),
    "another type": altered(type=lambda kind: kind + "s"),
    "another version": altered(version=lambda version: version + 1),
    "another fact": altered(data=lambda data: {**data, "seat": 5}),
}


@pytest.mark.parametrize("name", FORGERIES)
def test_a_changed_log_has_another_head(game: Game, name: str) -> None:
    forged = chain(str(game.id), bytes(game.chain_secret), FORGERIES[name](rows_of(game)))
    assert forged[-1] != bytes(game.head_hash)


def test_without_the_secret_nobody_can_try_cards(game: Game) -> None:
    stored = bytes(game.head_hash)
    assert chain(str(game.id), bytes(32), rows_of(game))[-1] != stored


def test_another_game_with_the_same_events_has_other_hashes(game: Game) -> None:
    other = chain(str(game.match_id), bytes(game.chain_secret), rows_of(game))
    assert other[-1] != bytes(game.head_hash)
