"""Boards: order, ranks, pages and neighbourhoods."""

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import pytest
from django.db import connection
from django.db.models import F
from hypothesis import given, settings
from hypothesis import strategies as st

from games.models import Player, Rating
from games.selectors.leaderboard_list import (
    Board,
    BoardRow,
    Position,
    leaderboard_around,
    leaderboard_list,
)
from tests.scores import AUTUMN, new_player

pytestmark = pytest.mark.django_db
BOARD = Board("throw_in", "2026Q4")


def stand(rating: int, *, kind: str = "human", **changes: object) -> Player:
    """A player with this rating on the board."""
    player = new_player(kind=kind)
    Rating.objects.create(
        **{
            "player": player,
            "ladder": "throw_in",
            "season": "2026Q4",
            "kind": kind,
            "mu": 25.0,
            "sigma": 3.0,
            "rating": rating,
            "uncertainty": 90,
            "provisional": False,
            "games": 20,
            "durak_count": 5,
            "first_places": 6,
            "draws": 1,
            "points": 0,
            "updated_seq": 1,
            "updated_at": AUTUMN,
            **changes,
        }
    )
    return player


def pages(board: Board, size: int) -> Iterator[list[BoardRow]]:
    """All the pages of a board."""
    after = None
    while page := leaderboard_list(board=board, after=after, limit=size):
        yield page
        after = Position(page[-1].rating, page[-1].player_id)


def walk(board: Board, size: int) -> list[BoardRow]:
    """The whole board, page by page."""
    return [row for page in pages(board, size) for row in page]


def expected_ranks(rows: list[BoardRow]) -> list[int]:
    """One more than the number of players rated higher."""
    return [1 + sum(other.rating > row.rating for other in rows) for row in rows]


def test_best_first_and_equals_share_a_rank() -> None:
    for rating in (1200, 1500, 1200, 1700, 1200, 900):
        stand(rating)
    rows = leaderboard_list(board=BOARD, after=None, limit=10)
    assert [row.rating for row in rows] == [1700, 1500, 1200, 1200, 1200, 900]
    assert [row.rank for row in rows] == [1, 2, 3, 3, 3, 6]


@pytest.mark.parametrize("size", [1, 2, 3, 4, 7, 50])
def test_pages_of_any_size_make_the_same_board(size: int) -> None:
    for rating in (1200, 1500, 1200, 1700, 1200, 900, 1500, 1200, 1500):
        stand(rating)
    rows = walk(BOARD, size)
    assert [row.rank for row in rows] == expected_ranks(rows) == [1, 2, 2, 2, 5, 5, 5, 5, 9]
    assert len({row.player_id for row in rows}) == 9
    assert all(
        one.player_id > other.player_id for one, other in pairwise(rows) if one.rank == other.rank
    )


def test_a_board_is_of_one_ladder_and_season() -> None:
    here = stand(1500)
    stand(1600, ladder="overall")
    stand(1700, season="2027Q1")
    assert [row.player_id for row in walk(BOARD, 5)] == [here.id]


def test_kinds_are_ranked_among_themselves() -> None:
    person, bot, other = stand(1500), stand(1600, kind="bot"), stand(1400)
    people = walk(Board("throw_in", "2026Q4", kind="human"), 1)
    assert [(row.rank, row.player_id) for row in people] == [(1, person.id), (2, other.id)]
    bots = walk(Board("throw_in", "2026Q4", kind="bot"), 5)
    assert [(row.rank, row.player_id) for row in bots] == [(1, bot.id)]


def test_established_hides_the_provisional_and_ranks_the_rest() -> None:
    stand(1600, provisional=True)
    known = stand(1500)
    rows = walk(Board("throw_in", "2026Q4", established=True), 5)
    assert [(row.rank, row.player_id) for row in rows] == [(1, known.id)]


def test_around_has_the_player_in_the_middle_with_his_rank_on_the_whole_board() -> None:
    players = [stand(rating) for rating in range(2000, 1000, -100)]
    rows = leaderboard_around(board=BOARD, player_id=players[5].id, limit=5)
    assert [row.player_id for row in rows] == [player.id for player in players[3:8]]
    assert [row.rank for row in rows] == [4, 5, 6, 7, 8]


def test_around_the_first_and_the_last() -> None:
    players = [stand(rating) for rating in (1400, 1300, 1200)]
    first = leaderboard_around(board=BOARD, player_id=players[0].id, limit=2)
    assert [row.rank for row in first] == [1, 2]
    last = leaderboard_around(board=BOARD, player_id=players[2].id, limit=5)
    assert [row.rank for row in last] == [1, 2, 3]


def test_around_somebody_who_is_not_on_the_board_is_empty() -> None:
    bot = stand(1500, kind="bot")
    board = Board("throw_in", "2026Q4", kind="human")
    assert leaderboard_around(board=board, player_id=bot.id, limit=5) == []


@pytest.mark.parametrize("limit", [4, 7])
def test_around_is_of_one_moment(limit: int) -> None:
    """After each statement everybody changes places with his opposite."""
    players = [stand(rating) for rating in range(1000, 1900, 100)]

    before = leaderboard_around(board=BOARD, player_id=players[3].id, limit=limit)

    def everybody_moves(execute: Any, statement: str, *rest: Any) -> Any:
        answer = execute(statement, *rest)
        if "games_rating" in statement and "UPDATE" not in statement:
            Rating.objects.update(rating=2800 - F("rating"))
        return answer

    with connection.execute_wrapper(everybody_moves):
        rows = leaderboard_around(board=BOARD, player_id=players[3].id, limit=limit)
    assert [row.player_id for row in rows] == [row.player_id for row in before]


@given(st.lists(st.integers(1000, 1004), min_size=1, max_size=12), st.integers(1, 5))
@settings(max_examples=12, deadline=None)
def test_around_agrees_with_the_whole_board(ratings: list[int], size: int) -> None:
    Rating.objects.all().delete()
    players = [stand(rating) for rating in ratings]
    whole = walk(BOARD, 3)
    assert [row.rank for row in whole] == expected_ranks(whole)
    for player in players:
        near = leaderboard_around(board=BOARD, player_id=player.id, limit=size)
        begin = whole.index(near[0])
        assert near == whole[begin : begin + len(near)]
        assert player.id in {row.player_id for row in near}


def test_a_board_can_demand_games() -> None:
    for games in (1, 4, 5, 14, 15, 49, 50, 99, 100, 1000):
        stand(1000 + games, games=games)
    for least, left in ((1, 10), (5, 8), (15, 6), (50, 4), (100, 2)):
        rows = walk(Board("throw_in", "2026Q4", min_games=least), 3)
        assert len(rows) == left
        assert min(row.games for row in rows) == least
        assert [row.rank for row in rows] == expected_ranks(rows)


def test_games_in_the_middle_of_a_tier_cannot_be_demanded() -> None:
    with pytest.raises(ValueError, match="not in tuple"):
        leaderboard_list(board=Board("throw_in", "2026Q4", min_games=7), after=None, limit=1)


STANDS = st.tuples(
    st.integers(-130, 130), st.sampled_from(["human", "bot"]), st.booleans(), st.integers(1, 120)
)


@given(
    st.lists(STANDS, min_size=1, max_size=15),
    st.sampled_from([None, "human", "bot"]),
    st.booleans(),
    st.sampled_from([1, 5, 15, 50, 100]),
)
@settings(max_examples=25, deadline=None)
def test_every_filter_is_the_board_of_those_it_leaves(
    players: list[tuple[int, str, bool, int]], kind: str | None, established: bool, least: int
) -> None:
    """Ranks agree with counting, over and under the steps that players are counted in."""
    Rating.objects.all().delete()
    for rating, is_a, provisional, games in players:
        stand(rating, kind=is_a, provisional=provisional, games=games)
    wanted = sorted(
        (
            rating
            for rating, is_a, provisional, games in players
            if kind in {None, is_a} and not (established and provisional) and games >= least
        ),
        reverse=True,
    )
    board = Board("throw_in", "2026Q4", kind, established, least)
    rows = walk(board, 4)
    assert [row.rating for row in rows] == wanted
    assert [row.rank for row in rows] == expected_ranks(rows)
    for row in rows:
        assert row in leaderboard_around(board=board, player_id=row.player_id, limit=3)
