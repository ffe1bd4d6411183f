"""A player's ratings and their history."""

import pytest

from games.selectors.rating_list import rating_history_list, rating_list
from tests.scores import WINTER, new_players, play

pytestmark = pytest.mark.django_db


def test_ratings_are_the_last_on_each_ladder() -> None:
    ann, bob = new_players(2)
    play([ann, bob])
    play([ann, bob], ruleset="transfer")
    play([ann, bob], finished_at=WINTER)
    found = [(row.ladder, row.season) for row in rating_list(player_id=ann.id)]
    assert found == [("overall", "2027Q1"), ("throw_in", "2027Q1"), ("transfer", "2026Q4")]
    autumn = rating_list(player_id=ann.id, season="2026Q4")
    assert [row.ladder for row in autumn] == ["overall", "throw_in", "transfer"]


def test_whoever_has_played_nothing_has_no_ratings() -> None:
    (ann,) = new_players(1)
    assert rating_list(player_id=ann.id) == []
    assert rating_history_list(player_id=ann.id, ladder="overall", limit=10) == []


def test_history_is_a_chain_newest_first_in_pages() -> None:
    ann, bob = new_players(2)
    games = [play([ann, bob]) for _ in range(5)]
    newest = rating_history_list(player_id=ann.id, ladder="throw_in", limit=3)
    rest = rating_history_list(player_id=ann.id, ladder="throw_in", before=newest[-1].seq, limit=3)
    rows = [*newest, *rest]
    assert [row.game for row in rows] == games[::-1]
    assert [row.seq for row in rows] == [5, 4, 3, 2, 1]
    assert [row.rating_before for row in rows[:-1]] == [row.rating_after for row in rows[1:]]
    assert rows[-1].rating_before == 1000


def test_a_private_game_moves_the_rating_and_keeps_its_id_to_itself() -> None:
    ann, bob, eve = new_players(3)
    game = play([ann, bob], private=True)
    shown = {
        viewer: rating_history_list(
            player_id=ann.id, ladder="overall", viewer_id=viewer and viewer.id, limit=10
        )[0].game
        for viewer in (ann, bob, eve, None)
    }
    assert shown == {ann: game, bob: game, eve: None, None: None}
