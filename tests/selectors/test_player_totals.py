"""A player's totals: sums over seasons, and games in a row across their turns."""

import random
from collections.abc import Sequence
from datetime import timedelta

import pytest

from games.models import Player
from games.projections.rebuild import ratings_rebuild
from games.selectors.player_totals import Run, TotalsRow, totals_list
from tests.scores import AUTUMN, WINTER, new_player, new_players, play, result_of

pytestmark = pytest.mark.django_db


def totals(player: Player, season: str | None = None, ladder: str = "overall") -> TotalsRow:
    """A player's row for a ladder."""
    rows = totals_list(player_id=player.id, season=season)
    return next(row for row in rows if row.ladder == ladder)


def test_totals_are_by_ladder_and_overall() -> None:
    ann, bob = new_players(2)
    play([ann, bob])
    play([bob, ann], ruleset="transfer")
    play([ann, bob], result_of([(0, 1)], draw=True))
    rows = totals_list(player_id=ann.id)
    assert [(row.ladder, row.season, row.games) for row in rows] == [
        ("overall", None, 3),
        ("throw_in", None, 2),
        ("transfer", None, 1),
    ]
    assert (rows[0].durak_count, rows[0].first_places, rows[0].draws) == (1, 1, 1)
    assert (rows[1].durak_count, rows[1].first_places, rows[1].draws) == (0, 1, 1)


def test_whoever_has_played_nothing_that_counts_has_no_totals() -> None:
    ann, bob = new_players(2)
    play([ann, bob], rated=False)
    assert totals_list(player_id=ann.id) == []


def test_seasons_add_up() -> None:
    ann, bob = new_players(2)
    play([ann, bob], result_of([(0,), (1,)], points={"0": 3, "1": 0}), ruleset="simple")
    play([ann, bob], finished_at=WINTER)
    assert totals(ann).games == 2
    assert totals(ann).points == 3
    assert totals(ann).last_game_at == WINTER
    autumn, winter = totals(ann, "2026Q4"), totals(ann, "2027Q1")
    assert (autumn.games, autumn.season, autumn.last_game_at) == (1, "2026Q4", AUTUMN)
    assert (winter.games, winter.points) == (1, 0)
    assert totals_list(player_id=ann.id, season="2025Q1") == []


def test_games_in_a_row_go_on_over_the_turn_of_a_season() -> None:
    ann, bob, eve = new_players(3)
    for order in ([ann, bob, eve], [bob, ann, eve], [ann, bob, eve]):
        play(order)
    play([ann, eve], finished_at=WINTER)
    assert totals(ann).not_durak == Run(4, 4)
    assert totals(ann).first == Run(2, 2)
    assert totals(ann, "2026Q4").not_durak == Run(3, 3)
    assert totals(ann, "2027Q1").not_durak == Run(4, 4)
    play([eve, ann], finished_at=WINTER)
    assert totals(ann).not_durak == totals(ann, "2027Q1").not_durak == Run(0, 4)
    assert totals(ann).first == Run(0, 2)


def test_a_draw_is_neither_durak_nor_first() -> None:
    ann, bob = new_players(2)
    play([ann, bob])
    play([ann, bob], result_of([(0, 1)], draw=True))
    assert totals(ann).not_durak == Run(2, 2)
    assert totals(ann).first == Run(0, 1)
    assert totals(bob).not_durak == Run(1, 1)


def test_who_is_first_and_durak_of_a_game_in_several_seats_has_both() -> None:
    bot, ann = new_player(kind="bot"), new_player()
    play([bot, ann, bot])
    assert totals(bot).games == 1
    assert totals(bot).first == Run(1, 1)
    assert totals(bot).not_durak == Run(0, 0)


def longest(flags: Sequence[bool]) -> int:
    """The longest run of True."""
    return max(map(len, "".join("x" if flag else " " for flag in flags).split()), default=0)


@pytest.mark.parametrize("seed", range(3))
def test_totals_agree_with_the_games_and_survive_a_rebuild(seed: int) -> None:
    chance = random.Random(seed)
    players = new_players(4)
    orders: list[list[Player]] = []
    for number in range(40):
        order = chance.sample(players, chance.randint(2, 4))
        play(order, finished_at=(AUTUMN if number < 25 else WINTER) + timedelta(seconds=number))
        orders.append(order)
    before = [totals_list(player_id=player.id) for player in players]
    for player in players:
        mine = [order for order in orders if player in order]
        found, safe = totals(player), [order[-1] != player for order in mine]
        first = [order[0] == player for order in mine]
        assert found.games == len(mine)
        assert found.durak_count == len(mine) - sum(safe)
        assert found.first_places == sum(first)
        assert (found.not_durak.best, found.first.best) == (longest(safe), longest(first))
        assert found.not_durak.current == (safe[::-1].index(False) if False in safe else len(safe))
    ratings_rebuild(lambda _done, _total: None)
    assert [totals_list(player_id=player.id) for player in players] == before
