"""The stored ladder, and the command that writes it."""

import re
from io import StringIO
from pathlib import Path

import msgspec
from django.core.management import call_command

from bots.brains import brain_get
from bots.brains.ladder import (
    LADDER,
    OVERALL,
    Ladder,
    Rung,
    ladder,
    merged,
    strengths_of,
)
from bots.management.commands.ladder import RULESETS, _all_rounders


def test_the_ladder_is_one_of_brains_that_exist() -> None:
    stored = ladder()
    for name, version in stored.versions.items():
        assert brain_get(name, version).name == name
    assert {*stored.rulesets} == {*RULESETS, OVERALL} == {*stored.commands}
    assert {*stored.versions} == {*stored.budgets}
    for rungs in stored.rulesets.values():
        assert {"random", "greedy"} <= {rung.brain for rung in rungs} <= {*stored.versions}
        assert [rung.elo for rung in rungs] == sorted((rung.elo for rung in rungs), reverse=True)
        assert all(rung.low <= rung.elo <= rung.high and rung.games >= 100 for rung in rungs)


def test_the_scale_begins_at_random() -> None:
    for rungs in ladder().rulesets.values():
        elo = {rung.brain: rung.elo for rung in rungs}
        assert elo["random"] == 1000 < elo["greedy"]


def test_the_registry_has_its_strengths_from_there() -> None:
    for name in ladder().versions:
        known = strengths_of(name, brain_get(name).version)
        assert brain_get(name).strength == known["throw_in"]
    assert strengths_of("greedy", 99) == strengths_of("nobody", 1) == {}


def test_its_command_is_a_target_of_make() -> None:
    makefile = (LADDER.parents[1] / "Makefile").read_text(encoding="utf-8")
    for command in ladder().commands.values():
        (target,) = re.findall(r'^make (\w+) DEALS=\d+ BRAINS="[\w -]+"', command)
        assert f"\n{target}:" in makefile


def test_the_command_measures_and_writes(tmp_path: Path) -> None:
    path, out = tmp_path / "ladder.json", StringIO()
    options = ("--deals", "1", "--jobs", "1", "--out", path)
    call_command("ladder", "greedy", "random", *options, stdout=out)
    written = msgspec.json.decode(path.read_bytes(), type=Ladder)
    assert {*written.commands.values()} == {'make ladder DEALS=1 BRAINS="greedy random"'}
    assert {*written.rulesets} == {*RULESETS, OVERALL}
    assert {*written.versions} == {"greedy", "random"}
    assert "Elo, overall" in out.getvalue()


def test_one_ruleset_is_measured_alone(tmp_path: Path) -> None:
    path = tmp_path / "ladder.json"
    options = ("--deals", "1", "--jobs", "1", "--ruleset", "transfer", "--out", path)
    call_command("ladder", "greedy", "random", *options, stdout=StringIO())
    written, before = msgspec.json.decode(path.read_bytes(), type=Ladder), ladder()
    assert {rung.games for rung in written.rulesets["transfer"]} == {2}
    for name in {*RULESETS, OVERALL} - {"transfer"}:
        assert written.rulesets[name] == before.rulesets[name]
        assert written.commands[name] == before.commands[name]


def test_rungs_of_another_version_go() -> None:
    rungs = (Rung("greedy", 1500, 1400, 1600, 100), Rung("random", 1000, 1000, 1000, 100))
    sizes, both = {"greedy": 400, "random": 400}, {"a": "make a", OVERALL: "make all"}
    known = Ladder(both, (2,), {"greedy": 1, "random": 1}, sizes, {"a": rungs, OVERALL: rungs})
    found = {"a": rungs, OVERALL: rungs}
    new = Ladder(dict.fromkeys(found, "make c"), (2,), {"greedy": 2, "random": 1}, sizes, found)
    together = merged(known, new)
    assert together.rulesets == {"a": rungs, OVERALL: rungs[1:]}
    assert together.commands == {"a": "make c", OVERALL: "make all"}
    assert together.versions == {"greedy": 2, "random": 1}


def test_who_is_not_told_measures_all_that_play_every_ruleset_of_it() -> None:
    assert {"random", "greedy", "flat", "ismcts", "max"} <= {*_all_rounders()}
