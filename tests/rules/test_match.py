"""Matches: totals, when a match is over, and what the next game takes from the last one."""

from collections.abc import Iterable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from games.rules import engine
from games.rules import game as games
from games.rules.events import GameFinished, Previous, Result
from games.rules.game import Game
from games.rules.match import (
    SERIES,
    TARGET,
    WILD_LEFT,
    MatchResult,
    Places,
    SeatScore,
    SeatTotal,
    Standing,
    Terms,
    match_losers,
    previous_of,
    standing_of,
    terms_of,
)
from tests.rules.playing import Setting, compatible, opening

LOST, WON, NEITHER, DREW = (
    SeatScore(False, True, False, 0),
    SeatScore(True, False, False, 0),
    SeatScore(False, False, False, 0),
    SeatScore(False, False, True, 0),
)


def series(length: int, seats: int, *games: Sequence[SeatScore], **more: Any) -> Standing:
    """The standing of a series after these games."""
    return standing_of(Terms(seats, series_length=length, **more), map(tuple, games))


def pointed(terms: Terms, *games: Iterable[int]) -> Standing:
    """The standing after games of which only the points are told."""
    return standing_of(terms, (tuple(replace(NEITHER, points=n) for n in game) for game in games))


def won_by(seat: int, seats: int = 2) -> list[SeatScore]:
    """A game that a seat won and its left neighbour lost."""
    scores = [NEITHER] * seats
    scores[seat], scores[(seat + 1) % seats] = WON, LOST
    return scores


def test_before_the_first_game_there_is_nothing_to_tell() -> None:
    assert series(3, 2) == Standing(0, (SeatTotal(), SeatTotal()), None)


def test_totals_are_sums() -> None:
    terms = Terms(3)
    scores = [
        (SeatScore(True, False, False, -30), NEITHER, SeatScore(False, True, False, 25)),
        (NEITHER, SeatScore(False, False, True, 4), SeatScore(False, False, True, 4)),
    ]
    standing = standing_of(terms, scores)
    assert standing.totals == (
        SeatTotal(2, 1, 0, 0, -30),
        SeatTotal(2, 0, 0, 1, 4),
        SeatTotal(2, 0, 1, 1, 29),
    )
    assert (standing.games, standing.result) == (2, None)


def test_a_match_without_an_end_goes_on() -> None:
    assert standing_of(Terms(2), [tuple(won_by(0))] * 50).result is None


def test_the_best_of_three_is_over_with_two() -> None:
    assert series(3, 2, won_by(1)).result is None
    assert series(3, 2, won_by(1), won_by(0)).result is None
    won = MatchResult((1,), (0,), ((1,), (0,)), SERIES)
    assert series(3, 2, won_by(1), won_by(1)).result == won
    assert series(3, 2, won_by(1), won_by(0), won_by(1)).result == won


def test_a_series_of_one_is_a_game() -> None:
    assert series(1, 2, won_by(0)).result == MatchResult((0,), (1,), ((0,), (1,)), SERIES)


def test_G11_a_drawn_game_counts_for_nobody() -> None:
    drawn = [DREW, DREW]
    assert series(3, 2, drawn, won_by(0)).result is None
    assert series(5, 2, won_by(0), won_by(0), drawn).result is None
    last = series(3, 2, drawn, won_by(0), drawn).result
    assert last == MatchResult((0,), (1,), ((0,), (1,)), SERIES)


def test_a_series_may_end_with_equal_wins() -> None:
    level = series(3, 2, [DREW, DREW], won_by(0), won_by(1)).result
    assert level == MatchResult((0, 1), (), ((0, 1),), SERIES)


def test_of_more_players_nobody_can_be_overtaken_at_the_end() -> None:
    """With two games to come a lead of two may still be caught up with."""
    assert series(5, 4, won_by(0, 4), won_by(0, 4)).result is None
    assert series(5, 4, won_by(0, 4), won_by(1, 4), won_by(0, 4)).result is None
    result = series(5, 4, *[won_by(0, 4)] * 3).result
    assert result is not None
    assert result.winners == (0,)


def test_of_equal_wins_the_rarer_durak_is_better() -> None:
    result = series(3, 3, won_by(0, 3), won_by(1, 3), won_by(2, 3)).result
    assert result == MatchResult((0, 1, 2), (), ((0, 1, 2),), SERIES)
    result = series(3, 3, won_by(0, 3), won_by(1, 3), [NEITHER, LOST, WON]).result
    assert result == MatchResult((0,), (1,), ((0,), (2,), (1,)), SERIES)


def test_a_team_wins_together() -> None:
    first = [WON, LOST, WON, LOST]
    result = series(3, 4, first, first, teams=True).result
    assert result == MatchResult((0, 2), (1, 3), ((0, 2), (1, 3)), SERIES)


def test_a_team_has_the_wins_of_whoever_stayed() -> None:
    left = [LOST, LOST, WON, LOST]
    result = series(3, 4, left, left, teams=True).result
    assert result is not None
    assert result.winners == (0, 2)


def test_who_reaches_the_target_has_lost() -> None:
    terms = Terms(3, target=101)
    assert pointed(terms, [0, 60, 100]).result is None
    ended = pointed(terms, [0, 60, 100], [20, 0, 1])
    assert ended.result == MatchResult((0,), (2,), ((0,), (1,), (2,)), TARGET)


def test_exactly_the_target_is_nothing_where_that_is_agreed() -> None:
    terms = Terms(2, target=101, exact_resets=True)
    reset = pointed(terms, [0, 61], [3, 40])
    assert ([total.points for total in reset.totals], reset.result) == ([3, 0], None)
    ended = pointed(terms, [0, 61], [3, 40], [0, 102])
    assert ended.result == MatchResult((0,), (1,), ((0,), (1,)), TARGET)


def test_several_may_lose_at_once_and_several_win() -> None:
    result = pointed(Terms(4, target=50), [50, 3, 70, 3]).result
    assert result == MatchResult((1, 3), (0, 2), ((1, 3), (0,), (2,)), TARGET)


# Points speak for seat 3, wins for seats 0 and 2.
UNEVEN = [
    (replace(WON, points=70), replace(NEITHER, points=20), replace(LOST, points=5), NEITHER),
    (replace(NEITHER, points=20), NEITHER, replace(WON, points=40), replace(LOST, points=9)),
]


@pytest.mark.parametrize(
    ("losers", "winners", "places"),
    [
        ((0,), (3,), ((3,), (1,), (2,), (0,))),
        ((3,), (1,), ((1,), (2,), (0,), (3,))),
        ((1, 3), (2,), ((2,), (0,), (3,), (1,))),
    ],
)
def test_C5_V3c_G17_who_is_left_with_a_card_that_loses_comes_last_whatever_the_points(
    losers: tuple[int, ...], winners: tuple[int, ...], places: Places
) -> None:
    result = standing_of(Terms(4, target=1001), UNEVEN, losers).result
    assert result == MatchResult(winners, losers, places, WILD_LEFT)


@pytest.mark.parametrize(
    ("losers", "winners", "places"),
    [
        ((0,), (2,), ((2,), (1, 3), (0,))),
        ((3,), (0, 2), ((0, 2), (1,), (3,))),
        ((0, 2), (1, 3), ((1, 3), (0, 2))),
    ],
)
def test_C5_V3c_G17_in_a_series_the_others_are_told_apart_by_wins_alone(
    losers: tuple[int, ...], winners: tuple[int, ...], places: Places
) -> None:
    result = standing_of(Terms(4, series_length=9), UNEVEN, losers).result
    assert result == MatchResult(winners, losers, places, WILD_LEFT)


def test_C5_V3c_a_match_without_an_end_is_not_lost_by_a_card() -> None:
    assert standing_of(Terms(4), UNEVEN, (0,)).result is None


def test_of_all_who_reach_the_target_the_lowest_wins() -> None:
    result = pointed(Terms(2, target=1), [2, 3]).result
    assert result == MatchResult((0,), (1,), ((0,), (1,)), TARGET)
    result = pointed(Terms(3, target=50, exact_resets=True), [60, 70, 60]).result
    assert result == MatchResult((0, 2), (1,), ((0, 2), (1,)), TARGET)


def test_nobody_wins_where_all_lose_alike() -> None:
    result = pointed(Terms(2, target=50), [60, 60]).result
    assert result == MatchResult((), (0, 1), ((0, 1),), TARGET)
    scores = [tuple(replace(NEITHER, points=n) for n in (0, 8))]
    result = standing_of(Terms(2, target=50), scores, losers=(0, 1)).result
    assert result == MatchResult((), (0, 1), ((0,), (1,)), WILD_LEFT)


SCORES = st.builds(SeatScore, st.booleans(), st.booleans(), st.booleans(), st.integers(-3, 6))
TERMS = st.builds(
    Terms,
    st.integers(2, 6),
    st.just(False),
    st.one_of(st.none(), st.just(1)),
    st.one_of(st.none(), st.integers(1, 3)),
    st.booleans(),
)


@given(TERMS, st.data())
def test_nobody_wins_and_loses_the_same_match(terms: Terms, data: st.DataObject) -> None:
    seats = range(terms.seats)
    scores = data.draw(st.tuples(*[SCORES for _ in seats]))
    lost = tuple(sorted(data.draw(st.sets(st.sampled_from(seats)))))
    result = standing_of(terms, [scores], lost).result
    if result is None:
        return
    assert not set(result.winners) & set(result.losers)
    assert set(result.winners) <= set(result.places[0])
    assert sorted(seat for place in result.places for seat in place) == list(seats)
    assert result.winners or set(result.losers) == set(seats)
    assert result.losers or result.places == (result.winners,)
    if lost:
        assert result.losers == lost


def test_a_result_names_them() -> None:
    assert match_losers(finished()) == ()
    assert match_losers(finished(match_losers=(0, 1))) == (0, 1)
    assert match_losers(replace(finished(), result=None)) == ()


def finished(seats: int = 3, **result: Any) -> Game:
    """A game of `seats`, dealt by the last, that ended like that."""
    setting = Setting(compatible("throw_in", {"first_dealer": "last_seat"}), seats, 3, 0.3)
    game = games.fold(None, opening(setting))
    entropy = engine.NO_ENTROPY
    dealt = games.fold(game, engine.start(game.rules, seats, entropy))
    told = {"durak": 1, "draw": False, "winner": 2, "places": ((2,), (0,), (1,))} | result
    return games.evolve(dealt, GameFinished(result=Result(reason="played_out", **told)))


def test_the_next_game_knows_dealer_durak_and_winner_of_the_last() -> None:
    assert previous_of(finished()) == Previous(dealer=2, durak=1, winner=2, draw=False)


def test_of_a_team_the_last_with_cards_is_the_durak() -> None:
    last = previous_of(finished(4, durak=(1, 3), places=((0,), (1,), (2,), (3,)), winner=0))
    assert (last.durak, last.winner) == (3, 0)


def test_a_game_that_goes_on_has_no_successor() -> None:
    with pytest.raises(ValueError, match="not played"):
        previous_of(replace(finished(), result=None))


@pytest.mark.parametrize(
    ("rule", "previous", "dealer"),
    [
        ("loser", Previous(0, 2, 1, False), 2),
        ("loser", Previous(0, None, None, True), 1),
        ("loser", Previous(2, None, None, True), 0),
        ("rotate", Previous(2, 1, 0, False), 0),
    ],
)
def test_U11_C1_04_the_next_dealer_is_known_beforehand(
    rule: str, previous: Previous, dealer: int
) -> None:
    rules = compatible("throw_in", {"next_dealer": rule}).rules
    assert engine.next_dealer(rules, 3, previous) == dealer


def test_the_terms_stand_in_the_first_event() -> None:
    created, *_ = opening(Setting(compatible("partners", {}), 4, 3, 0.3))
    game = games.evolve(None, replace(created, series_length=5))
    assert terms_of(game) == Terms(4, teams=True, series_length=5)
    created, *_ = opening(Setting(compatible("hundred_one", {}), 3, 3, 0.3))
    game = games.evolve(None, replace(created, match_target=50))
    assert terms_of(game) == Terms(3, target=50, exact_resets=True)
