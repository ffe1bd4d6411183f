"""From result rows to ratings: once for each game, in one order, after any accident."""

from datetime import timedelta
from threading import Barrier, Thread
from uuid import UUID

import pytest
from celery import current_app
from django.conf import LazySettings, settings
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games.models import GameFinish, GameResult, Ladder, Player, Rating, RatingChange
from games.projections.rating import (
    START,
    Entry,
    Skill,
    carried,
    drift_of,
    grains,
    rate_game,
    scaled,
)
from games.projections.ratings import (
    ratings_apply,
    ratings_apply_pending,
    ratings_apply_strictly,
)
from games.projections.rebuild import ratings_rebuild
from games.projections.results import FinishedGame
from tests.projections.test_rebuild import TABLES, rows, silent
from tests.scores import (
    AUTUMN,
    WINTER,
    finished,
    new_player,
    new_players,
    play,
    record,
    result_of,
)

pytestmark = pytest.mark.django_db


def rating(player: Player, ladder: str = "throw_in", season: str = "2026Q4") -> Rating:
    """Where a player stands."""
    return Rating.objects.get(player=player, ladder=ladder, season=season)


def skill(player: Player, ladder: str = "throw_in", season: str = "2026Q4") -> Skill:
    """What is believed of a player."""
    row = rating(player, ladder, season)
    return Skill(row.mu, row.sigma)


def test_a_game_counts_on_its_ladder_and_overall() -> None:
    ann, bob = new_players(2)
    play([ann, bob])
    expected = rate_game([Entry(ann.id, START, 1), Entry(bob.id, START, 2)])
    for ladder in ("throw_in", "overall"):
        assert skill(ann, ladder) == expected[ann.id]
        assert skill(bob, ladder) == expected[bob.id]
    assert Rating.objects.count() == 4


def test_ladders_of_other_rulesets_start_anew_and_overall_goes_on() -> None:
    ann, bob = new_players(2)
    play([ann, bob])
    play([ann, bob], ruleset="transfer")
    assert skill(ann, "transfer") == skill(ann, "throw_in")
    assert skill(ann, "overall").mu > skill(ann, "transfer").mu
    assert (rating(ann, "overall").games, rating(ann, "transfer").games) == (2, 1)


def test_totals_count_games_duraks_firsts_draws_and_points() -> None:
    ann, bob, eve = new_players(3)
    play([ann, bob, eve])
    play([ann, bob, eve], result_of([(1,), (0, 2)], draw=True))
    play([eve, ann], result_of([(0,), (1,)], points={"0": -5, "1": 20}))
    play([ann, bob], result_of([(0, 1)], draw=True))
    row = rating(ann)
    assert (row.games, row.durak_count, row.first_places, row.draws) == (4, 1, 1, 2)
    assert (row.points, rating(eve).points) == (20, -5)
    assert rating(bob).first_places == 1


def test_a_game_that_does_not_count_changes_no_ladder() -> None:
    play(new_players(2), rated=False)
    play(new_players(2), options={"transfer": True})
    assert not Rating.objects.exists()
    assert not Ladder.objects.exists()


def test_a_game_is_applied_once() -> None:
    game = record(finished(new_players(3)))
    assert ratings_apply(game.game_id)
    before = list(Rating.objects.order_by("pk").values())
    assert not ratings_apply(game.game_id)
    assert list(Rating.objects.order_by("pk").values()) == before
    assert RatingChange.objects.count() == 6


def test_an_unknown_game_changes_nothing() -> None:
    assert not ratings_apply(UUID(int=5))


def test_changes_tell_before_and_after() -> None:
    ann, bob = new_players(2)
    play([ann, bob])
    second = play([bob, ann])
    change = RatingChange.objects.get(game_id=second, player=ann, ladder="throw_in")
    first = RatingChange.objects.get(player=ann, ladder="throw_in", seq=1)
    assert (change.mu_before, change.sigma_before) == (first.mu_after, first.sigma_after)
    assert (change.rating_before, change.rating_after) == (first.rating_after, rating(ann).rating)
    assert (first.rating_before, change.place, change.seq) == (1000, 2, 2)


def test_games_are_numbered_on_each_ladder() -> None:
    ann, bob = new_players(2)
    ids = [play([ann, bob], ruleset=name) for name in ("simple", "transfer", "simple")]
    numbers = GameFinish.objects.in_bulk(ids)
    assert [numbers[one].ladder_seq for one in ids] == [1, 1, 2]
    assert [numbers[one].overall_seq for one in ids] == [1, 2, 3]
    assert dict(Ladder.objects.values_list("id", "games")) == {
        "overall": 3,
        "simple": 2,
        "transfer": 1,
    }


def test_a_bot_in_two_seats_has_played_one_game() -> None:
    ann, bot = new_player(), new_player(kind="bot")
    play([bot, ann, bot])
    row = rating(bot)
    assert (row.games, row.durak_count, row.first_places, row.kind) == (1, 1, 1, "bot")
    assert RatingChange.objects.get(player=bot, ladder="throw_in").place == 1


def test_a_season_starts_from_what_the_last_one_left() -> None:
    ann, bob = new_players(2)
    play([ann, bob])
    autumn = {player: skill(player) for player in (ann, bob)}
    play([ann, bob], finished_at=WINTER)
    (drift,) = Ladder.objects.get(pk="throw_in").drifts
    entries = [
        Entry(player.id, carried(autumn[player], drift), place)
        for place, player in enumerate(autumn, 1)
    ]
    after = rate_game(entries)
    assert skill(ann, season="2027Q1") == after[ann.id]
    assert rating(ann, season="2027Q1").games == 1
    assert skill(ann) == autumn[ann]
    assert Ladder.objects.get(pk="throw_in").seasons == ["2026Q4", "2027Q1"]


def test_what_ended_a_season_stays_and_a_late_game_counts_in_the_next() -> None:
    ann, bob = new_players(2)
    play([ann, bob])
    autumn = skill(ann)
    play([ann, bob], finished_at=WINTER)
    play([ann, bob])
    assert (skill(ann), rating(ann).games) == (autumn, 1)
    assert rating(ann, season="2027Q1").games == 2


def test_the_drift_of_a_season_is_taken_back_in_the_next() -> None:
    ann, bob, eve = new_players(3)
    for table in ([ann, bob], [ann, eve], [bob, eve, ann]):
        play(table)
    means = [skill(player).mu for player in (ann, bob, eve)]
    drift = drift_of(sum(map(grains, means)), 3)
    assert drift != 0
    play([ann, bob], finished_at=WINTER)
    ladder = Ladder.objects.get(pk="throw_in")
    assert (ladder.seasons, ladder.starts) == (["2026Q4", "2027Q1"], [1, 4])
    assert ladder.drifts == [drift]
    change = RatingChange.objects.get(player=ann, ladder="throw_in", season="2027Q1")
    assert change.mu_before == carried(skill(ann), drift).mu


def test_applying_a_game_costs_four_statements_at_any_table() -> None:
    ann, *others = new_players(6)
    play([ann, *others])
    for players in ([ann, others[0]], [ann, *others]):
        game = record(finished(players))
        with CaptureQueriesContext(
            connection,
        ) as queries:
            ratings_apply_strictly(game.game_id)
        # Two more for the savepoint that stands for a transaction here.
        assert len(queries) == 4 + 2, [query["sql"][:80] for query in queries]


class TestPending:
    """What a crash between a result and its ratings leaves behind."""

    def test_games_left_without_ratings_are_applied_oldest_first(self) -> None:
        ann, bob = new_players(2)
        later, earlier = (
            record(finished([ann, bob], finished_at=AUTUMN + timedelta(minutes=minutes)))
            for minutes in (5, 1)
        )
        assert ratings_apply_pending() == 2
        finishes = GameFinish.objects.in_bulk()
        assert finishes[earlier.game_id].overall_seq == 1
        assert finishes[later.game_id].overall_seq == 2
        assert ratings_apply_pending() == 0

    def test_the_beat_sends_a_task_that_applies_them(self) -> None:
        current_app.loader.import_default_modules()
        plan = settings.CELERY_BEAT_SCHEDULE["sweep-ratings"]
        record(finished(new_players(2)))
        assert current_app.tasks[plan["task"]]() == 1

    def test_a_game_finished_just_now_is_left_to_its_own_request(self) -> None:
        record(finished(new_players(2), finished_at=timezone.now()))
        assert ratings_apply_pending() == 0

    def test_a_game_that_cannot_be_rated_does_not_hold_up_others(self) -> None:
        broken = record(finished(new_players(2)))
        GameResult.objects.filter(game_id=broken.game_id, seat=1).delete()
        whole = record(finished(new_players(2)))
        assert ratings_apply_pending() == 1
        assert GameFinish.objects.get(pk=whole.game_id).rated_at is not None
        assert GameFinish.objects.get(pk=broken.game_id).rated_at is None


@pytest.mark.django_db(transaction=True)
class TestAtOnce:
    """Many games end at the same instant."""

    GAMES = 20

    @pytest.fixture(autouse=True)
    def strict(self, settings: LazySettings) -> None:
        """Two meetings a day in full."""
        settings.RATING_REPEATS = [2, 9]

    def test_each_is_applied_once_and_ratings_equal_the_serial_order(self) -> None:
        """Pairs meet so often on that day that some games count less, by the same order."""
        players = new_players(7)
        games = [record(finished(self.table(players, number))) for number in range(self.GAMES)]
        applied = self.in_threads([game.game_id for game in games for _ in range(2)])
        assert applied + ratings_apply_pending() == self.GAMES
        counted = GameResult.objects.filter(weight__gt=0).count()
        assert RatingChange.objects.count() == 2 * counted
        assert GameResult.objects.filter(weight=0.5).exists()
        for ladder, number in (("throw_in", "ladder_seq"), ("overall", "overall_seq")):
            assert self.stored(ladder) == self.replayed(games, number)
        before = rows(*TABLES)
        ratings_rebuild(silent)
        assert rows(*TABLES) == before

    def test_a_ladder_held_by_another_leaves_the_game_to_the_sweep(self) -> None:
        play(new_players(2))
        game = record(finished(new_players(2)))
        applied: list[bool] = []
        with transaction.atomic():
            list(Ladder.objects.select_for_update())
            thread = Thread(target=self.apply, args=(game.game_id, None, applied))
            thread.start()
            thread.join()
        assert applied == [False]
        assert ratings_apply_pending() == 1

    def table(self, players: list[Player], number: int) -> list[Player]:
        """Two to five of the players, the same every time."""
        size = 2 + number % 4
        return [players[(number * 3 + seat * (1 + number % 2)) % 7] for seat in range(size)]

    def in_threads(self, ids: list[UUID]) -> int:
        """Apply all at the same instant, each on a connection of its own; how many were."""
        gate, applied = Barrier(len(ids)), list[bool]()
        threads = [Thread(target=self.apply, args=(one, gate, applied)) for one in ids]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        return sum(applied)

    def apply(self, game_id: UUID, gate: Barrier | None, applied: list[bool]) -> None:
        """One request's part."""
        try:
            connection.ensure_connection()
            if gate:
                gate.wait()
            applied.append(ratings_apply(game_id))
        finally:
            connection.close()

    def stored(self, ladder: str) -> dict[UUID, Skill]:
        """What the database believes."""
        rows = Rating.objects.filter(ladder=ladder)
        return {row.player_id: Skill(row.mu, row.sigma) for row in rows}

    def replayed(self, games: list[FinishedGame], number: str) -> dict[UUID, Skill]:
        """What the games come to one after the other, by the numbers that they were given."""
        finishes = GameFinish.objects.in_bulk()
        known: dict[UUID, Skill] = {}
        for game in sorted(games, key=lambda one: getattr(finishes[one.game_id], number)):
            entries = [
                Entry(seat.player_id, known.get(seat.player_id, START), place)
                for place, seat in enumerate(game.seats, 1)
            ]
            shares = GameResult.objects.filter(game_id=game.game_id)
            weights = dict(shares.values_list("player_id", "weight"))
            before = {entry.player: entry.skill for entry in entries}
            after = rate_game(entries)
            known |= {one: scaled(before[one], after[one], weights[one]) for one in before}
        return known
