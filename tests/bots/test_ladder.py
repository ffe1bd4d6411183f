"""The stored ladder, and the command that writes it."""

import re
from io import StringIO
from pathlib import Path

import msgspec
from django.core.management import call_command

from bots.brains import brain_get
from bots.brains.ladder import LADDER, OVERALL, Ladder, ladder, strengths_of
from bots.management.commands.ladder import RULESETS, _all_rounders


def test_the_ladder_is_one_of_brains_that_exist() -> None:
    stored = ladder()
    for name, version in stored.versions.items():
        assert brain_get(name, version).name == name
    assert {*stored.rulesets} == {*RULESETS, OVERALL}
    for rungs in stored.rulesets.values():
        assert {rung.brain for rung in rungs} == {*stored.versions} == {*stored.budgets}
        assert [rung.elo for rung in rungs] == sorted((rung.elo for rung in rungs), reverse=True)
        assert all(rung.low <= rung.elo <= rung.high and rung.games >= 100 for rung in rungs)


def test_the_scale_begins_at_random() -> None:
    for rungs in ladder().rulesets.values():
        elo = {rung.brain: rung.elo for rung in rungs}
        assert elo["random"] == 1000 < elo["greedy"]


def test_the_registry_has_its_strengths_from_there() -> None:
    for name in ladder().versions:
        assert brain_get(name).strength == strengths_of(name, brain_get(name).version)[OVERALL]
    assert strengths_of("greedy", 99) == strengths_of("nobody", 1) == {}


def test_its_command_is_a_target_of_make() -> None:
    makefile = (LADDER.parents[1] / "Makefile").read_text(encoding="utf-8")
    (target,) = re.findall(r"^make (\w+) DEALS=\d+$", ladder().command)
    assert f"\n{target}:" in makefile


def test_the_command_measures_and_writes(tmp_path: Path) -> None:
    path, out = tmp_path / "ladder.json", StringIO()
    options = ("--deals", "1", "--jobs", "1", "--out", path)
    call_command("ladder", "greedy", "random", *options, stdout=out)
    written = msgspec.json.decode(path.read_bytes(), type=Ladder)
    assert written.command == "make ladder DEALS=1"
    assert {*written.rulesets} == {*RULESETS, OVERALL}
    assert {*written.versions} == {"greedy", "random"}
    assert "Elo, overall" in out.getvalue()


def test_who_is_not_told_measures_all_that_play_every_ruleset_of_it() -> None:
    assert {"random", "greedy", "flat", "ismcts", "max"} <= {*_all_rounders()}
