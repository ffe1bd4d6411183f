"""The gate that every change of a brain has to pass: a sequential test of a few seconds."""

import pytest

from bots.arena.sprt import Sprt
from tests.bots.duels import duel


@pytest.mark.parametrize(("ruleset_id", "worth"), [("throw_in", 400), ("mau_mau", 50)])
def test_greedy_is_much_stronger_than_random(ruleset_id: str, worth: int) -> None:
    gate = Sprt(worth - 50, worth)
    score = duel("greedy", "random", rulesets=(ruleset_id,), deals=300, seed="gate", sprt=gate)
    assert score.sprt is not None
    assert score.sprt.verdict == "H1", score
    assert score.faults == (0, 0)


def test_greedy_wins_nine_games_of_ten() -> None:
    score = duel("greedy", "random", deals=60, seed="gate")
    assert score.games == 120
    assert score.score.low >= 0.9
