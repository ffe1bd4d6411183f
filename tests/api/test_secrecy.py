"""No answer tells of a card that its reader cannot know."""

import json
import random
import re
from collections.abc import Iterator, Sequence
from typing import Any
from uuid import UUID

import msgspec
import pytest
from django.db import transaction

from games.models import Game, GameEvent
from games.rules import events as facts
from games.rules.cards import CARDS, to_cards
from games.rules.state import State
from games.store import log
from tests.api.conftest import Api
from tests.api.tables import Person, open_game, people, pick, play_some, view_of, who_acts
from tests.tables import head_of

pytestmark = pytest.mark.django_db
_CARD = re.compile(r"(?<![A-Za-z0-9])[2-9TJQKA][SHDC](?![A-Za-z0-9])")
_MOMENT = re.compile(rb'"(?:server_time|at|hash)":"[^"]*"')
_PASSING = {"Date", "RateLimit"}
TYPES = ("attack", "throw_in", "transfer", "beat")


def state_of(path: str) -> State:
    """The whole truth of a running game."""
    state = head_of(UUID(path[7:])).game.state
    assert state is not None
    return state


def shown(path: str) -> set[str]:
    """Cards that have lain open on the table."""
    found: set[str] = set()
    for item in log.events(UUID(path[7:])):
        match item.event:
            case (
                facts.BoutOpened(cards=cards)
                | facts.CardsThrownIn(cards=cards)
                | facts.BoutTransferred(cards=cards)
            ):
                found.update(cards)
            case facts.CardBeaten(card=card) | facts.TrumpTurned(card=card):
                found.add(card)
            case facts.AttackerNamed(card=str(card)):
                found.add(card)
    return found


def hidden_from(path: str, seat: int | None) -> set[str]:
    """Cards of which a seat knows nothing but that they are somewhere."""
    state = state_of(path)
    hands = [to_cards(hand) for other, hand in enumerate(state.hands) if other != seat]
    held = {card for hand in hands for card in hand} | set(state.talon)
    return held - shown(path)


def answers(client: Api, path: str, view: dict[str, Any]) -> Iterator[Any]:
    """Whatever a player is told without changing anything."""
    yield client.get(path)
    yield client.get(path, if_none_match=f'"v{view["version"]}"')
    yield client.get(path, if_none_match="*")
    yield client.get(f"{path}?at={view['version'] - 1}")
    yield client.get(f"{path}?seat=1")
    yield client.get(f"{path}/events?limit=1000")
    yield client.get(f"{path}/replay")
    yield client.get("/games")
    yield client.post(f"{path}/join", {})
    yield client.post(f"{path}/moves", {"type": "take"}, if_match='"v1"')
    for body in ({"type": "pass"}, {"type": "take"}, {"type": "attack", "cards": []}, {}):
        with transaction.atomic():
            yield client.post(f"{path}/moves", body)
            transaction.set_rollback(True)


def everything_in(answer: Any) -> str:
    """Body and headers."""
    content: bytes = answer.content
    return content.decode() + json.dumps(dict(answer.headers))


def test_no_answer_names_a_hidden_card(anybody: Api) -> None:
    players = people(3)
    path = open_game(*players, ruleset="transfer")
    rng = random.Random(1)
    for _ in range(6):
        play_some(1, path, rng, *players)
        mover, view = who_acts(tuple(players), path)
        reply = mover.post(f"{path}/moves", pick(view, rng))
        hidden = hidden_from(path, players.index(mover))
        assert not hidden & set(_CARD.findall(everything_in(reply)))
        for seat, client in ((0, players[0]), (1, players[1]), (None, anybody)):
            hidden = hidden_from(path, seat)
            assert hidden
            for answer in answers(client, path, view):
                named = set(_CARD.findall(everything_in(answer)))
                # A move that was legal, and is undone, may have drawn cards.
                assert answer.status_code == 201 or not hidden & named, answer


def where_cards_are(state: State, seat: int) -> dict[str, Sequence[str]]:
    """Every place where a card can be that the seat does not hold."""
    other = next(one for one in range(state.seats) if one != seat and state.hands[one])
    return {
        "another hand": to_cards(state.hands[other]),
        "the talon": state.talon,
        "the table": [card for pair in state.table for card in pair if card],
        "the discard pile": to_cards(state.discard),
        "not in the game": [card for card in CARDS if card[0] in "2345"],
    }


def test_it_does_not_matter_where_a_card_is_that_one_does_not_hold() -> None:
    players = people(2)
    path = open_game(*players, ruleset="transfer")
    rng = random.Random(2)
    places: set[str] = set()
    turns = 0
    while turns < 10 or len(places) < 5:
        turns += 1
        for seat, player in enumerate(players):
            state = state_of(path)
            target = {"target": state.table[0].attack} if state.table else {"target": "6S"}
            elsewhere = {
                place: rng.choice(cards)
                for place, cards in where_cards_are(state, seat).items()
                if cards
            }
            places |= elsewhere.keys()
            for kind in TYPES:
                more = target if kind == "beat" else {}
                told = {
                    player.post(f"{path}/moves", {"type": kind, "card": card, **more}).content
                    for card in elsewhere.values()
                }
                assert len(told) == 1, told
        play_some(1, path, rng, *players)


def swap(path: str, one: str, other: str) -> None:
    """Exchange two cards in the whole log, and fold the game from it."""
    names = {f'"{one}"': f'"{other}"', f'"{other}"': f'"{one}"'}
    either = re.compile("|".join(names))
    for event in GameEvent.objects.filter(game=UUID(path[7:])):
        told, changes = either.subn(lambda found: names[found[0]], json.dumps(event.data))
        if changes:
            GameEvent.objects.filter(pk=event.pk).update(data=json.loads(told))
    folded = msgspec.json.encode(log.replay(UUID(path[7:])))
    Game.objects.filter(id=path[7:]).update(snapshot=log.SNAPSHOT_FORMAT + folded)


def pairs(path: str, seat: int | None, rng: random.Random) -> Iterator[tuple[str, str]]:
    """Hidden cards that could as well lie the other way round."""
    state, hidden = state_of(path), hidden_from(path, seat)
    hands = [
        [card for card in to_cards(hand) if card in hidden]
        for other, hand in enumerate(state.hands)
        if other != seat
    ]
    deep = [card for card in state.talon[8:] if card in hidden]
    if hands[0] and deep:
        yield rng.choice(hands[0]), rng.choice(deep)
    if hands[0] and hands[1]:
        yield rng.choice(hands[0]), rng.choice(hands[1])
    if len(deep) > 1:
        yield deep[0], deep[1]


def told(client: Api, path: str, view: dict[str, Any], body: Any) -> list[Any]:
    """All that a viewer is told, the answer to a move included; nothing is changed."""
    found = [*answers(client, path, view)]
    with transaction.atomic():
        found.append(client.post(f"{path}/moves", body))
        transaction.set_rollback(True)
    return [
        (
            answer.status_code,
            {name: text for name, text in answer.headers.items() if name not in _PASSING},
            _MOMENT.sub(b"", answer.content),
        )
        for answer in found
    ]


def test_games_that_differ_in_hidden_cards_look_alike(anybody: Api) -> None:
    players = people(3)
    path = open_game(*players)
    rng, compared = random.Random(3), 0
    for _ in range(3):
        mover, view = who_acts(tuple(players), path)
        body = pick(view, rng)
        seats = players.index(mover), (players.index(mover) + 1) % 3
        viewers = [*((seat, players[seat]) for seat in seats), (None, anybody)]
        for seat, client in viewers:
            before = told(client, path, view, body)
            for one, other in pairs(path, seat, rng):
                swap(path, one, other)
                assert told(client, path, view, body) == before
                swap(path, one, other)
                compared += 1
        assert view_of(mover, path) | {"server_time": 0} == view | {"server_time": 0}
        assert mover.post(f"{path}/moves", body).status_code == 201
        play_some(3, path, rng, *players)
    assert compared >= 9


def test_a_swap_of_cards_that_one_holds_is_seen() -> None:
    """The test above can fail: what is not hidden makes a difference."""
    players: list[Person] = people(3)
    path = open_game(*players)
    mover, view = who_acts(tuple(players), path)
    body = {"type": "attack", "card": view["you"]["hand"][0]}
    before = told(mover, path, view, body)
    swap(path, view["you"]["hand"][0], state_of(path).talon[3])
    assert told(mover, path, view, body) != before
