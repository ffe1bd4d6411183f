"""Whatever is sent to a game: a problem with its code, and the game is as it was. Never a 500."""

import json
import random
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.rules.cards import CARDS as EVERY_CARD
from tests.api.conftest import Api
from tests.api.tables import (
    NOBODY_KNOWS,
    WRITES,
    Person,
    open_game,
    people,
    play_some,
    stored,
    view_of,
    who_acts,
)

pytestmark = pytest.mark.django_db
fuzz = settings(
    max_examples=40,
    deadline=None,
    database=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
SPELLINGS = ["6S", "TD", "10d", "ah", "??", "1S", "", "6S6S", "\u0130", "6\u0000"]
NAMES = ["type", "card", "cards", "slot", "slots", "target", "suit", "expected_version", "seat"]
KINDS = ["attack", "beat", "throw_in", "transfer", "take", "pass", "call", "play", "draw", ""]

texts = st.one_of(st.sampled_from([*SPELLINGS, *KINDS, *NAMES]), st.text(max_size=8))
numbers = st.one_of(st.integers(), st.floats(allow_nan=False, allow_infinity=False))
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(texts, inner, max_size=4)),
    max_leaves=8,
)
moves = st.fixed_dictionaries(
    {"type": st.one_of(st.sampled_from(KINDS), values)},
    optional={name: st.one_of(values, texts, st.lists(texts, max_size=3)) for name in NAMES[1:]},
)
tables = st.fixed_dictionaries(
    {
        "ruleset": st.one_of(st.sampled_from(["throw_in", "simple", "transfer"]), values),
        "seats": st.one_of(st.integers(-2, 9), values),
    },
    optional={
        "options": st.one_of(
            values,
            st.dictionaries(
                st.sampled_from(["deck_size", "hand_size", "transfer", "attack_limit", "x"]), values
            ),
        ),
        "bots": st.one_of(values, st.lists(st.fixed_dictionaries({"brain": values}), max_size=3)),
        "rated": values,
        "visibility": values,
        "turn_seconds": values,
        "client_seed": values,
        "auto_start": values,
        "series_length": st.one_of(st.integers(-1, 5), values),
        "match_target": values,
        "mood": values,
    },
)
header_texts = st.one_of(
    st.sampled_from(['"v7"', '"v7.s0.en"', "W/", "*", '"v99999999999"', ",", "dk_x", "ru;q=2"]),
    st.text(st.characters(min_codepoint=32, max_codepoint=255), max_size=40),
)
header_names = st.sampled_from(
    [
        "if_match",
        "if_none_match",
        "idempotency_key",
        "accept",
        "accept_language",
        "content_type",
        "last_event_id",
        "authorization",
        "x_forwarded_for",
    ]
)
segments = st.text(st.characters(exclude_characters="/?#\\"), max_size=12)


class Table:
    """A game in progress, and who sits at it."""

    def __init__(self) -> None:
        self.players = tuple(people(2))
        self.path = open_game(*self.players, ruleset="transfer")
        play_some(3, self.path, random.Random(1), *self.players)
        self.kept = stored(self.path)

    def check(self, answer: Any) -> None:
        """A refusal is a problem and changes nothing; whatever was accepted is remembered."""
        assert answer.status_code < 500, answer.content
        now = stored(self.path)
        if answer.status_code < 400:
            self.kept = now
            return
        problem = answer.json()
        assert answer["Content-Type"] == "application/problem+json"
        assert problem["status"] == answer.status_code
        assert problem["code"]
        assert now == self.kept


@pytest.fixture
def table() -> Table:
    """Ann's and Bob's."""
    return Table()


@fuzz
@given(body=moves, first=st.booleans())
def test_moves(table: Table, body: Any, first: bool) -> None:
    client = table.players[0 if first else 1]
    table.check(client.post(f"{table.path}/moves", raw(body)))


@fuzz
@given(body=st.one_of(tables, values))
def test_tables(table: Table, body: Any) -> None:
    table.check(table.players[0].post("/games", raw(body)))


@fuzz
@given(what=st.sampled_from(WRITES), body=values)
def test_other_writes(table: Table, what: str, body: Any) -> None:
    table.check(table.players[0].post(f"{table.path}/{what}", raw(body)))


@fuzz
@given(what=st.sampled_from(["", *WRITES]), content=st.binary(max_size=40))
def test_bytes(table: Table, what: str, content: bytes) -> None:
    path = f"{table.path}/{what}" if what else "/games"
    table.check(table.players[0].post(path, content, content_type="application/json"))


@fuzz
@given(
    what=st.sampled_from(["", "/events", "/replay", "/moves", "/join"]),
    headers=st.dictionaries(header_names, header_texts, max_size=3),
)
def test_headers(table: Table, what: str, headers: dict[str, str]) -> None:
    method = "POST" if what in ("/moves", "/join") else "GET"
    body = {"type": "take"} if what == "/moves" else {} if what == "/join" else None
    table.check(table.players[1].call(method, table.path + what, body, **headers))


@fuzz
@given(
    name=st.sampled_from(["at", "seat", "after", "limit", "cursor", "status", "player", "ruleset"]),
    value=st.one_of(st.text(max_size=12), st.integers().map(str), st.just("9" * 400)),
    what=st.sampled_from(["list", "", "/events"]),
)
def test_queries(table: Table, name: str, value: str, what: str) -> None:
    path = "/games" if what == "list" else table.path + what
    query = quote(value, errors="replace")
    table.check(table.players[0].get(f"{path}?{name}={query}"))


@fuzz
@given(key=segments, what=segments, method=st.sampled_from(["GET", "POST", "PUT", "DELETE"]))
def test_paths(table: Table, key: str, what: str, method: str) -> None:
    path = f"/games/{quote(key, errors='replace')}/{quote(what, errors='replace')}"
    answer = table.players[0].call(method, path)
    assert answer.status_code in (404, 405)
    table.check(answer)


def raw(body: Any) -> bytes:
    """JSON as a client might write it, lone surrogates and all."""
    return json.dumps(body).encode()


def bad_bodies() -> Iterator[bytes]:
    """What broke other servers."""
    yield b""
    yield b"null"
    yield b"0"
    yield b'"take"'
    yield b"\xff\xfe{\x00}\x00"
    yield b"\xef\xbb\xbf{}"
    yield b'{"type": "take"} {}'
    yield b'{"type": "\\ud800"}'
    yield b'{"type": "ta\\u0000ke"}'
    yield b'{"type": NaN}'
    yield b'{"expected_version": 1e999, "type": "take"}'
    yield b'{"expected_version": ' + b"9" * 5000 + b', "type": "take"}'
    yield b'{"a":' * 5000 + b"1" + b"}" * 5000
    yield b'{"type": "attack", "cards": [' + b'"6S",' * 100_000 + b'"6S"]}'
    yield msgspec.json.encode(
        {"type": "attack", "cards": ["6S"], **{str(n): n for n in range(999)}}
    )


@pytest.mark.parametrize("body", list(bad_bodies()), ids=lambda body: repr(body[:20]))
@pytest.mark.parametrize("what", ["moves", "join", "bots", "resign"])
def test_bodies_that_broke_other_servers(table: Table, what: str, body: bytes) -> None:
    client = Person("cat")
    answer = client.post(f"{table.path}/{what}", body, content_type="application/json")
    assert 400 <= answer.status_code < 500
    table.check(answer)


def test_cards_that_do_not_fit(table: Table) -> None:
    """Held or not, known or not, for every kind of move: nothing breaks."""
    mover, view = who_acts(table.players, table.path)
    legal = {card for pattern in view["you"]["legal_moves"] for card in pattern.get("cards", [])}
    for kind in ("attack", "throw_in", "transfer", "beat", "show_trump", "call"):
        for card in sorted(set(EVERY_CARD) - legal)[::3]:
            body = {"type": kind, "card": card} | ({"target": card} if kind == "beat" else {})
            answer = mover.post(f"{table.path}/moves", body)
            assert answer.status_code in (400, 409, 422)
            table.check(answer)


def test_a_stranger_cannot_play_for_anybody(table: Table, anybody: Api) -> None:
    _, view = who_acts(table.players, table.path)
    legal = view["you"]["legal_moves"]
    for client, status in ((Person("cat"), 403), (anybody, 401)):
        for pattern in legal:
            body = {"type": pattern["type"], "cards": pattern.get("cards", [])[:1]}
            answer = client.post(f"{table.path}/moves", body)
            assert answer.status_code == status
            table.check(answer)
    assert view_of(anybody, table.path)["you"] is None
    assert anybody.get(f"/games/{NOBODY_KNOWS}").status_code == 404
