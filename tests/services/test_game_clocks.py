"""Acting for those whose time is up, on the real store and in real time."""

import io
import random
import time
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from pytest_django import Settings

from games.models import DueTurn, Game, Heartbeat, Outage
from games.models.results import GameResult
from games.rules.events import SeatTimedOut
from games.services import game_outages
from games.services.errors import ServiceError
from games.services.game_clocks import clocks_sweep
from games.services.game_outages import heartbeat, outages_settle
from games.services.game_rematch import game_rematch
from games.services.game_seats import game_leave, game_resign, game_return
from games.services.move_play import move_play
from games.store import log
from tests.scores import new_players
from tests.tables import head_of, move_for, open_table, play_one, player_at, types_of
from tests.threads import at_once

pytestmark = pytest.mark.django_db(transaction=True)
TURN = 1


@pytest.fixture(autouse=True)
def short_turns(settings: Settings) -> None:
    """Turns of a second; a second without a sweep is no outage."""
    settings.TURN_SECONDS_MIN = 1
    settings.OUTAGE_SECONDS = 60


def timed(players: int = 2, **terms: Any) -> UUID:
    """A running table with turns of a second."""
    return open_table(new_players(players), **{"turn_seconds": TURN, **terms})


def row_of(game_id: UUID) -> Game:
    return Game.objects.get(pk=game_id)


def deadline(game_id: UUID) -> datetime:
    found = head_of(game_id).game.deadline
    assert found is not None
    return found


def run_out(game_id: UUID) -> None:
    """Wait until the time of the turn is up, by the database's clock."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_sleep(GREATEST(0, extract(epoch FROM %s - clock_timestamp())))",
            [deadline(game_id)],
        )


def verified() -> bool:
    output = io.StringIO()
    call_command("verify_log", stdout=output, stderr=io.StringIO())
    return "0 at fault" in output.getvalue()


class TestTheRow:
    """When a game is looked at."""

    def test_it_is_looked_at_when_its_turn_is_over(self) -> None:
        game_id = timed()
        assert row_of(game_id).due_at == deadline(game_id)

    def test_a_move_leaves_an_earlier_time_where_it_is(self) -> None:
        game_id = timed(turn_seconds=60)
        before = row_of(game_id).due_at
        play_one(game_id, random.Random(1))
        assert row_of(game_id).due_at == before
        assert before is not None
        assert before < deadline(game_id)

    def test_the_sweep_sets_it_right(self) -> None:
        game_id = timed(turn_seconds=60)
        version = head_of(game_id).game.version
        Game.objects.filter(pk=game_id).update(due_at=deadline(game_id) - timedelta(hours=1))
        assert clocks_sweep() == 0
        assert row_of(game_id).due_at == deadline(game_id)
        assert head_of(game_id).game.version == version

    @pytest.mark.parametrize("terms", [{"turn_seconds": None}, {"turn_seconds": 60}])
    def test_there_is_none_after_the_end_or_without_a_clock(self, terms: dict[str, Any]) -> None:
        game_id = timed(**terms)
        game_resign(game_id=game_id, player_id=player_at(game_id, 0))
        assert row_of(game_id).due_at is None
        assert verified()

    @pytest.mark.parametrize("hours", [None, 1])
    def test_one_that_is_looked_at_too_late_or_never_is_a_fault(self, hours: int | None) -> None:
        game_id = timed(turn_seconds=60)
        late = None if hours is None else deadline(game_id) + timedelta(hours=hours)
        Game.objects.filter(pk=game_id).update(due_at=late)
        output = io.StringIO()
        with pytest.raises(CommandError, match="1 at fault"):
            call_command("verify_log", stdout=output, stderr=io.StringIO())
        assert "another due_at" in output.getvalue()

    def test_an_open_table_waits_for_nobody(self) -> None:
        assert row_of(timed(1, seats=2)).due_at is None

    def test_a_move_changes_no_index(self) -> None:
        game_id = timed(turn_seconds=60)
        assert hot_updates(lambda: play_one(game_id, random.Random(1))) == (1, 1)


def hot_updates(act: Any) -> tuple[int, int]:
    """How many rows of games an act updated, and how many of them in place."""
    counted = "SELECT n_tup_upd, n_tup_hot_upd FROM pg_stat_xact_user_tables WHERE relname = %s"
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(counted, ["games_game"])
        before = cursor.fetchone()
        act()
        cursor.execute(counted, ["games_game"])
        after = cursor.fetchone()
    return after[0] - before[0], after[1] - before[1]


class TestSweeping:
    """`clocks_sweep`"""

    def test_a_turn_in_time_is_left_alone(self) -> None:
        game_id = timed()
        version = head_of(game_id).game.version
        assert clocks_sweep() == 0
        assert head_of(game_id).game.version == version

    def test_a_turn_that_is_over_is_made_safely_once(self) -> None:
        game_id = timed()
        version = head_of(game_id).game.version
        run_out(game_id)
        assert (clocks_sweep(), clocks_sweep()) == (1, 0)
        assert types_of(game_id, version) == ["seat_timed_out", "bout_opened"]
        assert row_of(game_id).due_at == deadline(game_id)
        assert verified()

    def test_many_workers_act_once(self) -> None:
        games = [timed() for _ in range(4)]
        versions = [head_of(game_id).game.version for game_id in games]
        run_out(games[-1])
        assert sum(at_once([clocks_sweep] * 4)) == 4
        for game_id, version in zip(games, versions, strict=True):
            assert types_of(game_id, version).count("seat_timed_out") == 1

    def test_a_move_and_the_sweep_never_both_make_the_turn(self) -> None:
        game_id = timed()
        game = head_of(game_id).game
        seat, body = move_for(game, random.Random(1))
        run_out(game_id)

        def play() -> object:
            player = player_at(game_id, seat)
            expected = game.version
            try:
                return move_play(
                    game_id=game_id, player_id=player, body=body, expected_version=expected
                )
            except ServiceError as refused:
                return refused

        at_once([play, clocks_sweep])
        told = types_of(game_id, game.version)
        assert told in (["bout_opened"], ["seat_timed_out", "bout_opened"])

    def test_a_late_move_counts_until_somebody_acted(self) -> None:
        game_id = timed()
        version = head_of(game_id).game.version
        run_out(game_id)
        play_one(game_id, random.Random(1))
        assert clocks_sweep() == 0
        assert "seat_timed_out" not in types_of(game_id, version)

    def test_a_game_that_somebody_holds_waits_for_the_next_sweep(self) -> None:
        game_id = timed()
        run_out(game_id)
        with transaction.atomic():
            log.lock(game_id)
            assert at_once([clocks_sweep]) == [0]
        assert clocks_sweep() == 1

    def test_a_bot_that_is_due_is_told_and_its_turn_runs_too(self) -> None:
        game_id = timed(on_timeout="bot")
        run_out(game_id)
        clocks_sweep()
        head = head_of(game_id)
        assert DueTurn.objects.get(game=game_id).version == head.game.version
        run_out(game_id)
        clocks_sweep()
        told = types_of(game_id, head.game.version)
        assert told == ["seat_timed_out", "bout_opened"]

    def test_who_lost_his_seat_may_take_it_back(self) -> None:
        game_id = timed(on_timeout="bot")
        [seat] = head_of(game_id).game.to_act
        run_out(game_id)
        clocks_sweep()
        game_return(game_id=game_id, player_id=player_at(game_id, seat))
        assert head_of(game_id).game.chairs[seat].brain is None
        assert verified()

    def test_who_forfeits_is_rated_as_the_durak(self) -> None:
        game_id = timed(on_timeout="forfeit")
        [seat] = head_of(game_id).game.to_act
        run_out(game_id)
        clocks_sweep()
        result = head_of(game_id).game.result
        assert result is not None
        assert (result.reason, result.durak) == ("timeout", seat)
        assert GameResult.objects.get(game=game_id, seat=seat).is_durak
        assert row_of(game_id).due_at is None
        assert verified()

    def test_a_rematch_has_the_same_clock(self) -> None:
        players = new_players(2)
        game_id = open_table(players, turn_seconds=7, bank_seconds=9, on_timeout="bot")
        game_resign(game_id=game_id, player_id=players[0].id)
        for player in players:
            head = game_rematch(game_id=game_id, player_id=player.id, kind="human").head
        terms = (head.game.turn_seconds, head.game.bank_seconds, head.game.on_timeout)
        assert terms == (7, 9, "bot")
        assert head.game.deadline is not None
        assert verified()

    def test_leaving_and_returning_win_no_time(self) -> None:
        game_id = timed(turn_seconds=60)
        before, player = deadline(game_id), player_at(game_id, 0)
        game_leave(game_id=game_id, player_id=player)
        game_return(game_id=game_id, player_id=player)
        assert deadline(game_id) == before
        assert verified()


def beat(seconds_ago: float) -> None:
    """The service was last in order so long ago."""
    heartbeat()
    with connection.cursor() as cursor:
        cursor.execute(
            "UPDATE games_heartbeat SET at = clock_timestamp() - %s * interval '1 second'",
            [seconds_ago],
        )


class TestOutages:
    """Time in which the service was out of order."""

    @pytest.fixture(autouse=True)
    def strict(self, settings: Settings) -> None:
        """Half a second without a sweep is an outage."""
        settings.OUTAGE_SECONDS = 0.5

    def test_a_service_in_order_has_none(self) -> None:
        assert heartbeat() is None
        assert heartbeat() is None
        assert Heartbeat.objects.count() == 1
        assert not Outage.objects.exists()

    def test_running_turns_are_longer_by_it_once(self) -> None:
        game_id = timed(turn_seconds=60)
        version, before = head_of(game_id).game.version, deadline(game_id)
        time.sleep(0.1)
        beat(3600)
        assert clocks_sweep() == 0
        assert types_of(game_id, version) == ["deadline_extended"]
        gained = (deadline(game_id) - before).total_seconds()
        assert 0.1 <= gained < 5
        clocks_sweep()
        assert outages_settle() == 0
        assert types_of(game_id, version) == ["deadline_extended"]
        assert verified()

    def test_nobody_is_late_by_it(self) -> None:
        game_id = timed()
        version = head_of(game_id).game.version
        beat(0)
        run_out(game_id)
        assert clocks_sweep() == 0
        assert types_of(game_id, version) == ["deadline_extended"]
        run_out(game_id)
        heartbeat()
        Outage.objects.all().delete()
        assert clocks_sweep() == 1

    def test_who_moves_before_it_is_noticed_pays_nothing(self) -> None:
        game_id = timed(bank_seconds=60)
        version = head_of(game_id).game.version
        beat(0)
        time.sleep(1.6)
        play_one(game_id, random.Random(1))
        assert types_of(game_id, version) == ["deadline_extended", "bout_opened"]
        clock = head_of(game_id).game.clock
        assert clock is not None
        assert clock.banks == (60_000, 60_000)
        assert verified()

    def test_who_moves_before_a_known_one_is_settled_pays_nothing(self) -> None:
        game_id = timed(bank_seconds=60)
        version = head_of(game_id).game.version
        beat(0)
        time.sleep(1.6)
        heartbeat()
        assert not Outage.objects.get().settled
        play_one(game_id, random.Random(1))
        assert types_of(game_id, version) == ["deadline_extended", "bout_opened"]
        assert head_of(game_id).game.clock.banks == (60_000, 60_000)
        clocks_sweep()
        assert types_of(game_id, version) == ["deadline_extended", "bout_opened"]
        assert verified()

    def test_workers_that_come_back_together_find_one(self) -> None:
        game_id = timed(turn_seconds=60)
        version = head_of(game_id).game.version
        beat(100)
        at_once([clocks_sweep] * 4)
        assert Outage.objects.count() == 1
        assert types_of(game_id, version) == ["deadline_extended"]

    def test_many_games_are_told_in_several_sweeps(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(game_outages, "BATCH", 2)
        games = [timed(turn_seconds=60) for _ in range(3)]
        beat(100)
        heartbeat()
        assert (outages_settle(), outages_settle(), outages_settle()) == (2, 1, 0)
        assert Outage.objects.get().settled
        assert {types_of(game_id)[-1] for game_id in games} == {"deadline_extended"}

    def test_a_game_that_is_held_is_told_later(self) -> None:
        game_id = timed(turn_seconds=60)
        beat(100)
        heartbeat()
        with transaction.atomic():
            log.lock(game_id)
            assert at_once([impatient]) == [0]
        assert not Outage.objects.get().settled
        assert outages_settle() == 1

    def test_what_a_killed_worker_left_is_told_before_anybody_is_late(self) -> None:
        """The outage is stored, no game was told of it, and a turn seems to be over."""
        game_id = timed()
        version = head_of(game_id).game.version
        run_out(game_id)
        beat(100)
        heartbeat()
        Outage.objects.update(settled=True)
        clocks_sweep()
        assert types_of(game_id, version) == ["deadline_extended"]


def impatient() -> int:
    """A sweep that does not wait long for a game."""
    with connection.cursor() as cursor:
        cursor.execute("SET lock_timeout = '50ms'")
    return outages_settle()


def test_a_game_that_cannot_go_on_keeps_no_other_waiting() -> None:
    broken, sound = timed(), timed()
    Game.objects.filter(pk=broken).update(snapshot=None)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM games_gameevent WHERE game_id = %s", [broken])
    run_out(sound)
    assert clocks_sweep() == 1
    assert any(isinstance(item.event, SeatTimedOut) for item in log.events(sound))
    assert clocks_sweep() == 0


def test_a_game_that_this_release_cannot_read_keeps_no_other_waiting() -> None:
    strange, other = timed(), timed()
    Game.objects.filter(pk=strange).update(snapshot=None)
    with connection.cursor() as cursor:
        statement = "UPDATE games_gameevent SET type = 'of_tomorrow' WHERE game_id = %s AND seq = 2"
        cursor.execute(statement, [strange])
    beat(100)
    clocks_sweep()
    assert types_of(other)[-1] == "deadline_extended"
    assert Outage.objects.get().settled
    run_out(other)
    clocks_sweep()
    assert "seat_timed_out" in types_of(other)
