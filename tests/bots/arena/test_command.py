"""``manage.py arena``."""

import json
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from bots.brains.registry import forget

FAULTY = """
from bots.brains import brain

@brain("faulty")
class Faulty:
    def choose(self, view, history, rng, budget):
        return {"type": "attack", "cards": ["XX"]}
"""


def arena(*arguments: str, **more: Any) -> str:
    out = StringIO()
    call_command("arena", *arguments, "--jobs", "1", stdout=out, **more)
    return out.getvalue()


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A module with a brain that knows no rules."""
    (tmp_path / "faulty_brain.py").write_text(FAULTY, encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    yield "faulty_brain"
    forget("faulty")


def test_it_prints_the_score_and_the_strengths() -> None:
    said = arena("greedy", "random", "--deals", "3", "--ruleset", "transfer")
    assert said.startswith("transfer, 2 seats: greedy scores")
    assert "6 games" in said
    assert "Elo, transfer (random = 1000)" in said


def test_it_writes_the_report_as_json(tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    arena("greedy@2:50", "random", "--deals", "2", "--seats", "2", "--seats", "3", json=path)
    report = json.loads(path.read_bytes())
    assert report["versions"] == {"greedy@2:50": 2, "random": 1}
    assert [score["seats"] for score in report["scores"]] == [2, 3]
    assert report["plan"]["deals"] == 2


def test_it_goes_on_from_its_state(tmp_path: Path) -> None:
    state = tmp_path / "state.json"
    first = arena("greedy", "random", "--deals", "2", state=state)
    written = state.read_bytes()
    assert arena("greedy", "random", "--deals", "2", state=state) == first
    assert state.read_bytes() == written
    with pytest.raises(CommandError, match="another run"):
        arena("greedy", "random", "--deals", "2", "--seed", "x", state=state)


def test_a_fault_is_a_loss_or_the_end(faulty: str) -> None:
    command = ("faulty", "greedy", "--deals", "2", "--module", faulty)
    said = arena(*command)
    assert "faulty scores 0.0%" in said
    assert "lost by faults: faulty 4, greedy 0 (" in said
    with pytest.raises(CommandError, match="against the rules"):
        arena(*command, "--illegal", "stop")


def test_a_sequential_test_says_what_it_found() -> None:
    said = arena("greedy", "random", "--deals", "40", "--sprt", "0", "300")
    assert "test of +0 against +300 Elo: +300 it is" in said


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["nobody", "greedy"], "No brain nobody"),
        (["greedy@", "random"], "not a brain"),
        (["greedy"], "needs two brains"),
        (["greedy", "random", "--ruleset", "chess"], "chess"),
        (["greedy", "random", "--seats", "9"], "players"),
        (["greedy", "random", "--module", "no_such_module"], "no_such_module"),
        (["greedy", "random", "--sprt", "20", "0"], "less than"),
        (["greedy", "random", "--sprt", "0", "20", "--one-against-all"], "for pairs"),
        (["greedy", "random", "--deals", "0"], "from 1"),
    ],
)
def test_what_cannot_be_played_is_said(arguments: list[str], reason: str) -> None:
    with pytest.raises(CommandError, match=reason):
        arena(*arguments)
