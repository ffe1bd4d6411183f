"""docs/verify.py and docs/verify.mjs: two programs without our code agree with what we export."""

import ast
import copy
import json
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any
from uuid import UUID

import msgspec
import pytest

from games.selectors.game_chance import game_chance
from games.store import log
from tests.exports import Export, exported, exports, played_out, resigned, started, voided
from tests.forgeries import FORGERIES, Forgery, changed, leaves, relink
from tests.node import node
from tests.tables import head_of

DOCS = Path(__file__).resolve().parent.parent / "docs"
VECTORS = DOCS / "vectors" / "durak-v1.json"
PUBLISHED = json.loads(VECTORS.read_text(encoding="utf-8"))
STREAMS = {"dealer", "deal", "talon", "attacker", "first_player", "hand", "slots", "recycle"}


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


def published(has: str) -> Export:
    """A game of the vectors with an event of this type, or `type.fact`; it may be changed."""
    kind, _, fact = has.partition(".")
    for game in reversed(PUBLISHED["games"]):
        if any(one["type"] == kind and (not fact or fact in one["data"]) for one in game["events"]):
            found: Export = copy.deepcopy(game)
            return found
    raise LookupError(has)


@BOTH
def test_the_published_vectors_hold(program: str) -> None:
    status, printed = run(program, "--vectors", str(VECTORS))
    assert (status, printed) == (0, "as published: 7 deal, 4 chain, 7 games\n")


@BOTH
@pytest.mark.django_db
def test_a_voided_game_is_what_the_seeds_made_of_it(program: str) -> None:
    rng = random.Random(5)
    ended = resigned(rng, ruleset="simple", seats=2)
    for game in (ended, started(ruleset="mau_mau", seats=2)):
        export = exported(voided(game))
        assert export["events"][-1]["type"] == "game_voided"
        status, printed = judged(program, export)
        assert status == 0, printed


@BOTH
@pytest.mark.parametrize(
    ("part", "name"),
    [("deal", "order"), ("deal", "commitment"), ("chain", "content"), ("chain", "nonce")],
)
def test_other_vectors_do_not_hold(program: str, part: str, name: str, tmp_path: Path) -> None:
    vectors = copy.deepcopy(PUBLISHED)
    vectors[part][-1][name] += "0"
    path = tmp_path / "vectors.json"
    path.write_text(json.dumps(vectors), encoding="utf-8")
    assert run(program, "--vectors", str(path))[0] == 1


@pytest.mark.django_db
def test_every_ruleset_is_verified_by_both() -> None:
    games = list(exports())
    heads = [head_of(UUID(game["id"])) for game in games]
    streams = [one for head in heads for one in game_chance(head, log.server_seed(head.id))]
    used = {one.label.split(".")[0] for one in streams}
    assert used == STREAMS
    told = {event["type"] for game in games for event in game["events"]}
    assert {"cards_redealt", "client_seed_set", "hand_replenished", "cards_drawn"} <= told
    lines = "\n".join(msgspec.json.encode(game).decode() for game in games)
    said = {program: run(program, "-", told=lines) for program in commands()}
    assert said["python"] == said["node"]
    status, printed = said["python"]
    assert status == 0, printed
    assert len(printed.splitlines()) == len(games) + 1


def one_of_each(game: Export, rng: random.Random) -> Iterator[tuple[Any, ...]]:
    """Places in an export, one of every kind: event types by name, lists by any member."""
    kinds: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
    for place in leaves(game):
        kind = tuple("" if isinstance(step, int) else step for step in place)
        if place[0] == "events" and len(place) > 1:
            kind = (game["events"][place[1]]["type"], *kind)
        kinds.setdefault(kind, []).append(place)
    for places in kinds.values():
        yield rng.choice(places)


@BOTH
@pytest.mark.parametrize("has", ["trump_turned", "discard_recycled"])
def test_whatever_is_changed_is_found(program: str, has: str) -> None:
    game = published(has)
    # Names are not in the log.
    places = [at for at in one_of_each(game, random.Random(2)) if at[0] != "seats"]
    games = [game, *(changed(game, place) for place in places)]
    lines = "\n".join(msgspec.json.encode(one).decode() for one in games)
    status, printed = run(program, "-", told=lines)
    right, *wrong, _ = printed.splitlines()
    assert status == 1
    assert right.startswith("game ")
    assert len(wrong) == len(places) > 100
    for place, said in zip(places, wrong, strict=True):
        assert said.startswith("WRONG: "), (place, said)
        seq = f"event {place[1] + 1}:" if place[0] == "events" else ""
        assert seq in said, (place, said)


@BOTH
def test_events_that_are_gone_or_elsewhere_are_found(program: str) -> None:
    game = published("trump_turned")
    last = len(game["events"]) - 1
    for place in (1, 5, last // 2, last):
        gone, other = copy.deepcopy(game), copy.deepcopy(game)
        del gone["events"][place]
        events = other["events"]
        events[place - 1], events[place] = events[place], events[place - 1]
        named = f"event {min(place + 1, last)}:"
        assert named in judged(program, gone)[1]
        assert f"event {place}:" in judged(program, other)[1]


@BOTH
@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.name)
def test_a_log_that_was_hashed_anew_does_not_follow_the_seeds(
    program: str, forgery: Forgery
) -> None:
    """Whoever knows the chain's secret can link anything; the seeds still say another thing."""
    game = published(forgery.needs)
    event = forgery.forge(game)
    relink(game)
    status, printed = judged(program, game)
    assert status == 1
    assert f"event {event['seq']}:" in printed


@BOTH
def test_what_was_written_down_is_compared(program: str) -> None:
    game = published("trump_turned")
    kept = game["events"][5]["hash"]
    promised = game["events"][0]["data"]["commitment"]
    assert judged(program, game, "--head", kept, "--commitment", promised)[0] == 0
    assert judged(program, game, "--head", "00" * 32)[0] == 1
    assert judged(program, game, "--commitment", "00" * 32)[0] == 1


@BOTH
def test_events_of_older_releases_count_as_they_were_stored(program: str) -> None:
    game = published("card_beaten")
    event = next(event for event in game["events"] if event["type"] == "card_beaten")
    facts = {**event["data"], "seat": event["seat"]}
    if "next" in event:
        facts["next"] = event["next"]
    event["stored"] = {"schema_version": 1, "facts": facts}
    assert "older releases" in judged(program, game)[1]
    event["schema_version"] = 2
    status, printed = judged(program, game)
    assert status == 0
    assert "1 events of an older release count as `stored`" in printed
    facts["card"] = facts["target"]
    assert f"event {event['seq']}:" in judged(program, game)[1]


@BOTH
@pytest.mark.parametrize("told", ["", "\n", "{}", "[1]", "null", "{", "[" * 100_000])
def test_what_is_no_game_is_said_so(program: str, told: str) -> None:
    status, printed = run(program, "-", told=told)
    assert (status, printed[:6]) == (1, "WRONG:")


@BOTH
def test_a_game_is_read_from_an_address(program: str, tmp_path: Path) -> None:
    (tmp_path / "replay").write_bytes(msgspec.json.encode(published("trump_turned")))
    serve = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with ThreadingHTTPServer(("127.0.0.1", 0), serve) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        place = f"http://127.0.0.1:{server.server_port}"
        found, missing = run(program, f"{place}/replay"), run(program, f"{place}/other")
        server.shutdown()
    assert found[0] == 0, found
    assert (missing[0], missing[1][:6]) == (1, "WRONG:")


@BOTH
def test_what_cannot_be_read_is_said_so(program: str, tmp_path: Path) -> None:
    assert run(program, str(tmp_path / "missing"))[1].startswith("WRONG:")


@BOTH
@pytest.mark.django_db
def test_a_game_against_the_clock_is_verified(program: str) -> None:
    rng = random.Random(5)
    game = exported(played_out(rng, ruleset="throw_in", seats=2, turn_seconds=60, bank_seconds=9))
    assert any("clock" in event.get("next", {}) for event in game["events"])
    status, printed = judged(program, game)
    assert status == 0, printed


def test_the_programs_use_nothing_of_the_server() -> None:
    tree = ast.parse((DOCS / "verify.py").read_text(encoding="utf-8"), feature_version=(3, 8))
    found = list(ast.walk(tree))
    names = {one.name for step in found if isinstance(step, ast.Import) for one in step.names}
    names |= {str(step.module) for step in found if isinstance(step, ast.ImportFrom)}
    assert {name.split(".")[0] for name in names} <= sys.stdlib_module_names
    script = (DOCS / "verify.mjs").read_text(encoding="utf-8")
    imported = re.findall(r'from "([^"]+)"', script)
    assert imported
    assert all(name.startswith("node:") for name in imported)
