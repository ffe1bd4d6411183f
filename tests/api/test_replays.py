"""POST /replays, and records as text: what was exported is judged, what was changed is found."""

import copy
import hashlib
import hmac
import json
import random
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st
from pytest_django import Settings

from games.models import GameEvent
from games.selectors.replay_check import MOST_TEXT
from games.store import codec
from tests.api.conftest import Api, bad_fields, refusal
from tests.api.tables import Person, moves, open_game, people, play_out, play_some
from tests.api.test_matches import duel, rematch
from tests.api.test_replay import replay_of
from tests.tables import play_out as play_on

pytestmark = pytest.mark.django_db
Export = dict[str, Any]
RULESETS = {
    "throw_in": 2,
    "transfer.face_out": 3,
    "partners": 4,
    "simple.full_deal.japanese": 2,
    "mau_mau": 3,
    "english_durak": 2,
    "japanese_shedding": 4,
}


def played(ruleset: str = "throw_in", seats: int = 2, seed: int = 1, **body: Any) -> str:
    """The address of a game that was played to its end."""
    players = people(seats)
    path = open_game(*players, ruleset=ruleset, client_seed="счастье", **body)
    play_out(path, random.Random(seed), *players)
    return path


def ruling(body: Any, **headers: str) -> dict[str, Any]:
    """What the server says of a record."""
    answer = Api().post("/replays", body, **headers)
    assert answer.status_code == 200, answer.content
    found: dict[str, Any] = answer.json()
    return found


def text_of(path: str) -> str:
    """The record of a game in text notation."""
    answer = Api().get(f"{path}/replay", accept="text/plain")
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    text: str = answer.content.decode()
    return text


def as_text(text: str) -> dict[str, Any]:
    """What the server says of a text record."""
    return ruling(text.encode(), content_type="text/plain")


@pytest.mark.parametrize(("ruleset", "seats"), RULESETS.items())
def test_what_is_exported_is_in_order(ruleset: str, seats: int) -> None:
    path = played(ruleset, seats)
    export = replay_of(Api(), path)
    found = ruling(export)
    assert found["valid"], found
    assert (found["format"], found["fault"]) == ("json", None)
    assert found["result"] == export["result"]
    assert found["events"] == len(export["events"])
    told = as_text(text_of(path))
    assert told["valid"], told
    assert (told["ruleset"], told["result"]) == (ruleset, export["result"])
    assert told["moves"] == found["moves"] > 0


def test_a_game_that_was_resigned_has_both_forms() -> None:
    path = _resigned("throw_in", 0)
    assert ruling(replay_of(Api(), path))["valid"]
    assert as_text(text_of(path))["valid"]


def test_only_finished_games_have_a_text() -> None:
    path = open_game(*people(2))
    refusal(Api().get(f"{path}/replay", accept="text/plain"), 409, "game.not_finished")
    refusal(Api().get(f"{path}/replay", accept="text/html"), 406, "request.not_acceptable")


def test_a_game_that_was_called_off_has_no_text(settings: Settings) -> None:
    settings.REMATCH_SECONDS = 0
    ann, bob = people(2)
    ended = duel(ann, bob)
    path = f"/games/{rematch(bob, ended)['id']}"
    rematch(ann, ended)
    told = refusal(ann.get(f"{path}/replay", accept="text/plain"), 406, "request.not_acceptable")
    assert told["produces"] == ["application/json"]
    found = ruling(replay_of(ann, path))
    assert found["valid"], found
    assert (found["moves"], found["result"]["reason"]) == (0, "aborted")


def test_a_game_whose_seats_changed_hands_has_both_forms() -> None:
    ann, bob, _ = players = people(3)
    path = open_game(*players)
    play_some(4, path, random.Random(1), *players)
    assert ann.post(f"{path}/leave").status_code == 200
    assert ann.post(f"{path}/return").status_code == 200
    assert bob.post(f"{path}/resign").status_code == 200
    play_on(UUID(path[7:]), random.Random(1))
    export = replay_of(Api(), path)
    kinds = {event["type"] for event in export["events"]}
    assert {"seat_replaced", "seat_returned", "seat_resigned"} <= kinds
    found, told = ruling(export), as_text(text_of(path))
    assert (found["valid"], told["valid"]) == (True, True)
    assert found["moves"] == told["moves"] > 0


def test_the_next_game_of_a_match_has_both_forms() -> None:
    ann, bob = people(2)
    ended = duel(ann, bob)
    rematch(bob, ended)
    path = f"/games/{rematch(ann, ended)['id']}"
    play_out(path, random.Random(2), ann, bob)
    assert ruling(replay_of(Api(), path))["valid"]
    assert as_text(text_of(path))["valid"]


def test_a_private_game_has_no_text_for_strangers() -> None:
    path = played(visibility="private")
    refusal(Api().get(f"{path}/replay", accept="text/plain"), 404, "game.not_found")


def changed(export: Export) -> Iterator[tuple[str, int, Export]]:
    """Exports that differ from a true one in something, and where the first difference is."""
    last = len(export["events"])
    for place in (0, 2, last // 2, last - 1):
        for name, change in _CHANGES.items():
            forged = copy.deepcopy(export)
            change(forged["events"], place)
            yield f"{name} {place + 1}", place + 1, forged


def _flip(events: list[Any], place: int) -> None:
    events[place]["hash"] = events[place]["hash"][::-1]


def _later(events: list[Any], place: int) -> None:
    events[place]["at"] = events[place]["at"].replace("20", "21", 1)


def _drop(events: list[Any], place: int) -> None:
    del events[place]


def _twice(events: list[Any], place: int) -> None:
    events.insert(place, events[place])


def _other_fact(events: list[Any], place: int) -> None:
    events[place]["data"]["more"] = 1


_CHANGES: dict[str, Callable[[list[Any], int], None]] = {
    "hash": _flip,
    "time": _later,
    "dropped": _drop,
    "doubled": _twice,
    "fact": _other_fact,
}


def test_every_change_is_found_and_named() -> None:
    export = replay_of(Api(), played())
    for name, place, forged in changed(export):
        fault = ruling(forged)["fault"]
        assert fault is not None, name
        # Of a log that lost its end the last event is named.
        assert fault["seq"] in (place - 1, place, place + 1), (name, fault)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("server_seed", "00" * 32),
        ("chain_secret", "11" * 32),
        ("head", "22" * 32),
        ("client_seeds", ["", "aa"]),
        ("initial_pack", ["6S"]),
        ("ruleset", "transfer"),
        ("options", {"attack_limit": 5}),
        ("seats", ["ann"]),
        ("seats", ["ann", None]),
        ("algorithm", "mine"),
        ("ruleset_sha256", "33" * 32),
        ("schema_version", 2),
        ("id", "01890a5d-ac96-774b-bcce-b302099a8057"),
        ("server_seed", "not hex"),
        ("events", []),
    ],
)
def test_a_changed_field_is_found(name: str, value: Any) -> None:
    found = ruling(replay_of(Api(), played()) | {name: value})
    assert not found["valid"]
    assert found["fault"]["what"] in (name, "event")


def test_a_value_of_another_type_is_found() -> None:
    export = replay_of(Api(), played(options={"attack_limit": 5}))
    for other in (5.0, "5", True):
        assert ruling(export | {"options": {"attack_limit": other}})["fault"]["what"] == "options"
    for other in (36.0, "36"):
        rules = export["rules"] | {"deck_size": other}
        assert ruling(export | {"rules": rules})["fault"]["what"] == "rules"


def test_a_false_result_is_found() -> None:
    export = replay_of(Api(), played())
    export["result"]["winner"], export["result"]["durak"] = 0, 0
    assert ruling(export)["fault"]["what"] == "result"


def test_a_text_names_the_line() -> None:
    lines = text_of(played()).split("\n")
    place = next(index for index, line in enumerate(lines) if line.startswith("2. "))
    lines[place] = lines[place].replace("take", "pass", 1) + " 0:take"
    found = as_text("\n".join(lines))
    assert not found["valid"]
    assert found["fault"]["line"] == place + 1
    lines[0] = '[Ruleset "chess"]'
    assert as_text("\n".join(lines))["fault"]["what"] == "Ruleset"


def test_a_move_that_the_rules_refuse_has_their_code() -> None:
    path = played()
    text = text_of(path)
    first = re.search(r"^1\. (\d:\S+)", text, re.MULTILINE)
    assert first is not None
    found = as_text(text.replace(first[0], f"1. {first[1][0]}:take", 1))
    assert found["fault"]["what"] == f"{first[1][0]}:take"
    assert found["fault"]["code"] == "move.not_your_turn"
    over = as_text(f"{text.rstrip()} 0:take\n")["fault"]
    assert (over["what"], over["code"]) == ("0:take", "game.over")


def test_a_move_of_an_export_that_the_rules_refuse_has_their_code() -> None:
    export = replay_of(Api(), played())
    opened = next(event for event in export["events"] if event["type"] == "bout_opened")
    opened["seat"] = 1 - opened["seat"]
    relink(export)
    fault = ruling(export)["fault"]
    assert (fault["seq"], fault["code"]) == (opened["seq"], "move.not_your_turn")


def test_a_text_without_end_is_not_played() -> None:
    text = text_of(played(seats=3))
    endless = text.replace("1. ", "1. " + "0:bot 0:back " * 10_000, 1)
    assert as_text(endless)["fault"]["what"] == "text"
    for much in (" " * MOST_TEXT, "1" * MOST_TEXT, '[Options {"a":' * 7_000):
        assert as_text(f"{text}{much}"[:MOST_TEXT])["format"] == "text"


def test_rows_of_older_releases_keep_their_hash(monkeypatch: pytest.MonkeyPatch) -> None:
    path = played()
    monkeypatch.setitem(codec.VERSIONS, "card_beaten", 2)
    monkeypatch.setattr(codec, "UPCASTERS", {("card_beaten", 1): lambda facts: facts})
    export = replay_of(Api(), path)
    older = [event for event in export["events"] if event["type"] == "card_beaten"]
    row = GameEvent.objects.get(game_id=path[7:], seq=older[0]["seq"])
    assert older[0]["schema_version"] == 2
    assert older[0]["stored"] == {"schema_version": 1, "facts": row.data}
    assert ruling(export)["valid"]
    older[0]["stored"]["facts"]["card"] = "6S" if row.data["card"] != "6S" else "7S"
    assert ruling(export)["fault"]["seq"] == older[0]["seq"]


def as_older(event: dict[str, Any]) -> None:
    """Say that an older release wrote the event, in the same words."""
    facts = dict(event["data"])
    if event["seat"] is not None:
        facts["seat"] = event["seat"]
    if "next" in event:
        facts["next"] = event["next"]
    event["stored"] = {"schema_version": event["schema_version"], "facts": facts}


@pytest.mark.parametrize(
    "lie",
    [
        {"data": {"lie": 1}},
        {"data": {"card": "6S", "target": "7S"}},
        {"seat": 5},
        {"schema_version": 99},
        {"schema_version": 0},
    ],
)
def test_what_is_stored_is_no_cover_for_a_lie(lie: dict[str, Any]) -> None:
    export = replay_of(Api(), played())
    beaten = next(event for event in export["events"] if event["type"] == "card_beaten")
    as_older(beaten)
    assert ruling(export)["valid"]
    beaten.update(lie)
    fault = ruling(export)["fault"]
    assert (fault["what"], fault["seq"]) == ("event", beaten["seq"])


def test_what_is_stored_is_within_bounds_too() -> None:
    export = replay_of(Api(), played())
    created = export["events"][0]
    as_older(created)
    created["stored"]["facts"]["seats"] = 10**9
    relink(export)
    assert ruling(export)["fault"]["seq"] == 1
    created["data"]["seats"] = 10**9
    assert ruling(export)["fault"] == {
        "what": "event",
        "seq": 1,
        "reason": "no table is like that",
    }


def test_an_upcaster_that_cannot_read_what_is_stored_is_no_fault_of_the_server(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    export = replay_of(Api(), played())
    monkeypatch.setitem(codec.VERSIONS, "card_beaten", 2)
    upcast = {("card_beaten", 1): lambda facts: {**facts, "card": facts["was"]}}
    monkeypatch.setattr(codec, "UPCASTERS", upcast)
    beaten = next(event for event in export["events"] if event["type"] == "card_beaten")
    assert ruling(export)["fault"]["seq"] == beaten["seq"]


def test_bodies_that_are_none_are_refused() -> None:
    refusal(Api().post("/replays", b"{", content_type="application/json"), 400, "request.malformed")
    refusal(Api().post("/replays", b"\xff", content_type="text/plain"), 400, "request.malformed")
    refusal(Api().post("/replays", b"x", content_type="text/csv"), 415, "request.media_type")
    assert "events" in bad_fields(Api().post("/replays", {"schema_version": 1}))
    deep = b'{"options":' + b'{"a":' * 5000 + b"1" + b"}" * 5001
    refusal(Api().post("/replays", deep), 400, "request.malformed")


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**20), 10**20),
    st.floats(allow_nan=False, allow_infinity=False),
    st.sampled_from(["", "6S", "??", "AH", "H", "lot", "deal", "00" * 32]),
    st.lists(st.sampled_from(["6S", "7H", 0, 1, -1]), max_size=3),
    st.dictionaries(st.sampled_from(["seat", "cards", "type"]), st.integers(0, 9), max_size=2),
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value)
    for key, part in inner:
        yield (*path, key)
        if isinstance(part, dict | list):
            yield from places(part, (*path, key))


def put(value: Any, path: tuple[Any, ...], new: Any) -> None:
    """Change one place of a JSON value."""
    *way, last = path
    for key in way:
        value = value[key]
    value[last] = new


@hypothesis_settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_no_export_breaks_the_judge(data: st.DataObject, exported: list[Export]) -> None:
    export = copy.deepcopy(data.draw(st.sampled_from(exported)))
    every = sorted(places(export), key=str)
    for path in data.draw(st.lists(st.sampled_from(every), min_size=1, max_size=2)):
        try:
            put(export, path, data.draw(VALUES))
        except (LookupError, TypeError):
            continue
    if data.draw(st.booleans()):
        with suppress(LookupError, TypeError, ValueError):
            as_older(export["events"][data.draw(st.integers(0, 3))])
    if data.draw(st.booleans()):
        relink(export)
    answer = Api().post("/replays", export)
    assert answer.status_code in (200, 400), answer.content


@hypothesis_settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_no_bytes_break_the_judge(data: st.DataObject, exported: list[Export]) -> None:
    raw = json.dumps(data.draw(st.sampled_from(exported))).encode()
    at = data.draw(st.integers(0, len(raw)))
    cut = data.draw(st.integers(0, 12))
    new = data.draw(st.binary(max_size=6) | st.sampled_from(_JSON_PIECES))
    answer = Api().post("/replays", raw[:at] + new + raw[at + cut :])
    assert answer.status_code in (200, 400), answer.content


@hypothesis_settings(
    max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_no_text_breaks_the_judge(data: st.DataObject, recorded: list[str]) -> None:
    text = data.draw(st.sampled_from(recorded))
    at = data.draw(st.integers(0, len(text)))
    cut = data.draw(st.integers(0, 12))
    new = data.draw(st.text('0123456789:<+,. []{}"STH\n', max_size=8))
    found = as_text(text[:at] + new + text[at + cut :])
    assert found["valid"] is (found["fault"] is None)


@pytest.fixture
def patient(settings: Settings) -> None:
    """A server that judges as often as it is asked."""
    settings.API_LIMITS = settings.API_LIMITS | {"replays": 100_000}


@pytest.fixture
def exported(db: None, patient: None) -> list[Export]:
    """Exports of both families."""
    return [
        replay_of(Api(), _resigned(name, index))
        for index, name in enumerate(("throw_in", "mau_mau"))
    ]


@pytest.fixture
def recorded(db: None, patient: None) -> list[str]:
    """Text records of both families."""
    return [text_of(_resigned(name, index)) for index, name in enumerate(("transfer", "pentagon"))]


def _resigned(ruleset: str, index: int) -> str:
    players = (Person(f"a{index}"), Person(f"b{index}"))
    path = open_game(*players, ruleset=ruleset)
    # Now and then a shedding game is over by then: that is as good.
    for _ in zip(range(6), moves(path, random.Random(1), *players), strict=False):
        pass
    players[0].post(f"{path}/resign")
    return path


# Pieces that leave JSON more often whole than arbitrary bytes do.
_JSON_PIECES = (
    b"0",
    b"1e400",
    b"-1",
    b"NaN",
    b"null",
    b"{}",
    b"[",
    b'"',
    b"\\ud800",
    b" ",
    b"9" * 40,
)


def relink(export: Export) -> None:
    """Hash the events anew, as a forger who knows the secret would."""
    try:
        secret, game = bytes.fromhex(export["chain_secret"]), str(export["id"]).encode()
        previous = bytes(32)
        for event in export["events"]:
            number = event["seq"].to_bytes(8, "big")
            nonce = hmac.new(secret, b"durak-nonce-v1" + number, hashlib.sha256).digest()
            facts = dict(event["data"])
            if event["seat"] is not None:
                facts["seat"] = event["seat"]
            if "next" in event:
                facts["next"] = event["next"]
            version = event["schema_version"]
            if "stored" in event:
                version, facts = event["stored"]["schema_version"], event["stored"]["facts"]
            head = [event["type"], version, event["at"]]
            linked = b"durak-log-v1" + game + number + previous + nonce + _text(head) + _text(facts)
            previous = hashlib.sha256(linked).digest()
            event["hash"] = previous.hex()
        export["head"] = previous.hex()
    except (AttributeError, KeyError, OverflowError, TypeError, ValueError):
        return


def _text(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
