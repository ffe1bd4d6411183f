"""The rating arithmetic, as laws."""

import math
import random
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from games.projections.rating import (
    BETA,
    KAPPA,
    MU,
    PROVISIONAL_GAMES,
    SIGMA,
    START,
    TAU,
    Entry,
    Skill,
    carried,
    displayed,
    drift_of,
    grains,
    is_provisional,
    rate_game,
    scaled,
)

skills = st.builds(Skill, st.floats(-20, 80), st.floats(0.5, 9))
players = st.integers(0, 2**128 - 1).map(lambda number: UUID(int=number))


def entries_of(places: list[int], skill: Skill = START) -> list[Entry]:
    """A table of equals, player n in the n-th of `places`."""
    return [Entry(UUID(int=number), skill, place) for number, place in enumerate(places)]


def rated(places: list[int], skill: Skill = START) -> list[Skill]:
    """The skills of that table after the game, in the same order."""
    after = rate_game(entries_of(places, skill))
    return [after[UUID(int=number)] for number in range(len(places))]


@st.composite
def tables(draw: st.DrawFn) -> list[Entry]:
    """Two to six seats, some shared places, some accounts with several seats."""
    seats = draw(st.integers(2, 6))
    accounts = draw(
        st.lists(st.tuples(players, skills), min_size=2, max_size=6, unique_by=lambda a: a[0])
    )
    owners = accounts[:2] + draw(
        st.lists(st.sampled_from(accounts), min_size=seats - 2, max_size=seats - 2)
    )
    places = draw(st.lists(st.integers(1, seats), min_size=seats, max_size=seats))
    return [Entry(*owner, place) for owner, place in zip(owners, places, strict=True)]


@given(tables(), st.randoms(use_true_random=False))
def test_who_sat_where_changes_no_bit(table: list[Entry], chance: random.Random) -> None:
    shuffled = chance.sample(table, len(table))
    assert rate_game(shuffled) == rate_game(table)


@given(tables())
def test_openskill_comes_to_the_same(table: list[Entry]) -> None:
    ordered = sorted(table, key=lambda entry: (entry.place, entry.skill))
    model = PlackettLuce(
        mu=MU, sigma=SIGMA, beta=BETA, kappa=KAPPA, tau=TAU, limit_sigma=False, balance=False
    )
    teams = [[model.rating(mu=entry.skill.mu, sigma=entry.skill.sigma)] for entry in ordered]
    rated = model.rate(teams, ranks=[float(entry.place) for entry in ordered])
    alone = [entry._replace(player=UUID(int=seat)) for seat, entry in enumerate(ordered)]
    after = rate_game(alone)
    for seat, (theirs,) in enumerate(rated):
        assert after[UUID(int=seat)].mu == pytest.approx(theirs.mu, abs=1e-9)
        assert after[UUID(int=seat)].sigma == pytest.approx(theirs.sigma, abs=1e-9)


@given(tables())
def test_only_the_order_of_places_counts(table: list[Entry]) -> None:
    spread = [entry._replace(place=10 * entry.place + 3) for entry in table]
    assert rate_game(spread) == rate_game(table)


@given(tables())
def test_skills_stay_finite_and_certain_enough(table: list[Entry]) -> None:
    for skill in rate_game(table).values():
        assert math.isfinite(skill.mu)
        assert 0 < skill.sigma < 10


@given(skills, st.integers(2, 6))
def test_among_equals_the_first_gains_and_the_durak_loses(skill: Skill, seats: int) -> None:
    after = rated(list(range(1, seats + 1)), skill)
    means = [one.mu for one in after]
    assert means == sorted(means, reverse=True)
    assert means[0] > skill.mu > means[-1]


@given(skills, st.integers(2, 6))
def test_a_draw_of_equals_moves_nobody(skill: Skill, seats: int) -> None:
    for after in rated([1] * seats, skill):
        assert after.mu == pytest.approx(skill.mu, abs=1e-9)
        assert after == rated([1] * seats, skill)[0]


@given(skills, st.integers(1, 3), st.integers(2, 3))
def test_those_who_share_a_place_are_treated_alike(skill: Skill, out: int, drew: int) -> None:
    after = rated([*range(1, out + 1), *[out + 1] * drew], skill)
    assert len(set(after[out:])) == 1
    assert after[0].mu > after[-1].mu


@given(skills, skills)
def test_a_draw_brings_two_players_closer(one: Skill, other: Skill) -> None:
    table = [Entry(UUID(int=1), one, 1), Entry(UUID(int=2), other, 1)]
    after = rate_game(table)
    gap = after[UUID(int=1)].mu - after[UUID(int=2)].mu
    assert abs(gap) <= abs(one.mu - other.mu) + 1e-9


def test_reference_values_of_two_and_three_newcomers() -> None:
    """BOTS: a duel moves both by 2.635; at three the order of going out gives 2.869 … −3.586."""
    assert [one.mu - START.mu for one in rated([1, 2])] == pytest.approx([2.635, -2.635], abs=1e-3)
    three = [one.mu - START.mu for one in rated([1, 2, 3])]
    assert (three[0], three[2]) == pytest.approx((2.869, -3.586), abs=1e-3)


def test_the_durak_of_a_table_of_six_loses_more_than_the_loser_of_a_duel() -> None:
    assert rated([1, 2, 3, 4, 5, 6])[-1].mu < rated([1, 2])[-1].mu


def test_certainty_grows_with_a_game_and_never_beyond_moving() -> None:
    assert all(one.sigma < START.sigma for one in rated([1, 2, 3]))
    certain = Skill(25.0, 0.05)
    assert all(one.sigma > certain.sigma for one in rated([1, 2], certain))


def test_an_account_on_both_sides_of_a_result_keeps_its_mean() -> None:
    person, bot = UUID(int=1), UUID(int=2)
    between = [Entry(bot, START, 1), Entry(person, START, 2), Entry(bot, START, 3)]
    after = rate_game(between)
    assert after[bot].mu == pytest.approx(START.mu, abs=0.5)


def test_a_table_full_of_one_bot_moves_it_no_further_than_its_best_seat() -> None:
    person, bot = UUID(int=1), UUID(int=2)
    table = [*(Entry(bot, START, place) for place in range(1, 6)), Entry(person, START, 6)]
    best_seat = rated([1, 2, 3, 4, 5, 6])[0].mu
    assert START.mu < rate_game(table)[bot].mu < best_seat


@pytest.mark.parametrize("places", [[], [1]])
def test_nothing_is_rated_without_an_opponent(places: list[int]) -> None:
    with pytest.raises(ValueError, match="two accounts"):
        rate_game(entries_of(places))


def test_one_account_alone_is_not_rated() -> None:
    with pytest.raises(ValueError, match="two accounts"):
        rate_game([Entry(UUID(int=1), START, 1), Entry(UUID(int=1), START, 2)])


@given(skills, st.floats(0.01, 5))
def test_the_board_rates_certainty_and_skill(skill: Skill, more: float) -> None:
    assert displayed(skill._replace(mu=skill.mu + more)) >= displayed(skill)
    assert displayed(skill._replace(sigma=skill.sigma + more)) <= displayed(skill)


@pytest.mark.parametrize(
    ("skill", "games", "provisional"),
    [
        (START, 0, True),
        (Skill(25.0, 3.0), PROVISIONAL_GAMES - 1, True),
        (Skill(25.0, 5.0), PROVISIONAL_GAMES, True),
        (Skill(25.0, 4.99), PROVISIONAL_GAMES, False),
    ],
)
def test_provisional_until_games_and_certainty(skill: Skill, games: int, provisional: bool) -> None:
    assert is_provisional(skill, games) is provisional


@given(skills)
def test_a_season_carries_skill_over_nearer_to_the_mean(skill: Skill) -> None:
    new = carried(skill)
    assert abs(new.mu - START.mu) <= abs(skill.mu - START.mu)
    assert new.sigma >= max(skill.sigma, 4.0)


@given(skills, st.floats(-3, 3))
def test_a_drift_is_taken_back_from_everybody_alike(skill: Skill, drift: float) -> None:
    moved = skill._replace(mu=skill.mu + drift)
    assert carried(moved, drift).mu == pytest.approx(carried(skill).mu, abs=1e-9)


@given(st.lists(st.floats(-50, 100), min_size=1), st.randoms(use_true_random=False))
def test_the_drift_of_a_mean_is_that_of_any_order(means: list[float], chance: Any) -> None:
    shuffled = chance.sample(means, len(means))
    total = sum(map(grains, means))
    assert sum(map(grains, shuffled)) == total
    expected = math.fsum(means) / len(means) - MU
    assert drift_of(total, len(means)) == pytest.approx(expected, abs=1e-6)


def test_nobody_has_not_drifted() -> None:
    assert drift_of(0, 0) == 0.0


@given(tables(), st.floats(0, 1))
def test_a_share_of_a_game_moves_as_much_of_the_way(table: list[Entry], share: float) -> None:
    before = {entry.player: entry.skill for entry in table}
    for player, after in rate_game(table).items():
        part = scaled(before[player], after, share)
        low, high = sorted((before[player].mu, after.mu))
        assert low - 1e-9 <= part.mu <= high + 1e-9
        assert scaled(before[player], after, 1.0) == after
        assert scaled(before[player], after, 0.0) == before[player]


def test_a_long_run_recovers_the_order_of_true_skill() -> None:
    """Mixed tables, a fixed seed: the order of ten players of clearly different skill is found."""
    chance = random.Random(7)
    true = {UUID(int=number): 4.0 * number for number in range(10)}
    known = dict.fromkeys(true, START)
    for _ in range(400):
        table = chance.sample(sorted(true), chance.randint(2, 6))
        table.sort(key=lambda player: true[player] + chance.gauss(0, 4), reverse=True)
        known |= rate_game([Entry(p, known[p], place) for place, p in enumerate(table, 1)])
    found = sorted(true, key=lambda player: displayed(known[player]))
    assert sum(abs(found.index(player) - player.int) for player in true) <= 4
