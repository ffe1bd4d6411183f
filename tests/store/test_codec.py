"""Events as rows, and old rows as today's events."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.rules.events import EVENTS, SeatPassed
from games.store import codec, log
from games.store.codec import UPCASTERS, VERSIONS, UnknownEvent, decode_event, encode_event
from tests.scores import new_players
from tests.store import frozen
from tests.tables import open_table, play_out

SAMPLES = frozen.samples()


def text(facts: Any) -> str:
    """Facts as the database gives them."""
    return msgspec.json.encode(facts).decode()


def test_no_event_lacks_a_sample_of_any_of_its_versions() -> None:
    every = {(kind, number + 1) for kind, last in VERSIONS.items() for number in range(last)}
    assert {(kind, version) for kind, version, _ in SAMPLES} == every
    assert VERSIONS.keys() == EVENTS.keys()


@pytest.mark.parametrize("kind", EVENTS)
def test_the_samples_show_every_field(kind: str) -> None:
    shown = {name for one, version, facts in SAMPLES for name in facts if one == kind}
    assert shown == {field.name for field in msgspec.structs.fields(EVENTS[kind])}


def test_every_step_to_a_newer_version_is_there() -> None:
    steps = {(kind, number) for kind, last in VERSIONS.items() for number in range(1, last)}
    assert UPCASTERS.keys() == steps


def test_what_was_written_is_read_and_written_alike() -> None:
    for kind, version, facts in SAMPLES:
        event = decode_event(kind, version, text(facts))
        assert type(event) is EVENTS[kind]
        again, newest, canonical = encode_event(event)
        assert (again, newest) == (kind, VERSIONS[kind])
        if version == newest:
            assert msgspec.json.decode(canonical) == facts


@pytest.mark.parametrize("file", frozen.logs(), ids=lambda file: file.stem)
def test_old_games_fold_as_they_did(file: Path) -> None:
    kept = frozen.read(file)
    assert frozen.fold(kept.events) == kept.folded


@pytest.mark.django_db
def test_a_game_of_today_can_be_frozen(tmp_path: Path) -> None:
    game_id = open_table(new_players(2), ruleset="transfer")
    play_out(game_id, random.Random(8))
    file = tmp_path / "game.json"
    file.write_text(frozen.lines(frozen.record(game_id)))
    kept = frozen.read(file)
    assert frozen.fold(kept.events) == kept.folded
    assert len(kept.events) == log.replay(game_id).version


@pytest.mark.parametrize(
    ("kind", "version"),
    [("seat_danced", 1), ("seat_passed", 0), ("seat_passed", 2), ("", 1), ("SEAT_PASSED", 1)],
)
def test_what_nobody_knows_is_not_guessed_at(kind: str, version: int) -> None:
    with pytest.raises(UnknownEvent, match=f"^{kind} version {version}$"):
        decode_event(kind, version, '{"seat": 1}')


@pytest.mark.parametrize("facts", [{}, {"seat": "1"}, {"seat": 1, "mood": "sour"}, [], 1])
def test_nor_are_other_facts(facts: Any) -> None:
    with pytest.raises(UnknownEvent, match=r"^seat_passed version 1: "):
        decode_event("seat_passed", 1, text(facts))


# Maps with names that are data: what was agreed, points by seat.
FREE = {"options", "rules", "points"}


def strangers(facts: Any) -> Iterator[Any]:
    """The facts with one that nobody declared, in each place where it could stand."""
    if isinstance(facts, dict):
        yield facts | {"unheard_of": 1}
        for name, value in facts.items():
            if name not in FREE:
                yield from (facts | {name: other} for other in strangers(value))
    elif isinstance(facts, list):
        for place, value in enumerate(facts):
            for other in strangers(value):
                yield [*facts[:place], other, *facts[place + 1 :]]


def test_a_fact_that_was_not_declared_is_refused_wherever_it_stands() -> None:
    tried = 0
    for kind, version, facts in SAMPLES:
        for strange in strangers(facts):
            tried += 1
            with pytest.raises(UnknownEvent, match="unheard_of"):
                decode_event(kind, version, text(strange))
    assert tried > len(SAMPLES)


def test_old_versions_are_brought_up_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = {
        ("seat_passed", 1): lambda facts: {"place": facts["chair"]},
        ("seat_passed", 2): lambda facts: {"seat": facts["place"]},
    }
    monkeypatch.setitem(codec.VERSIONS, "seat_passed", 3)
    monkeypatch.setattr(codec, "UPCASTERS", steps)
    read = [
        decode_event("seat_passed", version, text({name: 4}))
        for version, name in ((1, "chair"), (2, "place"), (3, "seat"))
    ]
    assert read == [SeatPassed(seat=4)] * 3
    with pytest.raises(UnknownEvent):
        decode_event("seat_passed", 2, text({"place": "four"}))
