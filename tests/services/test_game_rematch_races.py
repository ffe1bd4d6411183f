"""Rematches called for, lapsing and left at the same moment."""

from collections.abc import Sequence
from functools import partial
from uuid import UUID

import pytest
from pytest_django import Settings

from games.models import Game, GameEvent, Player
from games.services.game_rematch import game_rematch, rematches_lapse
from games.services.game_seats import game_leave, game_resign
from games.store import log
from tests.scores import new_players
from tests.tables import head_of, open_table
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)
ROUNDS = 6


def call(game_id: UUID, player: Player) -> UUID:
    """The player's call; the id of the next game."""
    return game_rematch(game_id=game_id, player_id=player.id, kind="human").head.id


def leave(game_id: UUID, player: Player) -> str:
    """Leave a game; where it stands then."""
    return game_leave(game_id=game_id, player_id=player.id).head.game.status


def finished(players: Sequence[Player]) -> UUID:
    """A game that is over at once."""
    game_id = open_table(players)
    game_resign(game_id=game_id, player_id=players[0].id)
    return game_id


def unfinished() -> UUID:
    """The one game that is not over."""
    return Game.objects.exclude(status="finished").get().id


def test_everybody_calls_at_once() -> None:
    players = new_players(2)
    game_id = finished(players)
    for _ in range(ROUNDS):
        [next_id] = set(at_once([partial(call, game_id, player) for player in players * 3]))
        assert unfinished() == next_id
        assert head_of(next_id).game == log.replay(next_id)
        game_resign(game_id=next_id, player_id=players[1].id)
        game_id = next_id


def test_a_rematch_lapses_once_whoever_notices(settings: Settings) -> None:
    """The sweepers or the late callers; those who call too late have one new game."""
    players = new_players(2)
    game_id = finished(players)
    for _ in range(ROUNDS):
        settings.REMATCH_SECONDS = 0
        lapsed = call(game_id, players[0])
        settings.REMATCH_SECONDS = 600
        calls = [partial(call, game_id, player) for player in players]
        *_, first, second = at_once([rematches_lapse, rematches_lapse, *calls])
        assert first == second == unfinished() != lapsed
        assert log.replay(lapsed).is_void
        assert GameEvent.objects.filter(game=lapsed, type="game_voided").count() == 1
        game_resign(game_id=first, player_id=players[0].id)
        game_id = first


def test_who_leaves_while_the_last_one_calls_has_left_or_plays() -> None:
    players = new_players(2)
    game_id = finished(players)
    for _ in range(ROUNDS):
        opened = call(game_id, players[0])
        left, called = at_once(
            [partial(leave, opened, players[0]), partial(call, game_id, players[1])]
        )
        assert called == opened
        assert left == head_of(opened).game.status
        assert head_of(opened).game == log.replay(opened)
        call(game_id, players[0])
        game_resign(game_id=opened, player_id=players[1].id)
        game_id = opened
