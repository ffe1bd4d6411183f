"""How the database reads scores: along indexes, a page at a time, whatever the size of a board."""

from collections.abc import Callable, Iterator
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games.models import GameEvent
from games.selectors import rating_list
from games.selectors import result_list as result_page
from games.selectors.events_shown import events_shown
from games.selectors.leaderboard_list import (
    Board,
    Position,
    leaderboard_around,
    leaderboard_list,
)
from games.selectors.player_totals import totals_list
from games.selectors.rating_list import rating_day_list, rating_history_list
from games.selectors.result_list import result_list
from games.selectors.versus_get import versus_get
from tests.crowd import PLAYERS, crowd_gather, plans, player_id

pytestmark = pytest.mark.django_db
BOARD = Board("throw_in", "2026Q4")
BUSY = player_id(0)
MIDDLE = Position(1500, player_id(PLAYERS // 2))
FILTERED = (
    Board("throw_in", "2026Q4", kind="human"),
    Board("throw_in", "2026Q4", established=True),
    Board("throw_in", "2026Q4", min_games=15),
    Board("throw_in", "2026Q4", "bot", established=True, min_games=100),
)
# Three of each game.
_EVENTS = """
    INSERT INTO games_gameevent (game_id, seq, type, schema_version, data, at, hash)
    SELECT id, seq, (ARRAY['a', 'b', 'c'])[seq], 1, '{}', now(), '' FROM games_game,
        generate_series(1, 3) seq;
    ANALYZE games_gameevent
"""


@pytest.fixture(scope="module", autouse=True)
def crowd(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """One crowd for all these tests, gone when they are done."""
    with django_db_blocker.unblock(), transaction.atomic():
        crowd_gather()
        yield
        transaction.set_rollback(True)


def plan_of(read: Callable[[], Any]) -> str:
    """The plans of all that a selector asks; it must find something."""
    with CaptureQueriesContext(connection) as captured:
        assert read()
    return plans([query["sql"] for query in captured.captured_queries])


def test_the_top_of_a_board() -> None:
    plan = plan_of(lambda: leaderboard_list(board=BOARD, after=None, limit=51))
    assert "using rating_board on" in plan
    assert "Sort" not in plan
    assert "Seq Scan" not in plan


def test_a_page_of_a_board_and_its_ranks() -> None:
    plan = plan_of(lambda: leaderboard_list(board=BOARD, after=MIDDLE, limit=51))
    assert "using rating_board on" in plan
    assert "(ROW(rating, player_id) < ROW(" in plan
    assert "games_boardcount_pkey" in plan
    for step in ("Sort", "Seq Scan", "Filter"):
        assert step not in plan


def test_the_neighbourhood_of_a_player() -> None:
    me = player_id(4711)
    plan = plan_of(lambda: leaderboard_around(board=BOARD, player_id=me, limit=51))
    for index in ("rating_once", "rating_board", "games_boardcount_pkey"):
        assert index in plan
    for way in "<>":
        assert f"(ROW(rating, player_id) {way} ROW(own_" in plan
    for step in ("Sort", "Seq Scan"):
        assert step not in plan


@pytest.mark.parametrize("board", FILTERED, ids=str)
def test_the_neighbourhood_on_a_filtered_board_merges_walks(board: Board) -> None:
    me = next(row.player_id for row in leaderboard_list(board=board, after=MIDDLE, limit=1))
    plan = plan_of(lambda: leaderboard_around(board=board, player_id=me, limit=51))
    assert "using rating_board_class on" in plan
    for way in "<>":
        assert f"(ROW(rating, player_id) {way} ROW(own_" in plan
    assert "Seq Scan" not in plan


@pytest.mark.parametrize("board", FILTERED, ids=str)
def test_a_page_of_a_filtered_board_merges_walks(board: Board) -> None:
    """What is sorted are the first rows of each class, which are as many as a page has."""
    plan = plan_of(lambda: leaderboard_list(board=board, after=MIDDLE, limit=51))
    assert "using rating_board_class on" in plan
    assert "Seq Scan" not in plan
    lines = plan.splitlines()
    sorts = [at for at, line in enumerate(lines) if "->  Sort" in line]
    assert len(sorts) == 1
    below = [line.strip() for line in lines[sorts[0] + 1 :]]
    assert below[1].startswith("->  Nested Loop")
    assert below[2].startswith("->  Function Scan on unnest class")
    assert below[3].startswith("->  Limit")
    assert "Filter" not in "".join(below[:8])


@pytest.mark.parametrize(
    "viewer", [None, BUSY, player_id(4715)], ids=["nobody", "himself", "other"]
)
@pytest.mark.parametrize("ladder", [None, "throw_in"])
def test_a_page_of_results(
    monkeypatch: pytest.MonkeyPatch, ladder: str | None, viewer: UUID | None
) -> None:
    """Also of whoever has thousands; what somebody may not see is not walked over.

    A tenth of what it may walk, as the table is smaller than that of a large server.
    """
    monkeypatch.setattr(result_page, "MOST_WALKED", result_page.MOST_WALKED // 10)
    plan = plan_of(lambda: result_list(player_id=BUSY, viewer_id=viewer, ladder=ladder, limit=11))
    index = "game_result_history" if ladder is None else "game_result_ladder"
    for used in (index, "rating_change_once", "game_result_once", "games_game_pkey"):
        assert used in plan, plan
    assert "(private = false)" in plan
    assert ("(private = true)" in plan) is (viewer is not None)
    assert ("SubPlan 1" in plan) is (viewer not in {None, BUSY})
    for step in ("Seq Scan", f"Bitmap Index Scan on {index}", "Filter: "):
        assert step not in plan, plan


def test_a_page_of_a_rating_history() -> None:
    plan = plan_of(lambda: rating_history_list(player_id=BUSY, ladder="throw_in", limit=51))
    assert "using rating_change_history on" in plan, plan
    for step in ("Sort", "Seq Scan"):
        assert step not in plan


def test_a_page_of_days(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of what it may walk, as the table is smaller than that of a large server."""
    monkeypatch.setattr(rating_list, "MOST_WALKED", rating_list.MOST_WALKED // 10)
    plan = plan_of(lambda: rating_day_list(player_id=BUSY, ladder="throw_in", limit=51))
    assert "using rating_change_history on" in plan, plan
    assert "Seq Scan" not in plan


def test_totals() -> None:
    plan = plan_of(lambda: totals_list(player_id=player_id(4711)))
    assert "using rating_once on" in plan
    assert "Seq Scan" not in plan


def test_two_players() -> None:
    other = player_id(4711)
    plan = plan_of(lambda: versus_get(player_id=BUSY, versus_id=other, last=10))
    for index in ("game_result_history", "game_result_once"):
        assert index in plan
    assert "Seq Scan" not in plan


def test_events_for_the_staff() -> None:
    """The newest of all games, those of a game, and of a type within a game."""
    with connection.cursor() as cursor:
        cursor.execute(_EVENTS)
    shown = events_shown(GameEvent.objects.all()).order_by("-id")
    for rows, walk in (
        (shown, "using games_gameevent_pkey"),
        (shown.filter(game=BUSY), "Index Cond: (game_id = "),
        (shown.filter(game=BUSY, type="b"), "Index Cond: (game_id = "),
    ):
        plan = plan_of(lambda rows=rows: list(rows[:51]))
        assert "games_game_pkey" in plan, plan
        assert walk in plan, plan
        assert "Seq Scan" not in plan, plan


def test_player_ids_are_those_of_the_crowd() -> None:
    rows = leaderboard_list(board=BOARD, after=None, limit=100)
    assert {row.player_id for row in rows} < {player_id(number) for number in range(PLAYERS)}
    assert isinstance(rows[0].player_id, UUID)
