"""Dropped and rebuilt, results and ratings are what they were, to the bit."""

import contextlib
import os
import random
import subprocess
import sys
import time
from collections.abc import Collection, Iterator, Sequence
from datetime import timedelta
from io import StringIO
from typing import Any
from uuid import UUID

import msgspec
import psycopg
import pytest
from django.core.management import CommandError, call_command
from django.core.management.base import OutputWrapper
from django.db import models

from games.management.progress import ProgressBar
from games.models import GameFinish, GameResult, Ladder, Meeting, Player, Rating, RatingChange
from games.projections.ratings import ratings_apply
from games.projections.rebuild import ratings_rebuild, results_rebuild
from games.rules import engine
from games.services.game_advance import Outcome
from games.services.game_create import Table, game_create
from games.services.game_seats import game_join, game_leave, game_resign
from games.services.move_play import bot_move_play, move_play
from games.store import log
from games.store.log import Head
from tests.api.streaming import database_url
from tests.scores import AUTUMN, WINTER, finished, new_player, new_players, record, result_of
from tests.threads import Beside

pytestmark = pytest.mark.django_db
TABLES: tuple[type[models.Model], ...] = (
    GameResult,
    GameFinish,
    Rating,
    RatingChange,
    Ladder,
    Meeting,
)


_WAITER = "SELECT pid FROM pg_stat_activity WHERE %s = ANY(pg_blocking_pids(pid))"
_GONE = "SELECT 1 WHERE NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = %s)"


def silent(_done: int, _total: int) -> None:
    """No progress bar."""


def rows(*tables: type[models.Model], without: Collection[str] = ()) -> list[list[dict[str, Any]]]:
    """All rows without their surrogate keys, in an order of their own."""
    return [
        sorted(
            (
                {
                    name: value
                    for name, value in row.items()
                    if name not in without and (name != "id" or table is Ladder)
                }
                for row in table._default_manager.values()
            ),
            key=repr,
        )
        for table in tables
    ]


def history(games: int) -> list[Player]:
    """Rated games of all sorts: ladders, sizes, draws, seasons, a bot in several seats."""
    chance = random.Random(11)
    players = [*new_players(6), new_player(kind="bot")]
    for number in range(games):
        table = chance.sample(players, chance.randint(2, 5))
        seats = [*table, *chance.choices(players[6:], k=chance.randint(0, 1))]
        order = chance.sample(range(len(seats)), len(seats))
        drawn = chance.random() < 0.2
        tail = [tuple(order[-2:])] if drawn else [(order[-2],), (order[-1],)]
        game = record(
            finished(
                seats,
                result_of([*((seat,) for seat in order[:-2]), *tail], draw=drawn),
                ruleset=chance.choice(["simple", "throw_in", "transfer"]),
                finished_at=(AUTUMN if number % 5 else WINTER) + timedelta(seconds=number),
            )
        )
        ratings_apply(game.game_id)
    return players


def test_ratings_rebuilt_are_the_same_to_the_bit() -> None:
    history(60)
    before = rows(*TABLES)
    seen: list[tuple[int, int]] = []
    assert ratings_rebuild(lambda done, total: seen.append((done, total))) == 60
    assert rows(*TABLES) == before
    assert seen[-1] == (60, 60)


def test_damaged_and_missing_ratings_are_made_good(monkeypatch: pytest.MonkeyPatch) -> None:
    """In batches smaller than the history."""
    monkeypatch.setattr("games.projections.refold.BATCH", 7)
    history(30)
    before = rows(*TABLES)
    Rating.objects.filter(ladder="overall").update(mu=0.0, games=99)
    Rating.objects.filter(ladder="simple").delete()
    RatingChange.objects.filter(seq__gt=3).delete()
    Ladder.objects.all().delete()
    ratings_rebuild(silent)
    assert rows(*TABLES) == before


def test_games_without_ratings_are_rated_last() -> None:
    history(5)
    game = record(finished(new_players(2)))
    assert ratings_rebuild(silent) == 6
    assert GameFinish.objects.get(pk=game.game_id).overall_seq == 6


def test_the_next_game_goes_on_from_a_rebuild() -> None:
    players = history(10)
    ratings_rebuild(silent)
    game = record(finished(players[:3]))
    ratings_apply(game.game_id)
    before = rows(*TABLES)
    ratings_rebuild(silent)
    assert rows(*TABLES) == before


def test_the_application_needs_no_more_rights_than_its_role_has(app_role: Any) -> None:
    history(3)
    before = rows(*TABLES)
    assert ratings_rebuild(silent) == 3
    assert rows(*TABLES) == before


def test_nothing_is_rebuilt_from_nothing() -> None:
    assert results_rebuild(silent) == 0
    assert ratings_rebuild(silent) == 0


@pytest.mark.django_db(transaction=True)
class TestFromLogs:
    """Games that were really played, with all that can happen to a seat."""

    def test_everything_rebuilt_from_the_logs_is_what_the_moves_left(self) -> None:
        ids = self.played()
        before = rows(*TABLES)
        assert GameFinish.objects.filter(rated_at=None).count() == 0
        assert set(GameResult.objects.values_list("game_id", flat=True)) == ids
        GameResult.objects.filter(seat=1).delete()
        GameResult.objects.update(place=1, private=True, unrated="")
        Rating.objects.all().delete()
        RatingChange.objects.all().delete()
        out = StringIO()
        call_command("rebuild_projections", stdout=out)
        assert rows(*TABLES) == before
        assert out.getvalue() == "results: 6 games\nratings: 4 games\n"

    def test_again_changes_nothing(self) -> None:
        self.played()
        call_command("rebuild_projections", stdout=StringIO())
        before = rows(*TABLES)
        call_command("rebuild_projections", stdout=StringIO())
        assert rows(*TABLES) == before

    def test_killed_between_batches_of_results_it_is_started_again(self) -> None:
        first, *_, last = sorted(self.played())
        before = rows(*TABLES)
        GameResult.objects.update(place=9, unrated="")
        with stopped_at("games_gameresult", "game_id", last) as process:
            assert not GameResult.objects.filter(game=first, place=9).exists()
            assert GameResult.objects.filter(game=last, place=9).exists()
            process.kill()
            process.wait()
        rebuilt()
        assert rows(*TABLES) == before

    def test_killed_among_ratings_it_leaves_the_old_ones_and_is_started_again(self) -> None:
        self.played()
        before = rows(*TABLES)
        game = RatingChange.objects.values_list("game_id", flat=True)[0]
        with stopped_at("games_ratingchange", "game_id", game) as process:
            process.kill()
            process.wait()
        assert rows(*TABLES) == before
        rebuilt()
        assert rows(*TABLES) == before

    def test_two_rebuilds_take_turns(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """One writes shares anew in the order of numbers, the other results in that of ids."""
        monkeypatch.setattr("games.projections.refold.BATCH", 1)
        pairs = [new_players(2) for _ in range(3)]
        tables = [self.table(pair, Table("throw_in", 2, rated=True)) for pair in pairs]
        for game_id, (ann, _) in reversed(list(zip(tables, pairs, strict=True))):
            game_resign(game_id=game_id, player_id=ann.id)
        before = rows(*TABLES)
        GameResult.objects.update(weight=0.25, reduced="repeated")
        others: list[Beside] = []

        def another_begins(_done: int, _total: int) -> None:
            if not others:
                others.append(Beside(lambda: results_rebuild(silent)))
                others[0].wait_for_lock()

        ratings_rebuild(another_begins)
        others[0].end()
        assert rows(*TABLES) == before

    def test_one_game_is_rebuilt_alone(self) -> None:
        game, other, *_ = sorted(self.played())
        before = rows(*TABLES)
        GameResult.objects.filter(game__in=[game, other]).update(place=9)
        out = StringIO()
        call_command("rebuild_projections", "--game", str(game), stdout=out)
        assert out.getvalue() == "results: 1 games\n"
        assert not GameResult.objects.filter(game=game, place=9).exists()
        assert GameResult.objects.filter(game=other, place=9).exists()
        call_command("rebuild_projections", "--game", str(other), stdout=out)
        assert rows(*TABLES) == before

    def test_one_ladder_is_rebuilt_alone(self) -> None:
        self.played()
        before = rows(*TABLES)
        GameResult.objects.update(place=9)
        Rating.objects.update(games=99)
        out = StringIO()
        call_command("rebuild_projections", "--ladder", "transfer", stdout=out)
        assert out.getvalue() == "results: 1 games\nratings: 1 games\n"
        damaged = Rating.objects.filter(games=99).values_list("ladder", flat=True)
        assert set(damaged) == {"overall", "simple", "throw_in"}
        assert set(GameResult.objects.filter(place=9).values_list("ladder", flat=True)) == {
            "simple",
            "throw_in",
        }
        for ladder in ("overall", "simple", "throw_in"):
            call_command("rebuild_projections", "--ladder", ladder, stdout=out)
        assert rows(*TABLES) == before

    def test_what_is_not_there_is_said_so(self) -> None:
        running = self.table(new_players(2), Table("throw_in", 2))
        with pytest.raises(CommandError, match=f"no finished game: {running}"):
            call_command("rebuild_projections", "--game", str(running))
        with pytest.raises(CommandError, match="nobody stands on a ladder throw_in"):
            call_command("rebuild_projections", "--ladder", "throw_in")

    def test_without_numbers_games_are_rated_in_the_order_in_which_they_ended(self) -> None:
        self.played()
        before = rows(GameResult, Rating, RatingChange, Ladder)
        for table in TABLES:
            table._default_manager.all().delete()
        results_rebuild(silent)
        GameFinish.objects.update(finished_at=models.F("finished_at") - timedelta(minutes=1))
        ratings_rebuild(silent)
        assert [row["mu"] for row in rows(Rating)[0]] == [row["mu"] for row in before[1]]
        assert rows(GameResult, Ladder) == [before[0], before[3]]

    def played(self) -> set[UUID]:
        """Six finished games of three people and a bot; four of them count."""
        ann, bob, eve = people = new_players(3)
        left = self.table(people, Table("throw_in", 4, bots=("greedy",), rated=True))
        game_leave(game_id=left, player_id=eve.id)
        resigned = self.table(people, Table("transfer", 3, rated=True))
        game_resign(game_id=resigned, player_id=bob.id)
        duel = self.table([ann, bob], Table("simple", 2, rated=True, visibility="private"))
        game_resign(game_id=duel, player_id=ann.id)
        tables = (
            Table("throw_in", 3, bots=("greedy", "greedy"), rated=True),
            Table("throw_in", 3, options={"attack_limit": 5}, rated=True),
            Table("throw_in", 3),
        )
        others = [self.table(people[: 3 - len(table.bots)], table) for table in tables]
        ids = [left, resigned, *others]
        for game_id in ids:
            self.play_out(game_id)
        return {duel, *ids}

    def table(self, people: Sequence[Player], table: Table) -> UUID:
        """A table at which they all sit."""
        head = game_create(creator=people[0].id, kind="human", table=table).head
        for player in people[1:]:
            game_join(game_id=head.id, player_id=player.id, kind="human", invite=head.invite)
        return head.id

    def play_out(self, game_id: UUID) -> None:
        """Every seat makes the first move of its first pattern until the end."""
        head = log.load(game_id)
        while head is not None and head.game.result is None:
            head = self.move(head).head

    def move(self, head: Head) -> Outcome:
        """The first seat to act acts, whoever plays it."""
        game, seat = head.game, head.game.to_act[0]
        assert game.state is not None
        pattern = msgspec.to_builtins(engine.legal_moves(game.state, seat)[0])
        body = {name: pattern[name] for name in ("type", "target") if pattern.get(name)}
        if pattern.get("cards"):
            body["cards"] = pattern["cards"][: pattern["min"]]
        if game.chairs[seat].brain is not None:
            version = game.version
            return bot_move_play(game_id=head.id, seat=seat, body=body, expected_version=version)
        return move_play(game_id=head.id, player_id=UUID(game.chairs[seat].player), body=body)


def rebuilding() -> subprocess.Popen[bytes]:
    """The command in a process of its own, in batches of two games."""
    script = "import django; django.setup(); from django.core.management import call_command; "
    script += "from games.projections import rebuild, refold; rebuild.BATCH = refold.BATCH = 2; "
    script += "call_command('rebuild_projections')"
    environment = {**os.environ, "DATABASE_URL": database_url()}
    return subprocess.Popen(
        [sys.executable, "-c", script], env=environment, stdout=subprocess.DEVNULL
    )


def rebuilt() -> None:
    """Let it run to its end."""
    assert rebuilding().wait() == 0


@contextlib.contextmanager
def stopped_at(table: str, column: str, key: UUID) -> Iterator[subprocess.Popen[bytes]]:
    """The command where it waits for rows that somebody else holds; they are released at the end.

    Nothing of it is left then: neither the process nor what the database did for it.
    """
    with psycopg.connect(database_url(), autocommit=True) as looker:
        with psycopg.connect(database_url()) as holder:
            holder.execute(f"SELECT FROM {table} WHERE {column} = %s FOR UPDATE", [key])
            process = rebuilding()
            waiter = eventually(looker, _WAITER, holder.info.backend_pid)
            yield process
        assert process.poll() is not None
        eventually(looker, _GONE, waiter)


def eventually(looker: psycopg.Connection[Any], question: str, pid: int) -> int:
    """What the question about a backend finds, once it finds something."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        if found := looker.execute(question, [pid]).fetchone():
            return int(found[0])
        time.sleep(0.02)
    raise TimeoutError(question)


class Terminal(StringIO):
    """A stream that says that somebody watches."""

    def isatty(self) -> bool:
        """Somebody does."""
        return True


@pytest.mark.parametrize(("watched", "drawn"), [(Terminal(), 2), (StringIO(), 0)])
def test_the_bar_is_drawn_on_one_line_where_somebody_watches(watched: StringIO, drawn: int) -> None:
    bar = ProgressBar(OutputWrapper(watched), "ratings")
    bar.show(1, 2)
    bar.show(2, 2)
    bar.end()
    assert watched.getvalue().count("\rratings") == drawn
    assert watched.getvalue().count("\n") == bool(drawn)
    assert "1/2" in bar.line(1, 2)
