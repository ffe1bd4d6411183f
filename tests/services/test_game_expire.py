"""Open games that wait too long are called off; those that change in time are not."""

from datetime import timedelta
from functools import partial
from uuid import UUID

import pytest
from django.utils import timezone
from pytest_django import Settings

from games.models import Game, GameSeat, Notice, Player
from games.services.errors import ServiceError
from games.services.game_expire import games_expire
from games.services.game_rematch import game_rematch
from games.services.game_seats import client_seed_set, game_join, game_resign, game_start
from games.store import log
from tests.scores import new_player, new_players
from tests.store.tampering import verify
from tests.tables import head_of, open_table, types_of
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)
DAY = 86_400


def aged(game_id: UUID, seconds: int) -> UUID:
    """The game, as if nothing had happened for so long."""
    since = timezone.now() - timedelta(seconds=seconds)
    assert Game.objects.filter(id=game_id).update(waiting_since=since)
    return game_id


def status(game_id: UUID) -> str:
    """Where the game stands."""
    return Game.objects.get(id=game_id).status


@pytest.mark.parametrize("turn_seconds", [None, 30])
def test_after_an_hour_a_table_is_called_off(turn_seconds: int | None) -> None:
    ann, bob = new_players(2)
    late = aged(open_table([ann, bob], seats=3, turn_seconds=turn_seconds), 3_601)
    fresh = aged(open_table([ann, bob], seats=3, turn_seconds=turn_seconds), 3_500)
    assert (games_expire(), games_expire()) == (1, 0)
    assert (status(late), status(fresh)) == ("finished", "open")
    game = head_of(late).game
    assert game.is_void
    assert game.result is not None
    assert (game.result.reason, types_of(late)[-1]) == ("aborted", "game_voided")
    assert "0 at fault" in verify("--game", str(late))
    told = Notice.objects.filter(game_id=late, kind=Notice.Kind.GAME_FINISHED)
    assert {row.player_id for row in told} == {ann.id, bob.id}
    assert set(GameSeat.objects.filter(game=late).values_list("is_over", flat=True)) == {True}


def test_by_correspondence_it_waits_for_a_week() -> None:
    slow = aged(open_table([new_player()], seats=2, turn_seconds=DAY), 6 * DAY)
    assert games_expire() == 0
    aged(slow, 7 * DAY + 1)
    assert games_expire() == 1


def test_a_full_table_that_nobody_starts_is_called_off() -> None:
    ann, bob = new_players(2)
    full = aged(open_table([ann, bob], auto_start=False), 3_601)
    assert games_expire() == 1
    with pytest.raises(ServiceError, match=r"game\.over"):
        game_start(game_id=full, player_id=ann.id)


def test_the_time_begins_anew_with_every_change() -> None:
    ann, bob = new_players(2)
    table = aged(open_table([ann], seats=3), 4_000)
    game_join(game_id=table, player_id=bob.id, kind="human")
    assert games_expire() == 0
    aged(table, 4_000)
    client_seed_set(game_id=table, player_id=ann.id, seed="another")
    assert games_expire() == 0


def test_running_games_and_seats_that_are_kept_are_left_alone(settings: Settings) -> None:
    ann, bob = new_players(2)
    running = open_table([ann, bob])
    assert Game.objects.get(id=running).waiting_since is None
    game_resign(game_id=running, player_id=ann.id)
    settings.REMATCH_SECONDS = 2 * DAY
    kept = game_rematch(game_id=running, player_id=bob.id, kind="human").head.id
    aged(kept, DAY)
    assert games_expire() == 0
    assert status(kept) == "open"


def test_the_times_are_settings(settings: Settings) -> None:
    settings.OPEN_GAME_SECONDS, settings.OPEN_CORRESPONDENCE_SECONDS = 0, 60
    settings.CORRESPONDENCE_TURN_SECONDS = 10
    quick, slow = (open_table([new_player()], seats=2, turn_seconds=s) for s in (9, 10))
    assert games_expire() == 1
    assert (status(quick), status(slow)) == ("finished", "open")


def attempt_join(game_id: UUID, player: Player) -> str:
    """Sit down, or why not."""
    try:
        game_join(game_id=game_id, player_id=player.id, kind="human")
    except ServiceError as error:
        return error.code
    return "joined"


def test_who_sits_down_as_the_time_is_up_plays_or_finds_it_over() -> None:
    """The last seat and the sweepers at the same moment: one of the two, whole."""
    ann, bob = new_players(2)
    seen = set()
    for _ in range(8):
        table = aged(open_table([ann], seats=2), 4_000)
        joined, *swept = at_once([partial(attempt_join, table, bob), games_expire, games_expire])
        voided = types_of(table).count("game_voided")
        assert (joined, status(table), voided, sum(swept)) in {
            ("joined", "running", 0, 0),
            ("game.over", "finished", 1, 1),
        }
        assert head_of(table).game == log.replay(table)
        seen.add(joined)
    assert seen
