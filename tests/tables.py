"""Games on the real store, opened and played by the services."""

import random
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any
from uuid import UUID

import msgspec
import pytest
from django.db import transaction

from bots.brains import brain_get
from games.models import Player
from games.rules import engine
from games.rules import game as games
from games.rules.events import TYPE_OF
from games.services.errors import ServiceError
from games.services.game_advance import Outcome
from games.services.game_create import Table, game_create
from games.services.game_seats import game_join
from games.services.move_play import bot_move_play, move_play
from games.store import log
from games.store.log import Head

LONGEST = 5000
_RANDOM = brain_get("random").brain


@contextmanager
def refused(code: str, **members: Any) -> Iterator[None]:
    """The block must be refused with this code, and these of the members that go with it."""
    with pytest.raises(ServiceError) as caught, transaction.atomic():
        yield
    shown = {name: caught.value.members[name] for name in members}
    assert (caught.value.code, shown) == (code, members)


def choose(legal_moves: Sequence[Mapping[str, Any]], rng: random.Random) -> dict[str, Any]:
    """Any move that the patterns cover, as it is sent."""
    return _RANDOM.choose({"you": {"legal_moves": legal_moves}}, (), rng, 0)


def open_table(players: Sequence[Player], **table: Any) -> UUID:
    """A game of throw_in with these players; with more `seats` than players it stays open."""
    first, *others = players
    asked = Table(**{"ruleset": "throw_in", "seats": len(players), **table})
    game_id = game_create(creator=first.id, kind=first.kind, table=asked).head.id
    for player in others:
        game_join(game_id=game_id, player_id=player.id, kind=player.kind)
    return game_id


def player_at(game_id: UUID, seat: int) -> UUID:
    """Whose seat it is."""
    return UUID(head_of(game_id).game.chairs[seat].player)


def types_of(game_id: UUID, after: int = 0) -> list[str]:
    """The types of the events after a version."""
    return [TYPE_OF[type(item.event)] for item in log.events(game_id, after)]


def head_of(game_id: UUID) -> Head:
    """The head of a game that must be there."""
    head = log.load(game_id)
    assert head is not None
    return head


def move_for(game: games.Game, rng: random.Random) -> tuple[int, dict[str, Any]]:
    """The seat to act and any legal move of it."""
    assert game.state is not None
    seat = game.to_act[0]
    return seat, choose(msgspec.to_builtins(engine.legal_moves(game.state, seat)), rng)


def play_one(game_id: UUID, rng: random.Random) -> Outcome:
    """Any legal move of whoever is to act, a person or a bot."""
    game = head_of(game_id).game
    seat, body = move_for(game, rng)
    chair = game.chairs[seat]
    if chair.brain is not None:
        return bot_move_play(game_id=game_id, seat=seat, body=body, expected_version=game.version)
    return move_play(game_id=game_id, player_id=UUID(chair.player), body=body)


def play_out(game_id: UUID, rng: random.Random) -> list[Outcome]:
    """Any legal moves to the end."""
    outcomes = []
    for _ in range(LONGEST):
        outcomes.append(play_one(game_id, rng))
        if outcomes[-1].head.game.status == "finished":
            return outcomes
    raise AssertionError("the game does not end")
