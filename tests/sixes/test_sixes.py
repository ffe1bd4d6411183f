"""A few tables of six, and what the comparison would notice."""

import copy
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.chaos.journal import Violation
from tests.durak_api.stack import OTHER_SERVERS
from tests.sixes.results import (
    RATINGS,
    check_order,
    check_rated,
    check_rows,
    check_totals,
    check_walker,
    totals_of,
)
from tests.sixes.run import Report
from tests.sixes.tables import PEOPLE, Told

Json = dict[str, Any]
GONE = Told("g", 1, "bot")


@pytest.mark.xdist_group("stack")
def test_four_people_and_two_bots_play_to_the_end(tmp_path: Path) -> None:
    told = tmp_path / "report.json"
    command = [sys.executable, "-m", "tests.sixes", "--games", "3", "--turn-seconds", "2"]
    done = subprocess.run(
        [*command, "--seed", "2", "--json", told],
        env={name: text for name, text in os.environ.items() if name not in OTHER_SERVERS},
        text=True,
        capture_output=True,
        check=False,
        timeout=400,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    report = msgspec.json.decode(told.read_bytes(), type=Report)
    assert (report.games, report.moves > 3 * PEOPLE, report.cuts > 10) == (3, True, True)
    assert 1 <= report.taken <= report.timeouts
    assert "0 at fault" in report.verified


def replay() -> Json:
    """A game in which seat 1 was left alone, and seat 5 lost."""
    result = {
        "durak": 5,
        "draw": False,
        "places": [[0], [2], [3], [4], [1], [5]],
        "points": None,
    }
    kinds: list[tuple[str, int | None]] = [
        ("game_created", None),
        ("seat_timed_out", 1),
        ("seat_replaced", 1),
    ]
    kinds += [("seat_went_out", seat) for seat in (0, 2, 3, 4, 1)]
    events: list[Json]
    events = [{"type": kind, "seat": seat, "data": {"seats": 6}} for kind, seat in kinds]
    events.append({"type": "game_finished", "seat": None, "data": {"result": result}})
    return {"id": "g", "events": events, "rules": {}, "result": result}


def match() -> Json:
    """Its match, which tells the same."""
    return {"seats": totals_of(replay())}


def rows() -> list[tuple[int, int, int]]:
    """Its rows: whoever left is durak as well."""
    return [(seat, seat in (1, 5), 0) for seat in range(6)]


def test_what_is_right_passes() -> None:
    check_totals(replay(), match())
    check_order(replay())
    check_rows(replay(), rows())
    check_rated("g", [(RATINGS, RATINGS)])
    assert check_walker(GONE, replay()["events"]) is True


def other_winner(told: Json) -> None:
    told["result"]["places"].reverse()


def durak_went_out(told: Json) -> None:
    told["result"]["durak"] = 4


def seat_without_a_place(told: Json) -> None:
    told["result"]["places"].pop()


@pytest.mark.parametrize("spoil", [other_winner, durak_went_out, seat_without_a_place])
def test_a_wrong_result_is_noticed(spoil: Callable[[Json], None]) -> None:
    told = copy.deepcopy(replay())
    spoil(told)
    with pytest.raises(Violation, match="game g: "):
        check_order(told)


def test_a_match_that_says_otherwise_is_noticed() -> None:
    told = match()
    told["seats"][0]["wins"] = 0
    with pytest.raises(Violation, match="by its log"):
        check_totals(replay(), told)


def test_rows_that_say_otherwise_are_noticed() -> None:
    with pytest.raises(Violation, match="stored"):
        check_rows(replay(), rows()[:-1])


@pytest.mark.parametrize("found", [(0, 0), (RATINGS - 1, RATINGS - 1), (RATINGS + 1, RATINGS)])
def test_ratings_that_are_missing_or_doubled_are_noticed(found: tuple[int, int]) -> None:
    with pytest.raises(Violation, match="changes of ratings"):
        check_rated("g", [found])


def test_a_bot_that_came_too_early_is_noticed() -> None:
    with pytest.raises(Violation, match="1 turns missed, 1 times replaced"):
        check_walker(GONE._replace(policy="safe_move"), replay()["events"])


def test_a_bot_that_never_came_is_noticed() -> None:
    events = [event for event in replay()["events"] if event["type"] != "seat_replaced"]
    with pytest.raises(Violation, match="1 turns missed, 0 times replaced"):
        check_walker(GONE, events)
