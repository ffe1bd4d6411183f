"""A game is its log: everything else can be dropped."""

import random
import subprocess
import sys
from uuid import UUID

import pytest
from msgspec.structs import replace

from games.models import Game
from games.rules import game as games
from games.services.game_advance import Outcome
from games.services.game_seats import game_leave, game_resign, game_return
from games.store import log
from tests.scores import new_players
from tests.tables import head_of, open_table, play_one, play_out

pytestmark = pytest.mark.django_db


def fold_every(game_id: UUID) -> dict[int, games.Game]:
    """The game at every version, from its events alone."""
    game, folded = None, {}
    for item in log.events(game_id):
        game = folded[item.seq] = games.evolve(game, item.event)
    return folded


def test_folding_the_log_gives_the_live_game_at_every_version() -> None:
    players = new_players(3)
    game_id = open_table(players, ruleset="transfer")
    rng = random.Random(4)
    lived = [play_one(game_id, rng) for _ in range(12)]
    lived.append(game_leave(game_id=game_id, player_id=players[1].id))
    lived += [play_one(game_id, rng) for _ in range(6)]
    lived.append(game_return(game_id=game_id, player_id=players[1].id))
    lived.append(game_resign(game_id=game_id, player_id=players[2].id))
    lived += play_out(game_id, rng)
    folded = fold_every(game_id)
    assert all(folded[one.head.game.version] == one.head.game for one in lived)
    for one in lived[::20]:
        assert log.replay(game_id, one.head.game.version) == one.head.game


def test_inside_a_move_nobody_may_act() -> None:
    game_id = open_table(new_players(2))
    ends = {outcome.head.game.version for outcome in play_out(game_id, random.Random(5))}
    dealt = head_of_start(game_id)
    folded = fold_every(game_id)
    inside = folded.keys() - ends - {dealt}
    assert inside
    assert all(folded[version].to_act == () for version in inside)


def head_of_start(game_id: UUID) -> int:
    """The version at which the cards were on the table."""
    numbers = (item.seq for item in log.events(game_id) if item.event.next is not None)
    return next(numbers)


def test_a_game_goes_on_without_snapshots() -> None:
    game_id = open_table(new_players(2))
    rng = random.Random(6)
    for _ in range(10):
        kept = head_of(game_id)
        Game.objects.filter(id=game_id).update(snapshot=None)
        assert head_of(game_id) == kept
        assert play_one(game_id, rng).head.game.version > kept.game.version


@pytest.mark.parametrize("left", [b"", b"{}", b"{", b"\xff", b"[]"], ids=repr)
def test_a_snapshot_that_cannot_be_read_is_folded_anew(left: bytes) -> None:
    game_id = open_table(new_players(2))
    kept = head_of(game_id)
    Game.objects.filter(id=game_id).update(snapshot=log.SNAPSHOT_FORMAT + left)
    assert head_of(game_id) == kept
    Game.objects.filter(id=game_id).update(snapshot=left)
    assert head_of(game_id) == kept


def test_a_snapshot_of_another_format_is_not_looked_at() -> None:
    game_id = open_table(new_players(2))
    kept = head_of(game_id)
    snapshot = bytes(Game.objects.get(id=game_id).snapshot or b"")
    assert snapshot.startswith(log.SNAPSHOT_FORMAT)
    lie = snapshot.replace(b'"version":', b'"version":9')
    Game.objects.filter(id=game_id).update(snapshot=lie)
    assert head_of(game_id).game.version > kept.game.version
    Game.objects.filter(id=game_id).update(snapshot=b"0" + lie[1:])
    assert head_of(game_id) == kept


def test_the_format_follows_the_shape_of_a_game() -> None:
    """Another process computes the same, and a field more makes another."""
    script = "import django; django.setup(); from games.store import log; "
    script += "print(log.SNAPSHOT_FORMAT.hex())"
    seen = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True)
    assert seen.stdout.decode().strip() == log.SNAPSHOT_FORMAT.hex()
    assert b"lowest_trump_owner" in log._SHAPE


def test_an_outcome_is_what_a_reader_finds() -> None:
    game_id = open_table(new_players(3))
    rng = random.Random(7)
    outcomes: list[Outcome] = [play_one(game_id, rng) for _ in range(5)]
    # Whom a write told is known to who wrote it.
    assert replace(outcomes[-1].head, told=()) == head_of(game_id)
    told = [item for outcome in outcomes for item in outcome.added]
    assert told == log.events(game_id, after=told[0].seq - 1)
    assert log.events(game_id, after=told[0].seq, limit=2) == told[1:3]
