"""The counts beside the ratings are what counting the ratings gives, whoever wrote them."""

from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction
from django.db.models import F

from games.models import BoardCount, GameFinish, Rating
from games.projections.ratings import ratings_apply, ratings_apply_pending
from games.projections.rebuild import ratings_rebuild
from tests.projections.test_rebuild import history, silent
from tests.scores import WINTER, finished, new_players, play, record
from tests.selectors.test_leaderboard_list import stand
from tests.threads import at_once

pytestmark = pytest.mark.django_db
_COUNTED = """
    SELECT ladder, season, width, rating & -width, board_class, count(*)
    FROM games_rating CROSS JOIN (VALUES (1), (64)) AS step (width)
    GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
"""


def counted() -> list[tuple[Any, ...]]:
    """The counts, taken from the ratings."""
    with connection.cursor() as cursor:
        cursor.execute(_COUNTED)
        return cursor.fetchall()


def kept() -> list[tuple[Any, ...]]:
    """The counts that are kept, without those of nobody."""
    key = ("ladder", "season", "width", "floor", "board_class")
    return list(BoardCount.objects.exclude(players=0).order_by(*key).values_list(*key, "players"))


def test_games_keep_the_counts() -> None:
    history(40)
    assert kept() == counted()
    assert len(kept()) > 20


def test_a_rebuild_comes_to_the_same_counts() -> None:
    history(40)
    before = kept()
    ratings_rebuild(silent)
    assert kept() == before == counted()


def test_a_rebuild_of_one_ladder_leaves_the_counts_of_the_others() -> None:
    history(40)
    before = kept()
    ratings_rebuild(silent, ladders=["throw_in"])
    assert kept() == before


def test_a_rebuild_leaves_no_steps_that_nobody_stands_on() -> None:
    history(40)
    assert BoardCount.objects.filter(players=0).exists()
    Rating.objects.all().delete()
    assert not BoardCount.objects.exists()


def test_statements_of_any_kind_keep_the_counts() -> None:
    for rating in (-65, -64, -1, 0, 63, 64, 1000):
        stand(rating, games=rating % 120 + 1)
    assert kept() == counted()
    Rating.objects.filter(rating__lt=0).update(rating=F("rating") - 30, provisional=True)
    assert kept() == counted()
    Rating.objects.filter(rating__gte=64).delete()
    assert kept() == counted()
    Rating.objects.update(uncertainty=1)
    assert kept() == counted()
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; TRUNCATE games_rating")
    assert not BoardCount.objects.exists()


def test_a_refused_write_counts_nobody() -> None:
    players = new_players(2)
    play(players)
    before = kept()
    with transaction.atomic():
        play(players)
        assert kept() != before
        transaction.set_rollback(True)
    assert kept() == before


def test_nothing_is_written_to_a_season_that_is_over() -> None:
    """Not even the same again: the rows are the very same versions."""
    players = new_players(3)
    for _ in range(3):
        play(players)

    def versions() -> list[tuple[Any, ...]]:
        found: list[tuple[Any, ...]] = []
        with connection.cursor() as cursor:
            for table in ("games_rating", "games_boardcount", "games_ratingchange"):
                cursor.execute(
                    f"SELECT ctid::text, xmin::text, cmin::text, t::text FROM {table} t"
                    " WHERE season = '2026Q4' ORDER BY 4"
                )
                found += cursor.fetchall()
        return found

    before = versions()
    for order in (players, players[::-1]):
        play(order, finished_at=WINTER)
    assert versions() == before
    assert Rating.objects.filter(season="2027Q1").count() == 6


@pytest.mark.django_db(transaction=True)
def test_games_that_end_at_once_are_counted_once() -> None:
    """On other ladders, so that they meet on `overall` only, and on the same one."""
    players = new_players(6)
    games = [
        record(finished(players[start:] + players[:start], ruleset=ruleset))
        for start in range(6)
        for ruleset in ("throw_in", "transfer")
    ]
    applied = at_once([partial(ratings_apply, game.game_id) for game in games for _ in range(2)])
    while ratings_apply_pending():
        pass
    assert sum(applied) <= len(games)
    assert GameFinish.objects.filter(rated_at=None).count() == 0
    assert kept() == counted()
    assert sum(row[-1] for row in kept() if row[0] == "overall" and row[2] == 1) == 6
