"""A player's results and what they did to his ratings."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games.models import Player
from games.selectors import result_list as module
from games.selectors.result_list import Opponent, Position, ResultRow, result_list
from tests.scores import AUTUMN, new_player, new_players, play, result_of

pytestmark = pytest.mark.django_db


def minutes(number: int) -> dict[str, object]:
    """A game that ended so many minutes later."""
    return {"finished_at": AUTUMN + timedelta(minutes=number)}


def test_results_are_newest_first_with_ratings_before_and_after() -> None:
    ann, bob = new_players(2)
    first, second = (play([ann, bob], **minutes(number)) for number in (1, 2))
    (newer, older), _ = result_list(player_id=ann.id, limit=10)
    assert (newer.game, older.game) == (second, first)
    assert (older.rating_before, older.rating_after) == (1000, newer.rating_before)
    assert newer.rating_after is not None
    assert newer.rating_after > older.rating_after
    assert (older.place, older.players, older.durak, older.not_rated) == (1, 2, False, None)


def test_a_ladder_shows_its_games_and_overall_all_of_them_with_its_own_ratings() -> None:
    ann, bob = new_players(2)
    play([ann, bob], **minutes(1))
    play([ann, bob], ruleset="transfer", **minutes(2))
    transfer, _ = result_list(player_id=ann.id, ladder="transfer", limit=10)
    assert [(row.ruleset, row.rating_before) for row in transfer] == [("transfer", 1000)]
    (newer, older), _ = result_list(player_id=ann.id, ladder="overall", limit=10)
    assert newer.rating_before == older.rating_after
    assert (newer.ruleset, older.ruleset) == ("transfer", "throw_in")


def test_a_game_that_does_not_count_says_why() -> None:
    ann, bob = new_players(2)
    play([ann, bob], rated=False)
    ((row,), _) = result_list(player_id=ann.id, limit=10)
    assert (row.not_rated, row.rating_before, row.rating_after) == ("casual", None, None)


def test_points_and_draws_are_told() -> None:
    ann, bob = new_players(2)
    play([ann, bob], result_of([(0, 1)], draw=True, points={"0": 3, "1": 4}))
    ((row,), _) = result_list(player_id=bob.id, limit=10)
    assert (row.points, row.draw, row.shared, row.place, row.durak) == (4, True, True, 1, False)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 10])
def test_pages_of_any_size_lose_and_repeat_nothing(size: int) -> None:
    """Games that end in the same microsecond, and one account in two seats of a game."""
    ann, bot = new_player(), new_player(kind="bot")
    for number in (1, 1, 1, 2, 3):
        play([bot, ann, bot], **minutes(number))
    rows = walk(bot, size=size)
    assert len({(row.game, row.seat) for row in rows}) == len(rows) == 10
    assert rows == sorted(rows, key=lambda row: (row.finished_at, row.game, row.seat))[::-1]


def walk(player: Player, viewer: Player | None = None, size: int = 10) -> list[ResultRow]:
    """All the results that the viewer sees, by pages of this size."""
    rows: list[ResultRow] = []
    rest: Position | None = None
    while True:
        page, rest = result_list(
            player_id=player.id, viewer_id=viewer and viewer.id, after=rest, limit=size
        )
        assert len(page) <= size
        rows += page
        if rest is None:
            return rows


def test_private_games_are_shown_to_those_at_the_table_only() -> None:
    ann, bob, eve = new_players(3)
    play([ann, bob], private=True)
    shown = {viewer: len(walk(ann, viewer)) for viewer in (ann, bob, eve, None)}
    assert shown == {ann: 1, bob: 1, eve: 0, None: 0}


@pytest.mark.parametrize("size", [1, 2, 5, 20])
@pytest.mark.parametrize("walked", [1, 3, 7])
def test_of_many_private_games_nothing_is_lost_or_shown_to_others(
    monkeypatch: pytest.MonkeyPatch, size: int, walked: int
) -> None:
    """However few of them a page looks through; two end in the same microsecond."""
    monkeypatch.setattr(module, "MOST_WALKED", walked)
    ann, bob, eve = new_players(3)
    public = [play([ann, bob], **minutes(number)) for number in (1, 8, 15)]
    private = [
        play([ann, bob if number in {4, 9, 14} else new_player()], private=True, **minutes(number))
        for number in (*range(2, 8), *range(9, 15), 14)
    ]
    seen = {
        viewer: {row.game for row in walk(ann, viewer, size)} for viewer in (ann, bob, eve, None)
    }
    assert seen[None] == seen[eve] == set(public)
    assert seen[ann] == {*public, *private}
    assert seen[bob] == {*public, private[2], private[6], private[11], private[12]}


@pytest.mark.parametrize("size", [1, 2, 3, 9])
@pytest.mark.parametrize("walked", [1, 2, 300])
def test_of_several_seats_in_private_games_none_is_lost(
    monkeypatch: pytest.MonkeyPatch, size: int, walked: int
) -> None:
    """Of the player or of who reads, whichever seats they are."""
    monkeypatch.setattr(module, "MOST_WALKED", walked)
    ann, bot, other = new_player(), new_player(kind="bot"), new_player(kind="bot")
    for number in (1, 1, 2):
        play([bot, ann, bot, other, other], private=True, **minutes(number))
    for player, seats in ((bot, 2), (ann, 1)):
        rows = walk(player, other, size)
        assert len({(row.game, row.seat) for row in rows}) == len(rows) == 3 * seats


def test_a_cursor_names_private_games_of_the_reader_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_WALKED", 1)
    ann, bob, eve = new_players(3)
    for number in (1, 3):
        play([ann, bob], private=True, **minutes(number))
    assert result_list(player_id=ann.id, viewer_id=eve.id, limit=10) == ([], None)
    own = play([eve, bob], private=True, **minutes(2))
    page, rest = result_list(player_id=ann.id, viewer_id=eve.id, limit=10)
    assert (page, rest) == ([], Position(AUTUMN + timedelta(minutes=2), own, 0))


@pytest.mark.parametrize("games", [1, 12])
def test_a_page_costs_three_statements_and_a_fourth_for_other_players(games: int) -> None:
    ann, bob, eve = new_players(3)
    for number in range(games):
        play([ann, bob, eve], **minutes(number))
    for viewer_id, statements in ((None, 3), (ann.id, 3), (eve.id, 4)):
        with CaptureQueriesContext(connection) as queries:
            page, _ = result_list(player_id=ann.id, viewer_id=viewer_id, limit=10)
        assert len(page) == min(games, 10)
        assert len(queries) == statements


def test_a_result_names_who_else_was_at_the_table_and_the_match() -> None:
    ann, bob = new_players(2)
    bot = new_player(kind="bot")
    game = play([bob, bot, ann, bot], private=True)
    ((row,), _) = result_list(player_id=ann.id, viewer_id=bob.id, limit=10)
    assert row.match == game
    assert row.opponents == [
        Opponent(0, bob.name, "human", 1, False),
        Opponent(1, bot.name, "bot", 2, False),
        Opponent(3, bot.name, "bot", 4, True),
    ]


def test_nobody_is_his_own_opponent() -> None:
    bot = new_player(kind="bot")
    play([bot, bot])
    rows, _ = result_list(player_id=bot.id, limit=10)
    assert [(row.opponents, row.not_rated) for row in rows] == [([], "one_player")] * 2
