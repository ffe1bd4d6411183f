"""POST /games/{id}/moves."""

import random
from typing import Any

import pytest

from games.rules.cards import CARDS
from tests.api.conftest import Api, bad_fields, refusal
from tests.api.tables import (
    Person,
    events_of,
    moves,
    open_game,
    people,
    pick,
    sans_clock,
    stored,
    view_of,
    who_acts,
)

pytestmark = pytest.mark.django_db


class Turn:
    """A game of two that has just begun: who is to act, with what, and who is not."""

    def __init__(self, **body: Any) -> None:
        self.players = tuple(people(2))
        self.path = open_game(*self.players, **body)
        self.mover, self.view = who_acts(self.players, self.path)
        [self.waiter] = set(self.players) - {self.mover}
        self.version: int = self.view["version"]
        self.move: dict[str, Any] = {"type": "attack", "cards": [self.view["you"]["hand"][0]]}

    def play(self, move: Any = None, client: Api | None = None, **headers: str) -> Any:
        """The answer to a move, by default the mover's legal one."""
        body = self.move if move is None else move
        return (client or self.mover).post(f"{self.path}/moves", body, **headers)


@pytest.fixture
def turn() -> Turn:
    """The first attack."""
    return Turn()


def test_a_move_is_answered_with_what_it_did(turn: Turn) -> None:
    answer = turn.play()
    told = answer.json()
    assert (answer.status_code, told["version"]) == (201, turn.version + 1)
    assert answer["ETag"] == f'"v{turn.version + 1}.s{turn.view["you"]["seat"]}.en"'
    assert answer["Location"] == f"/api/v1{turn.path}"
    [event] = told["events"]
    seat = turn.view["you"]["seat"]
    assert (event["type"], event["seat"]) == ("bout_opened", seat)
    assert event["data"]["cards"] == turn.move["cards"]
    assert event["next"]["to_act"] == [1 - seat]
    assert told["view"]["table"] == [{"attack": turn.move["cards"][0], "beat": None}]


def test_the_answer_is_what_one_would_have_read() -> None:
    players = people(2)
    path = open_game(*players)
    rng, version = random.Random(1), view_of(players[0], path)["version"]
    for _ in range(25):
        mover, view = who_acts(tuple(players), path)
        told = mover.post(f"{path}/moves", pick(view, rng)).json()
        assert told["events"] == events_of(mover, path, version)
        assert sans_clock(told["view"]) == sans_clock(view_of(mover, path))
        version = told["version"]
        if told["view"]["status"] == "finished":
            break


def test_cards_are_read_in_every_spelling(turn: Turn) -> None:
    for spelling in ("10D", "10d", "td", "TD", "Td"):
        answer = turn.play({"type": "beat", "card": spelling, "target": "6s"})
        refusal(answer, 409, "move.not_your_turn")
    long = turn.move["cards"][0].replace("T", "10").lower()
    answer = turn.play({"type": "attack", "card": long})
    assert answer.json()["events"][0]["data"]["cards"] == turn.move["cards"]


@pytest.mark.parametrize("form", ['"v{}.s0.en"', '"v{}"', 'W/"v{}.s1.ru"', "v{}", ' "v{}" '])
def test_if_match_takes_the_version_in_every_form(turn: Turn, form: str) -> None:
    before = stored(turn.path)
    for version in (1, turn.version - 1, turn.version + 1, 999_999_999):
        problem = refusal(turn.play(if_match=form.format(version)), 412, "move.stale_version")
        assert problem["version"] == turn.version
    assert stored(turn.path) == before
    assert turn.play(if_match=form.format(turn.version)).status_code == 201


@pytest.mark.parametrize("tag", ["", "v", '"v"', '"37"', "v1x", '"v1', "x" * 500, "v-1", "1"])
def test_an_if_match_that_names_no_version(turn: Turn, tag: str) -> None:
    assert set(bad_fields(turn.play(if_match=tag))) == {"If-Match"}


def test_the_version_may_stand_in_the_body(turn: Turn) -> None:
    stale = turn.move | {"expected_version": turn.version - 1}
    assert refusal(turn.play(stale), 412, "move.stale_version")["version"] == turn.version
    for wrong in (0, -1, "5", 5.0, True, [5]):
        named = turn.move | {"expected_version": wrong}
        assert set(bad_fields(turn.play(named))) == {"expected_version"}
    both = turn.move | {"expected_version": turn.version}
    tag = f'"v{turn.version - 1}"'
    assert set(bad_fields(turn.play(both, if_match=tag))) == {"expected_version"}
    assert turn.play(both, if_match=f'"v{turn.version}"').status_code == 201


def test_a_missing_version_is_no_version(turn: Turn) -> None:
    assert turn.play(turn.move | {"expected_version": None}).status_code == 201


def test_a_refused_move_says_which_rule(turn: Turn) -> None:
    held = set(turn.view["you"]["hand"])
    foreign = next(card for card in CARDS if card not in held)
    refused = {
        "move.not_your_turn": (409, turn.move, turn.waiter),
        "move.wrong_phase": (422, {"type": "pass"}, turn.mover),
        "move.card_not_in_hand": (422, {"type": "attack", "card": foreign}, turn.mover),
        "move.no_cards": (422, {"type": "attack", "cards": []}, turn.mover),
        "move.duplicate_card": (
            422,
            {"type": "attack", "cards": turn.move["cards"] * 2},
            turn.mover,
        ),
        "move.transfer_disabled": (422, {"type": "transfer", "card": "6S"}, turn.mover),
        "move.exchange_disabled": (422, {"type": "exchange_trump"}, turn.mover),
        "move.call_disabled": (422, {"type": "call", "card": "6S"}, turn.mover),
    }
    before = stored(turn.path)
    for code, (status, body, client) in refused.items():
        english = refusal(turn.play(body, client), status, code)
        russian = refusal(turn.play(body, client, accept_language="ru"), status, code)
        assert english["version"] == russian["version"] == turn.version
        assert english["rule"]["id"] == russian["rule"]["id"]
        for text in ("title", "detail"):
            assert english[text] != russian[text]
        assert english["rule"]["text"] != russian["rule"]["text"]
        assert code != "move.not_your_turn" or english["rule"]["id"] == "C2-24"
    assert stored(turn.path) == before


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ([], "move"),
        ("attack", "move"),
        ({}, "type"),
        ({"type": "castle"}, "type"),
        ({"type": None}, "type"),
        ({"type": "attack"}, "cards"),
        ({"type": "attack", "card": "1S"}, "cards"),
        ({"type": "attack", "card": "??"}, "cards"),
        ({"type": "attack", "card": 6}, "card"),
        ({"type": "attack", "card": "6S", "cards": ["6S"]}, "cards"),
        ({"type": "attack", "cards": ["6S"] * 53}, "cards"),
        ({"type": "attack", "slot": 0}, "slots"),
        ({"type": "attack", "slots": [0]}, "slots"),
        ({"type": "attack", "card": "6S", "target": "6S"}, "target"),
        ({"type": "attack", "card": "6S", "suit": "S"}, "suit"),
        ({"type": "attack", "card": "6S", "suit": "X"}, "suit"),
        ({"type": "beat", "card": "6S"}, "target"),
        ({"type": "beat", "cards": ["6S", "7S"], "target": "6D"}, "cards"),
        ({"type": "take", "card": "6S"}, "cards"),
        ({"type": "pass", "cards": []}, "cards"),
        ({"type": "draw"}, "type"),
        ({"type": "attack", "card": "6S", "seat": 1}, "seat"),
    ],
)
def test_a_move_that_cannot_be_read_names_the_field(turn: Turn, body: Any, field: str) -> None:
    before = stored(turn.path)
    for client in turn.players:
        assert set(bad_fields(turn.play(body, client))) == {field}
    assert stored(turn.path) == before


def test_nothing_but_json_is_read(turn: Turn) -> None:
    refusal(turn.play(b"{"), 400, "request.malformed")
    refusal(turn.play(b'{"type": "take", "type": "pass"}'), 400, "request.malformed")
    refusal(turn.play(b"type=take", content_type="text/plain"), 415, "request.media_type")
    refusal(turn.play(b"[" * 100_000), 400, "request.malformed")
    refusal(turn.play(b" " * 2_000_000), 413, "request.too_large")
    refusal(turn.play(accept="text/html"), 406, "request.not_acceptable")


def test_before_the_start(turn: Turn) -> None:
    ann = turn.players[0]
    path = open_game(ann, seats=3)
    refusal(ann.post(f"{path}/moves", {"type": "take"}), 409, "game.not_started")
    refusal(ann.post(f"{path}/moves", {"type": "no"}), 400, "request.invalid")


def test_after_the_end(turn: Turn) -> None:
    assert turn.waiter.post(f"{turn.path}/resign").status_code == 200
    before = stored(turn.path)
    version = view_of(turn.mover, turn.path)["version"]
    for client in turn.players:
        problem = refusal(turn.play(client=client), 409, "game.over")
        assert problem["version"] == version
        refusal(turn.play(client=client, if_match='"v1"'), 412, "move.stale_version")
    assert stored(turn.path) == before


def test_only_who_sits_there(turn: Turn) -> None:
    refusal(turn.play(client=Person("cat")), 403, "game.not_joined")
    ann = turn.players[0]
    bots = [{"brain": "greedy"}] * 2
    watched = open_game(ann, seats=2, bots=bots)
    refusal(ann.post(f"{watched}/moves", turn.move), 403, "game.not_joined")


def test_a_seat_that_a_bot_plays_for_its_owner(turn: Turn) -> None:
    assert turn.mover.post(f"{turn.path}/leave").status_code == 200
    problem = refusal(turn.play(), 409, "move.not_your_turn")
    assert problem["rule"]["text"]
    assert problem["version"] == turn.version + 1
    assert turn.mover.post(f"{turn.path}/return").status_code == 200
    assert turn.play().status_code == 201


def test_the_next_of_the_last_event_is_the_viewers() -> None:
    """Its legal moves are those of the view, for each who looks."""
    players = people(2)
    path = open_game(*players)
    for answer, _ in zip(moves(path, random.Random(5), *players), range(20), strict=False):
        version = answer.json()["version"]
        for player in players:
            view = view_of(player, path)
            [last] = events_of(player, path, version - 1)
            assert last["next"]["legal_moves"] == view["you"]["legal_moves"]
            shared = ("phase", "to_act", "attacker", "defender", "deadline")
            assert {name: last["next"][name] for name in shared} == {
                name: view[name] for name in shared
            }
