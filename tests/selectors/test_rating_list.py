"""A player's ratings and their history."""

from collections.abc import Sequence
from datetime import date, timedelta
from uuid import UUID

import pytest

from games.models import Player
from games.selectors import rating_list as module
from games.selectors.rating_list import (
    DayPosition,
    HistoryRow,
    rating_day_list,
    rating_history_list,
    rating_list,
)
from tests.scores import AUTUMN, WINTER, new_players, play

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


class TestDays:
    """The last change of each day."""

    @staticmethod
    def games(hours: Sequence[float]) -> tuple[Player, list[UUID]]:
        """A player with games that ended so many hours after noon of a day, in this order."""
        ann, bob = new_players(2)
        ends = [AUTUMN + timedelta(hours=hour) for hour in hours]
        return ann, [play([ann, bob], finished_at=end) for end in ends]

    @staticmethod
    def walk(player: Player, limit: int) -> list[HistoryRow]:
        """All pages."""
        rows: list[HistoryRow] = []
        rest: DayPosition | None = None
        while True:
            page, rest = rating_day_list(
                player_id=player.id, ladder="throw_in", before=rest, limit=limit
            )
            assert len(page) <= limit
            rows += page
            if rest is None:
                return rows

    @pytest.mark.parametrize("limit", [1, 2, 3, 10])
    @pytest.mark.parametrize("walked", [1, 2, 3, 1_000])
    def test_pages_of_any_size_lose_and_repeat_nothing(
        self, monkeypatch: pytest.MonkeyPatch, limit: int, walked: int
    ) -> None:
        monkeypatch.setattr(module, "MOST_WALKED", walked)
        ann, games = self.games([0, 1, 11.9, 12.1, 50, 51, 52, 53, 100])
        rows = self.walk(ann, limit)
        assert [row.game for row in rows] == [games[8], games[7], games[3], games[2]]

    def test_a_day_is_the_last_change_of_it(self) -> None:
        ann, _ = self.games([0, 1, 2])
        (row,) = self.walk(ann, 10)
        every = rating_history_list(player_id=ann.id, ladder="throw_in", limit=10)
        assert row == every[0]

    @pytest.mark.parametrize("limit", [1, 10])
    def test_games_numbered_out_of_order_around_midnight_give_no_day_twice(
        self, limit: int
    ) -> None:
        ann, games = self.games([11.99, 12.01, 11.995, 12.02])
        assert [row.game for row in self.walk(ann, limit)] == [games[3], games[2]]

    def test_a_page_without_a_new_day_goes_on(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(module, "MOST_WALKED", 2)
        ann, _ = self.games([0, 1, 2, 3, 4])
        page, rest = rating_day_list(player_id=ann.id, ladder="throw_in", limit=5)
        assert (len(page), rest) == (1, DayPosition(4, date(2026, 11, 1)))
        assert rating_day_list(player_id=ann.id, ladder="throw_in", before=rest, limit=5) == (
            [],
            DayPosition(2, date(2026, 11, 1)),
        )

    def test_nobody_has_no_days(self) -> None:
        (ann,) = new_players(1)
        assert rating_day_list(player_id=ann.id, ladder="throw_in", limit=5) == ([], None)
