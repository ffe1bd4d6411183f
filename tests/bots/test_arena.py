"""The arena's scores, and the one that every change of greedy must keep."""

import pytest

from bots.arena import duel, main
from bots.brains import brain_get
from games.rules.rulesets.registry import ruleset


def test_greedy_beats_random_nine_times_in_ten() -> None:
    greedy, rng = brain_get("greedy").brain, brain_get("random").brain
    score = duel(greedy, rng, pairs=60, rules=ruleset("throw_in", players=2), seed="gate")
    assert score.games == 120
    assert score.share - score.margin >= 0.9


def test_a_brain_against_itself_scores_half_when_it_uses_no_chance() -> None:
    greedy = brain_get("greedy").brain
    score = duel(greedy, greedy, pairs=5, rules=ruleset("throw_in", players=2))
    assert (score.share, score.margin) == (0.5, 0.0)


def test_the_command_prints_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    main(["greedy", "random", "--pairs", "3", "--ruleset", "transfer"])
    line = capsys.readouterr().out
    assert line.startswith("transfer: greedy scores")
    assert "in 6 games" in line
