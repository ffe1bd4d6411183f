"""Runs: the same whatever the number of processes, and after any interruption."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from bots.arena.plan import Plan, Unit, units
from bots.arena.report import Report, report_json, report_of, report_text
from bots.arena.run import run
from bots.arena.sprt import Sprt
from bots.arena.state import State, StateError

SMALL = Plan(brains=("random", "greedy", "random:9"), deals=15)
TESTED = Plan(brains=("greedy", "random"), deals=60, sprt=Sprt(0, 300))


def report(plan: Plan, **how: object) -> Report:
    return report_of(plan, run(plan, **how))


def test_units_cover_every_deal_of_every_meeting() -> None:
    assert list(units(SMALL)) == [
        Unit(meeting, begin, end) for meeting in range(3) for begin, end in ((0, 10), (10, 15))
    ]


@pytest.mark.parametrize("plan", [SMALL, TESTED])
def test_more_processes_find_the_same(plan: Plan) -> None:
    assert report(plan, jobs=3) == report(plan, jobs=1)


def test_the_seed_makes_the_run() -> None:
    assert report(SMALL) == report(SMALL)
    assert report(SMALL).scores != report(replace(SMALL, seed="other")).scores


def test_a_test_stops_the_meeting_and_counts_no_deal_beyond() -> None:
    (score,) = report(TESTED, jobs=2).scores
    assert score.deals == 10
    assert score.sprt is not None
    assert score.sprt.verdict == "H1"
    (turned,) = report(replace(TESTED, brains=("random", "greedy"))).scores
    assert turned.sprt is not None
    assert turned.sprt.verdict == "H0"


def test_progress_ends_at_all_of_it() -> None:
    told: list[tuple[int, int]] = []
    run(TESTED, show=lambda done, total: told.append((done, total)))
    assert told[-1] == (120, 120)
    assert [done for done, _ in told] == sorted(done for done, _ in told)


class StoppedError(Exception):
    """Somebody pressed Ctrl-C."""


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_run_goes_on_where_it_stopped(jobs: int, tmp_path: Path) -> None:
    path = tmp_path / "deep" / "arena.json"

    def stop(done: int, total: int) -> None:
        if done >= total / 2:
            raise StoppedError

    with pytest.raises(StoppedError):
        run(SMALL, jobs=jobs, state=State(SMALL, path), show=stop)
    kept = State(SMALL, path)
    known = [unit for unit in units(SMALL) if kept.get(unit) is not None]
    assert 2 <= len(known) < 6
    assert report(SMALL, jobs=jobs, state=kept) == report(SMALL)
    assert report(SMALL, state=State(SMALL, path)) == report(SMALL)


def test_more_deals_go_on_from_fewer(tmp_path: Path) -> None:
    path = tmp_path / "arena.json"
    few = replace(SMALL, deals=10)
    report(few, state=State(few, path))
    kept = State(SMALL, path)
    assert kept.get(Unit(0, 0, 10)) is not None
    assert report(SMALL, state=kept) == report(SMALL)


@pytest.mark.parametrize(
    "other", [replace(SMALL, seed="x"), replace(SMALL, budget=7), replace(SMALL, sizes=(3,))]
)
def test_the_file_of_another_run_is_refused(other: Plan, tmp_path: Path) -> None:
    path = tmp_path / "arena.json"
    State(SMALL, path).save()
    with pytest.raises(StateError, match="another run"):
        State(other, path)


def test_a_file_that_is_no_state_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "arena.json"
    path.write_text("[]")
    with pytest.raises(StateError, match="no file of the arena"):
        State(SMALL, path)


def test_the_report_has_scores_and_strengths() -> None:
    plan = replace(SMALL, rulesets=("throw_in", "mau_mau"))
    found = report(plan)
    assert len(found.scores) == 6
    assert [table.ruleset for table in found.tables] == ["throw_in", "mau_mau", "overall"]
    for table in found.tables:
        assert table.standings[0].brain == "greedy"
        elo = {one.brain: one.elo for one in table.standings}
        assert elo["random"] == 1000 < elo["greedy"]
        assert all(one.low <= one.elo <= one.high for one in table.standings)
    text = report_text(found)
    assert "throw_in, 2 seats: random scores" in text
    assert "Elo, overall (random = 1000)" in text
    assert report_json(found).endswith(b"}\n")


def test_one_against_all_tells_how_often_the_one_is_durak() -> None:
    plan = Plan(brains=("greedy", "random"), sizes=(4,), deals=10, alone=True)
    found = report(plan)
    (score,) = found.scores
    assert score.games == 40
    assert score.durak is not None
    assert score.durak.share <= 0.1 < score.durak.high + 0.1
    assert (score.elo, found.tables) == (None, ())
    assert "greedy alone among 3 random is durak in" in report_text(found)
