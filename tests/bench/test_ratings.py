"""The simulation of rating models runs, in its short form, and knows what it measures."""

import random

import pytest

from bench.ratings.__main__ import QUICK, main, repeats, report
from bench.ratings.figures import rank_correlation
from bench.ratings.models import MODELS, last_odds, loser_odds
from bench.ratings.worlds import REAL, SYNTHETIC, TEAM, World, season
from games.projections.rating import START, Skill

SKILLS = [Skill(31.0, 4.0), START, Skill(22.0, 6.0), Skill(18.0, 2.0)]


def test_every_model_has_its_line_in_every_world() -> None:
    told = "\n".join(report(QUICK))
    for model in MODELS:
        assert told.count(f"  {model.name} ") == 4
    assert "the same to the bit: yes" in told
    assert "for 1,000,000 games" in told


def test_the_cost_is_told_alone(capsys: pytest.CaptureFixture[str]) -> None:
    main(["--speed", "200"])
    told = capsys.readouterr().out.splitlines()
    assert len(told) == 2
    assert told[0].startswith("rating arithmetic, both ladders: ")
    assert all("for 1,000,000 games (by 200; undisturbed " in line for line in told)


@pytest.mark.parametrize("odds", [last_odds, loser_odds])
def test_odds_are_of_one_durak_and_the_weaker_are_likelier(odds: object) -> None:
    assert callable(odds)
    found = odds(SKILLS)
    assert sum(found) == pytest.approx(1.0)
    assert found == sorted(found)


def test_odds_to_be_last_are_those_of_the_drawn_order() -> None:
    """By lot: whoever is drawn in proportion to his share is out first."""
    rng, last = random.Random(3), [0] * len(SKILLS)
    scale = sum(skill.sigma**2 + START.sigma**2 / 4 for skill in SKILLS) ** 0.5
    shares = [2.718281828459045 ** (skill.mu / scale) for skill in SKILLS]
    for _ in range(4_000):
        left = list(range(len(SKILLS)))
        while len(left) > 1:
            left.remove(rng.choices(left, [shares[seat] for seat in left])[0])
        last[left[0]] += 1
    assert [count / 4_000 for count in last] == pytest.approx(last_odds(SKILLS), abs=0.03)


@pytest.mark.parametrize(("world", "sizes"), [(REAL, (2, 5)), (TEAM, (4,)), (SYNTHETIC, (3,))])
def test_every_seat_of_a_game_comes_in_one_place(world: World, sizes: tuple[int, ...]) -> None:
    rng = random.Random(1)
    for game in season(world, world.strengths(8, rng), 2, sizes, rng):
        seats = [seat for group in game.order for seat in group]
        assert sorted(seats) == list(range(len(game.players)))


def test_a_correlation_knows_order() -> None:
    assert rank_correlation([1, 2, 4, 3], [1, 2, 3, 4]) == pytest.approx(0.8)
    assert repeats(QUICK, MODELS[0])
